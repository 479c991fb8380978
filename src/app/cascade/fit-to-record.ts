// Fits a turn into the record: the layer's conversation, or the journal of its program.
import { type Entry, live, packedSize } from '@echelon/ground/journal';
import { type ModelMessage, readState, type SessionState } from '../../engine/models.ts';
import { type Cut, cutAnswer, CUTS, cutText, shortened, withoutContext } from '../../engine/parts.ts';

/** Characters of a conversation that the journal keeps, so that a turn fits a comment however badly it packs. */
const KEEP_CONVERSATION = 30_000;
/** Characters of the record that a turn may take. */
const MAX_PACKED = 54_000;
/** Bytes of a turn before it is packed: a segment of the record unpacks to 1 MB at most. */
const MAX_PLAIN = 200_000;

/** True if the record can take it. */
export const fits = (value: unknown): boolean =>
  Buffer.byteLength(JSON.stringify(value)) <= MAX_PLAIN && packedSize(value) <= MAX_PACKED;

/**
 * The conversation within KEEP_CONVERSATION: files that were shown with a prompt and long answers of tools go
 * first, then the end of what was said.
 */
export function keptConversation(whole: readonly ModelMessage[]): ModelMessage[] {
  const isShort = (kept: readonly ModelMessage[]) => JSON.stringify(kept).length <= KEEP_CONVERSATION;
  if (isShort(whole)) return [...whole];
  const messages = whole.map(message => ({
    ...message,
    content: message.content.map(part =>
      part.type === 'text' && message.role === 'user' ? { ...part, text: withoutContext(part.text) } : part,
    ),
  }));
  const kept = shortened(messages, isShort, cutAnswer, [...CUTS, 0]);
  if (isShort(kept)) return kept;
  return shortened(messages, isShort, cutAll, [
    Math.floor(KEEP_CONVERSATION / 2 / Math.max(1, messages.length)),
  ]);
}

/** Of calls only the names stay. */
const cutAll: Cut = (part, most, index) => {
  if (part.type === 'text') return { ...part, text: cutText(part.text, most) };
  return part.type === 'tool_call' ? { ...part, input: {} } : cutAnswer(part, 0, index);
};

/**
 * As much as the record can take of the journal of a turn that has not ended: whole; without long answers of tools;
 * without the sessions that wait beside `asks`, the one whose question is put. Undefined where all of that is too large.
 */
export function keptJournal(entries: readonly Entry[], asks?: string): Entry[] | undefined {
  const whole = live(entries);
  if (fits(whole)) return whole;
  const short = whole.map(entry =>
    entry.t === 'checkpoint'
      ? { ...entry, state: JSON.parse(JSON.stringify(keptState(readState(entry.state)))) }
      : entry,
  );
  const beside = new Set(
    whole.flatMap(entry =>
      entry.t === 'checkpoint' && entry.key !== asks && isWaiting(entry, whole) ? [entry.key] : [],
    ),
  );
  // With what was said to them: a session that begins anew asks anew.
  const isBeside = (entry: Entry) =>
    entry.t === 'checkpoint' ? beside.has(entry.key) : entry.t === 'signal' && beside.has(entry.name);
  return [short, short.filter(entry => !isBeside(entry))].find(fits);
}

function isWaiting({ key, state }: Extract<Entry, { t: 'checkpoint' }>, entries: readonly Entry[]): boolean {
  const { pending, heard = 0 } = readState(state);
  return (
    pending !== undefined && entries.filter(each => each.t === 'signal' && each.name === key).length <= heard
  );
}

/** Long answers that go with the person's, too: those of the calls beside the question. */
function keptState(state: SessionState): SessionState {
  const { pending } = state;
  if (!pending) return { ...state, messages: keptConversation(state.messages) };
  const answers: ModelMessage = { role: 'user', content: pending.parts };
  const messages = keptConversation([...state.messages, answers]);
  const parts = messages.pop()!.content;
  return { ...state, messages, pending: { ...pending, parts } };
}
