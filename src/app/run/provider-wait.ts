// A run that its model's provider keeps waiting: the wait stands in the record, so that another process keeps it too.
import { z } from 'zod';
import { HOUR_MS } from '@echelon/ground';
import type { Entry } from '@echelon/ground/journal';
import { waitsForProvider } from '../comments/fold.ts';
import type { ActiveRun } from './active-run.ts';

const Wait = z.object({ until: z.number() });

/** Journals the wait, and shows it. */
export function noteProviderWait(
  { journal, emit }: Pick<ActiveRun, 'journal' | 'emit'>,
  until: number,
): void {
  journal.note(`wait/provider-${until}`, { until });
  emit(waitsForProvider(until));
}

/** All waits of the record (milliseconds since the epoch). */
export const providerWaits = (entries: readonly Entry[]): { from: number; to: number; why: string }[] =>
  entries.flatMap(entry => {
    if (entry.t !== 'step' || !entry.key.startsWith('wait/provider-')) return [];
    const read = Wait.safeParse(entry.result);
    return read.success
      ? [{ from: entry.at, to: read.data.until, why: "the model's provider asked to wait" }]
      : [];
  });

/** Until when the newest wait of the record is (milliseconds since the epoch); 0 where there is none. */
export const providerWaitUntil = (entries: readonly Entry[]): number =>
  providerWaits(entries).at(-1)?.to ?? 0;

/**
 * Until when a wait that the record tells of is to be kept, beyond what is `known`. Instead of one of more than an hour the
 * provider is asked again.
 */
export function waitToKeep(entries: readonly Entry[], now: number, known = now): number | undefined {
  const until = providerWaitUntil(entries);
  return until <= known || until > now + HOUR_MS ? undefined : until;
}
