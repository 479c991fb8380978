// Thinking blocks that Anthropic's Messages API refuses, by its published rules, for the local servers that stand in
// for it.
// https://platform.claude.com/docs/en/build-with-claude/extended-thinking
import { canonical } from '../../../packages/ground/lib/json.ts';

export type Block = { type: string } & Record<string, unknown>;

export interface Spoken {
  model: string;
  messages: { role: string; content: Block[] }[];
}
/** A turn that the server gave: for which model, after which messages. */
export type Given = Spoken & { content: Block[] };

/**
 * Reason to refuse a request: a turn of the present tool loop comes back without the thinking of this model, or with
 * changed or moved thinking, or a turn has thinking that this model did not write.
 */
export function thinkingFault({ model, messages }: Spoken, given: readonly Given[]): string | undefined {
  for (const [at, { role, content }] of messages.entries()) {
    if (role !== 'assistant') continue;
    // A turn without calls is known by its thinking alone: it is no part of a loop, and may come back without it.
    const known = callsIn(content) === '[]' ? outline : callsIn;
    const turn = given.find(each => known(each.content) === known(content));
    const belongs = turn?.model === model && plain(turn.messages) === plain(messages.slice(0, at));
    if (content.some(isThinking) && !belongs)
      return `messages.${at}: thinking blocks of another model or of another conversation`;
    if (turn && belongs && outline(content) !== outline(turn.content))
      return `messages.${at}: thinking blocks in a tool loop are missing, changed or moved`;
  }
  return undefined;
}

export const isThinking = ({ type }: Block) => type === 'thinking' || type === 'redacted_thinking';
const callsIn = (content: Block[]) =>
  JSON.stringify(content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])));
/** Breakpoints of the cache move from call to call; the order of members means nothing. */
const plain = (messages: Spoken['messages']) =>
  canonical(
    messages.map(({ role, content }) => [role, content.map(({ cache_control: _, ...each }) => each)]),
  );
/** Thinking whole, of everything else only what it is. */
const outline = (content: Block[]) =>
  plain([{ role: '', content: content.map(each => (isThinking(each) ? each : { type: each.type })) }]);
