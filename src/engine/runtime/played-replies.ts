// Replies that a script has played, kept in the program's journal, so that another process can continue.
import { z } from 'zod';
import type { Clock } from '@echelon/ground';
import type { Entry, Store } from '@echelon/ground/journal';
import type { PlayedReply } from '../models/scripted.ts';

/** Key of the checkpoint; no step has it. */
const PLAYED = 'played';
const Played = z.array(z.object({ scope: z.string(), key: z.string(), index: z.int().min(0) }));

export const isPlayed = (entry: Entry): boolean => entry.t === 'checkpoint' && entry.key === PLAYED;

export type PlayedReplies = ReturnType<typeof playedReplies>;

export function playedReplies(store: Store, clock: Pick<Clock, 'now'>) {
  const last = store.entries.findLast(isPlayed);
  const before = (last?.t === 'checkpoint' ? Played.safeParse(last.state).data : undefined) ?? [];
  let used: () => readonly PlayedReply[] = () => before;
  let kept = before.length;
  return {
    /** By earlier processes; empty where none is known. */
    before,
    /** Says what has been played so far, what `before` says included. */
    watch(how: () => readonly PlayedReply[]): void {
      used = how;
    },
    /** Appends to the store, with what has been played since. */
    async append(entries: readonly Entry[]): Promise<void> {
      const played = used().map(each => ({ ...each }));
      const more: Entry[] =
        played.length > kept ? [{ t: 'checkpoint', key: PLAYED, state: played, at: clock.now() }] : [];
      await store.append([...entries, ...more]);
      kept = played.length;
    },
  };
}
