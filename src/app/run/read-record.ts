// The record of an issue's newest run.
import type { Thread } from '../github/thread.ts';
import { runInComments } from './read-comments.ts';
import type { Loaded, RecordAccess } from './run-store.ts';

/** Reads nothing but the thread, unless a comment of the bot's was edited. `looks`: edited comments are not put back. */
export async function loadRun(
  thread: Thread,
  access: RecordAccess,
  { looks = false }: { looks?: boolean } = {},
): Promise<Loaded> {
  const found = await runInComments(thread, access);
  if (found.kind !== 'run') return found;
  return (looks ? undefined : await found.mend()) ?? { kind: 'run', store: found.store };
}
