// Shows one vault entry to the model.
import { lastResultId, type Stores, UNDEFINED } from '../stores.ts';
import { type Applied, notFound } from './change.ts';
import { vaultKind } from './kinds.ts';
import { TEXT_BYTES } from '../../sandbox/entries.ts';

/** Characters of an entry that are shown when a read names no limit. */
export const READ_CHARS = 2_000;

/**
 * The answer is a line about the entry and its content, cut to `limit` characters (`full-length`: to as many as an
 * entry may have bytes). The id `last_execution_result` reads `lastResult`.
 */
export function read(
  stores: Stores,
  id: string,
  limit: number | 'full-length',
  lastResult: string | undefined,
): Applied {
  const entry =
    id === lastResultId
      ? lastResult !== undefined && {
          type: lastResult === UNDEFINED ? 'text' : 'data',
          description: 'what the last execution returned',
          content: lastResult,
        }
      : stores.vault.find(each => each.id === id);
  if (!entry) {
    const none = id === lastResultId ? `${id}: no execution has returned anything yet` : undefined;
    return { error: none ?? notFound(vaultKind, stores, id, [lastResultId]), missing: id };
  }
  const { type, description, content } = entry;
  const shown = beginning(content, limit === 'full-length' ? TEXT_BYTES : Math.min(limit, TEXT_BYTES));
  const isCut = shown.length < content.length;
  const more = limit === 'full-length' || limit >= TEXT_BYTES ? '' : ', limit "full-length" shows all';
  const extent = isCut
    ? `the first ${shown.length} of ${content.length} characters${more}`
    : `${content.length} characters`;
  const about = description === '' ? '' : `: ${description}`;
  return { stores, answer: `vault entry "${id}" (${type}, ${extent})${about}\n${shown}` };
}

/** Ends before a pair of surrogates that would be cut in two. */
function beginning(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const isHalf = length < text.length && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? length - 1 : length);
}
