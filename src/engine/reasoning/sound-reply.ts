// Validates a provider's report of a reply: no figures and ids that the session cannot continue with.
import { nothingSpent } from '../language/result.ts';
import type { ModelReply, ReplyPart } from '../models/model.ts';

export type SoundReply = ModelReply & { parts: ReplyPart[] };

/**
 * The reply without its usage, where one of the counts is no number of at least 0 (tokens are estimated then), and
 * with ids of calls that are given twice made different: each result has to say which call it answers. Its parts are
 * the given ones where they say the same as text and calls, else text and calls.
 */
export function sound(reply: ModelReply): SoundReply {
  const counts = Object.values<number>({ ...reply.usage });
  const usage = counts.every(count => Number.isFinite(count) && count >= 0)
    ? reply.usage
    : nothingSpent.usage;
  const ids = new Set(reply.tool_calls.map(({ id }) => id));
  if (ids.size === reply.tool_calls.length) return { ...reply, usage, parts: partsOf(reply) };
  const seen = new Set<string>();
  const tool_calls = reply.tool_calls.map(call => {
    let id = call.id;
    for (let n = 2; seen.has(id) || (id !== call.id && ids.has(id)); n++) id = `${call.id}-${n}`;
    seen.add(id);
    return { ...call, id };
  });
  const renamed = { ...reply, usage, tool_calls };
  return { ...renamed, parts: partsOf(renamed) };
}

function partsOf({ text, tool_calls, parts = [] }: ModelReply): ReplyPart[] {
  const said = parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('');
  const calls = parts.flatMap(part => (part.type === 'tool_call' ? [part.id] : []));
  if (said === text && calls.join('\n') === tool_calls.map(({ id }) => id).join('\n')) return parts;
  return [
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...tool_calls.map(call => ({ type: 'tool_call', ...call }) as const),
  ];
}
