// The scripted model: plays the replies of a script, for the demo, tests and try-out.
import { createHash } from 'node:crypto';
import type { Clock } from '@echelon/ground';
import { type Model, ModelFailure, partText, type ModelRequest, type Usage } from './model.ts';
import type { Script, ScriptReply } from './script.ts';

/** One reply that was played: the request's scope and key, and the reply's place in the script, from 0. */
export interface PlayedReply {
  scope: string;
  key: string;
  index: number;
}

export interface ScriptedModel extends Model {
  /** Everything played so far, in order; hand it to the next process so that it goes on from here. */
  used(): PlayedReply[];
}

/**
 * Reply to a task of the language's own that no reply of the script is for: a script has to know the tasks of
 * its program only. Matching and recovery do without an answer by themselves.
 */
const defaultReplies: ReadonlyMap<string, ScriptReply> = new Map([
  ['associative_memory', { for: 'associative_memory', text: '{"matches": []}' }],
]);

/**
 * A model that plays `script`. The first reply in file order that fits and is not used up in the request's scope
 * is played; the same key in the same scope gets the same reply again, except that a played error is used up and
 * the next try of the same request gets the next reply. Where none is for the task `associative_memory` at all, that
 * task chooses no file.
 * `played`: what an earlier process played. Throws RangeError when it names a reply that the script lacks.
 */
export function scriptedModel(
  script: Script,
  { clock, played = [] }: { clock: Clock; played?: readonly PlayedReply[] },
): ScriptedModel {
  const log: PlayedReply[] = [];
  const settled = new Map<string, number>();
  const plays = new Map<string, number>();

  const play = (entry: PlayedReply): ScriptReply => {
    const reply = script.replies[entry.index];
    if (reply === undefined)
      throw new RangeError(
        `reply ${entry.index} was played before, but the script has only ${script.replies.length}: it was changed since; start a new run`,
      );
    const count = counter(entry.scope, entry.index);
    log.push(entry);
    plays.set(count, (plays.get(count) ?? 0) + 1);
    if (reply.error === undefined) settled.set(identity(entry), entry.index);
    return reply;
  };
  for (const entry of played) play(entry);

  const choose = (request: ModelRequest): ScriptReply => {
    const again = script.replies[settled.get(identity(request)) ?? -1];
    if (again !== undefined) return again;
    const pieces = textsOf(request);
    const isLeft = (reply: ScriptReply, at: number) =>
      (plays.get(counter(request.scope, at)) ?? 0) < (reply.times ?? 1);
    const index = script.replies.findIndex(
      (reply, at) => isLeft(reply, at) && fits(reply, request.task, pieces),
    );
    if (index < 0) {
      const known = defaultReplies.get(request.task);
      if (known && !script.replies.some(reply => isFor(reply, request.task))) return known;
      throw noFit(script, request);
    }
    return play({ scope: request.scope, key: request.key, index });
  };

  return {
    provider: 'scripted',
    used: () => log.map(entry => ({ ...entry })),
    async call(request, onEvent) {
      request.signal.throwIfAborted();
      const reply = choose(request);
      const { text = '', delay_ms = 0 } = reply;
      // A few words at a time.
      const pieces = text.match(/(?:\S+\s*){1,4}|\s+/g) ?? [];
      const pauses = Math.max(1, Math.min(pieces.length, Math.floor(delay_ms / SHORTEST_PAUSE_MS)));
      const each = Math.max(1, Math.ceil(pieces.length / pauses));
      for (let at = 0; at < Math.max(1, pieces.length); at += each) {
        if (delay_ms > 0) await clock.sleep(delay_ms / pauses, request.signal);
        for (const piece of pieces.slice(at, at + each)) onEvent?.({ type: 'text', text: piece });
      }
      if (reply.error !== undefined) {
        const { type, retry_after } = reply.error;
        throw new ModelFailure(type, `the script answers ${request.task} with a failure of class ${type}`, {
          ...(retry_after === undefined ? {} : { retry_after_ms: retry_after * 1000 }),
        });
      }
      // Stable for the same request, different between requests, in the characters that every provider accepts.
      const id = createHash('sha256').update(identity(request)).digest('hex').slice(0, 16);
      const calls = (reply.tool_calls ?? []).map((call, at) => ({ id: `call_${id}_${at}`, ...call }));
      for (const call of calls) {
        const { id, name, input } = call;
        onEvent?.({ type: 'tool_input', id, name, text: JSON.stringify(input) });
        onEvent?.({ type: 'tool_call', ...call });
      }
      const { cost_usd = 0, ...usage } = reply.usage ?? estimate(request, text, calls);
      onEvent?.({ type: 'usage', usage });
      // A reply is cut off when the script itself says that it used up the limit, never by an estimate.
      const cut = reply.usage !== undefined && usage.output_tokens >= request.max_output_tokens;
      const stop = reply.stop ?? (cut ? 'max_output' : calls.length > 0 ? 'tool_calls' : 'end');
      return { text, tool_calls: calls, usage, cost_usd, stop };
    },
  };
}

/** A reply that takes its time is streamed with pauses of at least this (milliseconds). */
const SHORTEST_PAUSE_MS = 20;

/** True if it is for the task, and a piece of the request contains its `when`. */
const fits = (reply: ScriptReply, task: string, pieces: readonly string[]): boolean =>
  isFor(reply, task) && (reply.when === undefined || pieces.some(piece => piece.includes(reply.when ?? '')));

const identity = ({ scope, key }: { scope: string; key: string }) => JSON.stringify([scope, key]);
const counter = (scope: string, index: number) => JSON.stringify([scope, index]);

/** About four characters a token: the rule of thumb for English text. */
function estimate(request: ModelRequest, text: string, calls: unknown[]): Usage & { cost_usd?: number } {
  const length = textsOf(request).reduce((sum, piece) => sum + piece.length, 0);
  const answer = text.length + (calls.length > 0 ? JSON.stringify(calls).length : 0);
  return {
    input_tokens: Math.ceil(length / 4),
    output_tokens: Math.ceil(answer / 4),
    cache_read_tokens: 0,
    cache_write_tokens: 0,
  };
}

function isFor(reply: ScriptReply, task: string): boolean {
  const pattern = reply.for.split('*').map(part => part.replace(/[^\w]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`, 's').test(task);
}

function textsOf(request: ModelRequest): string[] {
  const parts = request.messages.flatMap(message => message.content.map(partText));
  return [request.system.stable, request.system.changing, ...parts];
}

function noFit(script: Script, request: ModelRequest): ModelFailure {
  const named = script.replies.filter(reply => isFor(reply, request.task)).length;
  const why =
    named === 0
      ? 'none is for this task'
      : `${named} for this task: used up in ${request.scope}, or "when" is not in the request`;
  const start = oneLine(request.messages.at(-1)?.content.map(partText).join(' ') ?? '');
  const message = `no reply of the script fits ${request.task} (${why}); the last message begins: ${start}`;
  return new ModelFailure('crash', message);
}

function oneLine(text: string): string {
  const line = text
    .slice(0, 1000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
