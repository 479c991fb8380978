// Brings the index of a repository up to date from what was kept of it, and keeps the result for the next run.
import { messageOf } from '@echelon/ground';
import type { RepositorySource } from '@echelon/ground/workspace';
import { type GlobalIndex, type UpdatedIndex, updateIndex } from './global-index.ts';
import { parseIndex, printIndex } from './index-text.ts';

export interface RefreshedIndex extends UpdatedIndex {
  /** Unusual and harmless events, one sentence each. */
  notes: string[];
}

/**
 * Lists the source, reads what changed since the kept index (where none is kept, since `before`), and saves when
 * anything did. A kept index that cannot
 * be used or saved costs time only, so that is a note; what `list` and `read` throw is thrown.
 */
export async function refreshIndex(
  source: RepositorySource,
  before: GlobalIndex = [],
): Promise<RefreshedIndex> {
  const notes: string[] = [];
  const kept = await source.load().catch((error: unknown) => {
    notes.push(`The kept index could not be read and is made anew: ${messageOf(error)}.`);
    return undefined;
  });
  const old = kept === undefined ? before : parseIndex(kept);
  if (old === undefined)
    notes.push('The kept index is damaged or of another version of Echelon; it is made anew.');
  const { files, isComplete } = await source.list();
  if (!isComplete)
    notes.push(
      `The index has the first ${files.length} files only; ignore generated files, or index a folder below.`,
    );
  const updated = await updateIndex(old ?? [], files, source.read);
  const text = printIndex(updated.index);
  if (text !== kept)
    await source.save(text).catch((error: unknown) => {
      notes.push(`The index could not be kept for the next run: ${messageOf(error)}.`);
    });
  return { ...updated, notes };
}
