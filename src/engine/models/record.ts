// Recording: what any model answered, written as a script that the scripted model can play.
import { type Model, ModelFailure, type ModelRequest } from './model.ts';
import type { Script, ScriptReply } from './script.ts';

/** A reply or failure, with what the script needs to tell whose it is. */
export interface Recorded {
  scope: string;
  /** Identifies this scope: the changing part of the system text and the first message. */
  opening: string;
  reply: ScriptReply;
}

/**
 * `model`, with each of its replies and failures handed to `write` before its caller gets them; what that throws is told
 * to the caller. Calls ended by the caller's signal are not recorded. Stands inside the resilient model, so that failures that
 * were retried are part of the recording.
 */
export function recording(model: Model, write: (recorded: Recorded) => void | Promise<void>): Model {
  const keep = async ({ scope, system, messages }: ModelRequest, reply: ScriptReply): Promise<void> => {
    const first = messages[0]?.content.flatMap(part => (part.type === 'text' ? [part.text] : [])) ?? [];
    await write({ scope, opening: [system.changing, ...first].join('\n'), reply });
  };
  return {
    provider: model.provider,
    ...(model.models && { models: model.models }),
    async call(request, onEvent) {
      try {
        const reply = await model.call(request, onEvent);
        await keep(request, {
          for: request.task,
          ...(reply.text === '' && reply.tool_calls.length > 0 ? {} : { text: reply.text }),
          ...(reply.tool_calls.length === 0
            ? {}
            : {
                // Values that JSON lacks are dropped, as they would be in the file.
                tool_calls: reply.tool_calls.map(({ name, input }) => ({
                  name,
                  input: JSON.parse(JSON.stringify(input) ?? 'null'),
                })),
              }),
          ...((reply.stop === 'max_output' || reply.stop === 'refusal') && { stop: reply.stop }),
          usage: { ...reply.usage, cost_usd: reply.cost_usd },
        });
        return reply;
      } catch (error) {
        if (error instanceof ModelFailure && !request.signal.aborted) {
          const after = error.retry_after_ms;
          await keep(request, {
            for: request.task,
            error: { type: error.class, ...(after === undefined ? {} : { retry_after: after / 1000 }) },
          });
        }
        throw error;
      }
    },
  };
}

/**
 * Every scope starts with the whole script, so a reply for a task that several scopes had gets a `when`: the first
 * line of its own request that the fewest other scopes have.
 */
export function toScript(all: readonly Recorded[]): Script {
  const openings = new Map<string, Map<string, string>>();
  for (const { scope, opening, reply } of all) {
    const ofTask = openings.get(reply.for) ?? new Map<string, string>();
    if (!ofTask.has(scope)) openings.set(reply.for, ofTask.set(scope, opening));
  }
  const telling = new Map<string, string | undefined>();
  const whenOf = (scope: string, opening: string, task: string) => {
    const others = [...(openings.get(task) ?? [])].flatMap(([name, text]) => (name === scope ? [] : [text]));
    return others.length === 0 ? undefined : tellingLine(opening, others);
  };
  const replies = all.map(({ scope, opening, reply }) => {
    const key = JSON.stringify([scope, reply.for, opening]);
    if (!telling.has(key)) telling.set(key, whenOf(scope, opening, reply.for));
    const when = telling.get(key);
    return when === undefined ? reply : { ...reply, when };
  });
  return { version: 1, replies };
}

/** Lines that are looked at: what all scopes are told alike stands first, and may be long. */
const MOST_LINES = 5000;

/** The first of the lines that the fewest of `others` contain; undefined when each line is in all of them. */
function tellingLine(text: string, others: readonly string[]): string | undefined {
  // Most lines are told to all: those need not be sought.
  const told = others.map(other => ({ other, lines: new Set(linesOf(other)) }));
  let best: { line: string; shared: number } | undefined;
  for (const line of linesOf(text)) {
    if (line.length < 8 || line.length > 300) continue;
    const shared = told.filter(({ other, lines }) => lines.has(line) || other.includes(line)).length;
    if (shared < (best?.shared ?? others.length)) best = { line, shared };
    if (shared === 0) break;
  }
  return best?.line;
}

const linesOf = (text: string) => text.split('\n', MOST_LINES).map(line => line.trim());
