// One turn of a layer: its role program is evaluated, its reply comes back with what it cost, or the failure as a value.
import { quoteForModel } from '../comments/neutral.ts';
import { fencedOff, quoted, quotedLine } from '../language/quote.ts';
import { TaskError } from '../language/result.ts';
import { parseProgram } from '../language/program.ts';
import type { GuardedModel } from '../models/guard.ts';
import { ModelFailure, type ModelMessage, type ModelPart, type ModelRequest } from '../models/model.ts';
import type { PlayedReply } from '../models/scripted.ts';
import { type Layer, layerName } from '../lib/layers.ts';
import { packedSize } from '../record/codec.ts';
import { runSession, type SessionOutcome } from '../reasoning/session.ts';
import { evaluate } from '../tasks/evaluate.ts';
import type { CascadeContext } from './context.ts';

/** A turn that ended well. Journalled: the conversation is what the layer is resumed with. */
export type Turn = {
  ok: true;
  text: string;
  model: string;
  /** Model calls. */
  turns: number;
  cost_usd: number;
  ms: number;
  played: PlayedReply[];
  messages: ModelMessage[];
};

export type FailedTurn = {
  ok: false;
  class: string;
  message: string;
  cost_usd: number;
  ms: number;
  played: PlayedReply[];
};

/** The run's model with its retries and breaker, shared by all turns of one process. */
export interface OpenedModel {
  guard: GuardedModel;
  used(): PlayedReply[];
}

/** Characters of a conversation that the journal keeps, so that a turn fits a comment however badly it packs. */
const KEEP_CONVERSATION = 30_000;
/** Characters of the record that a turn may take. */
const MAX_PACKED = 54_000;

/** Asks the layer. Throws ParkRun when the provider wants a long wait, and the signal's reason when aborted. */
export async function takeTurn(
  ctx: CascadeContext,
  layer: Layer,
  turn: {
    key: string;
    model: OpenedModel;
    replies: readonly { layer: Layer['id']; text: string }[];
    /** What the layer is told in its own conversation instead of its inputs. */
    said: string | undefined;
    before: Turn | undefined;
  },
): Promise<Turn | FailedTurn> {
  const began = ctx.clock.now();
  const { guard, used } = turn.model;
  const playedBefore = used().length;
  const model = ctx.modelOf(layer.id);
  const spent = { cost_usd: 0 };
  const fail = (kind: string, message: string): FailedTurn => ({
    ok: false,
    class: kind,
    message,
    cost_usd: spent.cost_usd,
    ms: ctx.clock.now() - began,
    played: used().slice(playedBefore),
  });
  const { program, problems } = parseProgram(ctx.roles[layer.id], `roles/${layer.id}.xml`);
  if (!program) {
    const first = problems[0];
    return fail('crash', `roles/${layer.id}.xml:${first?.line}:${first?.column} ${first?.message}`);
  }
  const { tools, files } = await ctx.repository();
  const surroundings = {
    // A time-out for each call, so that one that hangs is tried again within the turn.
    model: {
      provider: guard.provider,
      call: (request: ModelRequest) => guard.call({ ...request, timeout_ms: ctx.limits.layerMs }),
    },
    clock: ctx.clock,
  };
  let stop: SessionOutcome['stop'] | undefined;
  try {
    const result = await evaluate(
      program,
      roleInputs(ctx, files, turn.replies, turn.before?.messages.length ? undefined : turn.said),
      {
        session: async request => {
          const session = await runSession(request, surroundings);
          stop = session.stop;
          return session;
        },
        tools: [...tools],
        settings: {},
        models: name => name ?? model,
        key: turn.key,
        scope: 'layers',
        turns: () => ctx.limits.turns[layer.id],
        // A call has its own time-out; the turn as a whole is held by the cascade's clock.
        timeMs: () => ctx.limits.cascadeMs,
        ...(turn.before?.messages.length && { history: turn.before.messages, prompt: turn.said ?? '' }),
        clock: ctx.clock,
        signal: ctx.abort,
      },
    );
    spent.cost_usd = result.notes.cost_usd;
    const who = layerName(layer.id);
    if (stop === 'max_output') return fail('crash', `the ${who}'s reply was cut off by the output limit`);
    if (result.content.trim() === '') return fail('crash', `the ${who}'s reply is empty`);
    const text = result.content;
    const messages = shortened(result.messages);
    const kept = packedSize({ text, messages }) <= MAX_PACKED ? messages : [];
    if (packedSize(text) > MAX_PACKED)
      return fail('crash', `the ${who}'s reply is too long for the record; ask for less at a time`);
    return {
      ok: true,
      text,
      model,
      turns: result.notes.turns,
      cost_usd: result.notes.cost_usd,
      ms: ctx.clock.now() - began,
      played: used().slice(playedBefore),
      messages: kept,
    };
  } catch (error) {
    ctx.abort.throwIfAborted();
    if (!(error instanceof TaskError)) throw error;
    spent.cost_usd = error.notes.cost_usd;
    return fail(error.cause instanceof ModelFailure ? error.cause.class : error.code, error.message);
  }
}

/** What a role program may bind. Text by others is cleaned of what people cannot see. */
function roleInputs(
  ctx: CascadeContext,
  files: readonly string[],
  replies: readonly { layer: Layer['id']; text: string }[],
  /** What the layer is told, where its conversation was too long to be kept. */
  said: string | undefined,
): Record<string, string> {
  const body = quoteForModel(ctx.directive.body);
  const note = body.stripped > 0 ? `\n(${body.stripped} invisible or hidden characters were left out.)` : '';
  return {
    title: quotedLine(quoteForModel(ctx.directive.title).text),
    directive: quoted(body.text) + note,
    files: fencedOff(index(files)),
    earlier:
      [
        ...replies.map(({ layer, text }) => `## ${layerName(layer)}\n${quoted(text)}`),
        ...(said ? [said] : []),
      ].join('\n\n') || '(none)',
  };
}

/** Paths that a prompt shows at most; a layer lists the rest with its tools. */
const MAX_PATHS = 300;

function index(files: readonly string[]): string {
  const shown = files.slice(0, MAX_PATHS).join('\n');
  return files.length > MAX_PATHS
    ? `${shown}\n(and ${files.length - MAX_PATHS} more; use list_files)`
    : shown;
}

/** The conversation within KEEP_CONVERSATION: long answers of tools go first, then the end of what was asked. */
function shortened(messages: readonly ModelMessage[]): ModelMessage[] {
  for (const most of [6000, 1500, 300, 0]) {
    const kept = messages.map(({ role, content }) => ({
      role,
      content: content.map(part => cut(part, most)),
    }));
    if (JSON.stringify(kept).length <= KEEP_CONVERSATION) return kept;
  }
  const most = Math.floor(KEEP_CONVERSATION / 2 / Math.max(1, messages.length));
  return messages.map(({ role, content }) => ({
    role,
    content: content.map(part =>
      part.type === 'text'
        ? { ...part, text: short(part.text, most) }
        : part.type === 'tool_call'
          ? { ...part, input: {} }
          : cut(part, 0),
    ),
  }));
}

const cut = (part: ModelPart, most: number): ModelPart =>
  part.type === 'tool_result' ? { ...part, content: short(part.content, most) } : part;

const short = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}\n(cut)` : text);
