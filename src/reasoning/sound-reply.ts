// What a provider reports of a reply, without figures and ids that the session cannot go on with.
import type { ModelReply, Usage } from '../models/model.ts';

/**
 * The reply without its usage, where one of the counts is no number of at least 0 (tokens are estimated then), and
 * with ids of calls that are given twice made different: each result has to say which call it answers.
 */
export function sound(reply: ModelReply): ModelReply {
  const counts = Object.values<number>({ ...reply.usage });
  const usage = counts.every(count => Number.isFinite(count) && count >= 0) ? reply.usage : uncounted;
  const ids = new Set(reply.tool_calls.map(({ id }) => id));
  if (ids.size === reply.tool_calls.length) return { ...reply, usage };
  const seen = new Set<string>();
  const tool_calls = reply.tool_calls.map(call => {
    let id = call.id;
    for (let n = 2; seen.has(id) || (id !== call.id && ids.has(id)); n++) id = `${call.id}-${n}`;
    seen.add(id);
    return { ...call, id };
  });
  return { ...reply, usage, tool_calls };
}

const uncounted: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
};
