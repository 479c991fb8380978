// A run that its model's provider keeps waiting: the wait stands in the record, so that another process keeps it too.
import { z } from 'zod';
import { waitForProvider, type RunView } from '../comments/view.ts';
import type { Entry } from '../../journal/journal.ts';
import type { RunJournal } from './run-journal.ts';

const key = (until: number) => `wait/provider-${until}`;
const Wait = z.object({ until: z.number() });

/** Journals the wait, and shows it. */
export function noteProviderWait(journal: Pick<RunJournal, 'note'>, view: RunView, until: number): void {
  journal.note(key(until), { until });
  waitForProvider(view, until);
}

/** Until when the newest wait of the record is (milliseconds since the epoch); 0 where there is none. */
export function providerWaitUntil(entries: readonly Entry[]): number {
  const last = entries.findLast(entry => entry.t === 'step' && entry.key.startsWith('wait/provider-'));
  const read = Wait.safeParse(last?.t === 'step' ? last.result : undefined);
  return read.success ? read.data.until : 0;
}
