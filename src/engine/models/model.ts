// The seam to language models: a request goes in, events stream out, a reply or a ModelFailure ends it.
import type { Json, JsonObject } from '@echelon/ground';
import type { Effort } from '../language/ast.ts';
import type { Spent } from '../language/result.ts';
import type { ToolSpec } from '../language/tool.ts';

/** A part of a model's reply: text, a call, or data that its provider wants back unchanged. */
export type ReplyPart =
  | { type: 'text'; text: string }
  | { type: 'tool_call'; id: string; name: string; input: unknown }
  | OpaquePart;

/** Only the provider that made it can read it; it is sent back in its place while it belongs there (opaque.ts). */
export interface OpaquePart {
  type: 'opaque';
  /** The model that made it. */
  model: string;
  /** Digest of the conversation before it. */
  after: string;
  data: Json;
}

export type ModelPart = ReplyPart | { type: 'tool_result'; id: string; content: string; is_error?: boolean };

/** All words of a part; none of an opaque one. */
export function partText(part: ModelPart): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'tool_result') return part.content;
  return part.type === 'tool_call' ? `${part.name} ${JSON.stringify(part.input)}` : '';
}

export interface ModelMessage {
  role: 'user' | 'assistant';
  content: ModelPart[];
}

/** The part that is the same in every call comes first, so that a provider can cache it. */
export interface SystemText {
  stable: string;
  changing: string;
  /** Characters at the beginning of the stable text that tasks with other instructions have too; absent: none. */
  shared?: number;
}

/** An image that a person shows: data, as the text is that shows it. */
export interface ShownImage {
  type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** Base64. */
  data: string;
}

export interface ModelRequest {
  /** Stable over restarts: the step's key and the number of the call in it. The same key gets the same scripted reply. */
  key: string;
  /** The name of the task, as scripts match it: `2ic`, `engineer.director`, ... */
  task: string;
  /** Replies of a script are used up within a scope: the layers of a run share one, each attempt at an issue has its own. */
  scope: string;
  /** Provider's model name, or the scripted model's. */
  model: string;
  system: SystemText;
  /** Of several texts that a conversation begins with, all but the last are the same in others that go on otherwise. */
  messages: ModelMessage[];
  /** Shown after the first message's text, to models that can see. No session and no record keeps them. */
  images?: readonly ShownImage[];
  tools: ToolSpec[];
  max_output_tokens: number;
  /** Another model takes its place: the call fails where it would be waited for long. */
  impatient?: true;
  /** Left out where the model takes none. */
  temperature?: number;
  /** The same. */
  effort?: Effort;
  /** Schema that the reply's text must fit as JSON. The same; and where tools are offered, since a call has no such text. */
  schema?: JsonObject;
  /** Another call after this one is unlikely: what ends here is not kept for it. */
  once?: boolean;
  /** Gets what a try is billed that fails after its reply has begun (USD). */
  onLost?: (cost_usd: number) => void;
  signal: AbortSignal;
}

export type Usage = Spent['usage'];

/** A reply as it comes. Nothing in it is more than the reply says in the end. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  /** A piece of a call's input as JSON; `name` as the provider knows the tool. */
  | { type: 'tool_input'; id: string; name: string; text: string }
  | { type: 'tool_call'; id: string; name: string; input: unknown }
  /** Everything sent so far is void: the reply failed, and the call is repeated. */
  | { type: 'restart' }
  | { type: 'usage'; usage: Usage };

export interface ModelReply {
  text: string;
  tool_calls: { id: string; name: string; input: unknown }[];
  /** Text and calls in their order, with opaque parts between them; absent: the text, then the calls. */
  parts?: ReplyPart[];
  usage: Usage;
  /** USD, from the price table or as the script says. */
  cost_usd: number;
  /** Set if another model than the requested one replied: its name, and the reason as a clause. */
  instead?: { model: string; why: string };
  stop: 'end' | 'tool_calls' | 'max_output' | 'refusal';
}

/** Data of a model that a provider serves. */
export interface ServedModel {
  /** Tokens of its window; absent: no share of it is held. */
  window?: number;
}

export interface Model {
  /** `anthropic`, `openai`, `scripted`. */
  readonly provider: string;
  /** The names that programs may give besides those of the price table, where it serves others. */
  readonly models?: Readonly<Record<string, ServedModel>>;
  /** Streams events to `onEvent` while it runs. Throws ModelFailure; throws the signal's reason when aborted. */
  call(request: ModelRequest, onEvent?: (event: ModelEvent) => void): Promise<ModelReply>;
}

/**
 * `rate_limit` and `timeout` are retried (guarded-model.ts). Not retried: `quota`; `denied`, where the provider refuses the
 * key, the model or what is asked; `context`, where the prompt does not fit the model's window; `crash`, all else.
 */
export const failureClasses = ['rate_limit', 'timeout', 'quota', 'denied', 'crash', 'context'] as const;
export type FailureClass = (typeof failureClasses)[number];

export class ModelFailure extends Error {
  readonly class: FailureClass;
  readonly retry_after_ms: number | undefined;
  constructor(
    kind: FailureClass,
    message: string,
    options: { cause?: unknown; retry_after_ms?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ModelFailure';
    this.class = kind;
    this.retry_after_ms = options.retry_after_ms;
  }
}

/** Thrown instead of waiting long: the run should end here and be taken up again at `until`. */
export class ProviderWait extends Error {
  override readonly name = 'ProviderWait';
  /** Milliseconds since the epoch. */
  readonly until: number;
  override readonly cause: ModelFailure;
  constructor(until: number, cause: ModelFailure) {
    super(`the model is not to be called before ${new Date(until).toISOString()}: ${cause.message}`);
    this.cause = cause;
    this.until = until;
  }
}
