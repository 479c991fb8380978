// State of a run by its record, read only.
import { messageOf } from '@echelon/ground';
import { type SignalEntry, Waiting } from '@echelon/ground/journal';
import { changingRow, takeEffect } from '../commands/table.ts';
import { standsStill } from '../comments/replies.ts';
import { fold, noted, saved, type Shown, waitsForProvider } from '../comments/fold.ts';
import type { RunView } from '../comments/view.ts';
import type { RunStore } from './comment-store.ts';
import type { RunEvent } from '../run-events.ts';
import { activeRun, type RepositoryAccess } from './active-run.ts';
import { readValue, runJournal, UnreadableEntry } from './run-journal.ts';
import { providerWaitUntil } from './provider-wait.ts';
import { program } from './program.ts';
import { firstView, Start } from './run-start.ts';

const ended: ReadonlySet<RunView['status']> = new Set(['completed', 'failed', 'cancelled']);
export const isEnded = ({ status }: RunView): boolean => ended.has(status);

/** True if the run has ended: it waits for nothing, or only for a command that resumes it. */
export const isOver = (view: RunView, waitingFor: readonly string[]): boolean =>
  waitingFor.length === 0 || view.phase === 'done';

/** Effect of a command that a waiting run does not expect; undefined: none. */
export function meanwhile(signal: SignalEntry, run: Shown, waitingFor: readonly string[]) {
  const row = isOver(run.view, waitingFor) ? undefined : changingRow(signal.name);
  if (!row?.effect) return undefined;
  const why = takeEffect(run, { name: row.name, value: readValue(signal, row.name) });
  return { followed: why === undefined, why };
}

/** Throws UnreadableEntry. */
export const startOf = ({ entries }: Pick<RunStore, 'entries'>): Start => {
  const first = entries.find(entry => entry.t === 'step' && entry.key === 'start');
  if (first?.t !== 'step') throw new Error('the record does not begin with the start of the run');
  const read = Start.safeParse(first.result);
  if (!read.success) throw new UnreadableEntry('a start that cannot be read', read.error);
  return read.data;
};

/** Commands of comments younger than this one are the run's. A run of an older version does not say. */
export const sinceOf = (store: RunStore, { since } = startOf(store)): number =>
  since ?? store.comment ?? Number.MAX_SAFE_INTEGER;

export async function eventsSoFar(store: RunStore, access: RepositoryAccess): Promise<number> {
  let count = 0;
  await inspectRun(store, access, () => {
    count += 1;
  });
  return count;
}

/**
 * State of a run by its journal, without side effects; if its program fails, the state up to there. `onEvent` receives
 * all events, with the time of the newest entry by then (milliseconds since the epoch).
 */
export async function inspectRun(
  store: RunStore,
  access: RepositoryAccess,
  onEvent: (event: RunEvent, at: number) => void = () => {},
): Promise<RunView> {
  const start = startOf(store);
  const { identity, entries } = store;
  const began = entries.find(entry => entry.t === 'step');
  const view = firstView(identity.run, identity.issue, start, began?.at ?? 0);
  const nothing = async () => {};
  const journal = runJournal({
    identity,
    entries,
    readOnly: true,
    write: nothing,
    async misfit(signal, waitingFor) {
      meanwhile(signal, { view, emit: event => fold(view, event) }, waitingFor);
    },
    clock: access.clock,
    signal: new AbortController().signal,
  });
  try {
    const abort = new AbortController().signal;
    const { github } = access;
    const tell = (event: RunEvent) => onEvent(event, journal.at());
    const jobs = access.jobsOf({ directive: identity.issue, execution: start.config.execution });
    await program(activeRun({ start, access, jobs, github, journal, view, tell, arrived: [], abort }));
  } catch (error) {
    if (!(error instanceof Waiting)) fold(view, noted(standsStill(access.mask(messageOf(error)))));
  }
  const until = providerWaitUntil(entries);
  if (view.status === 'running' && until > access.clock.now()) fold(view, waitsForProvider(until));
  fold(view, saved(view, journal.at()));
  return view;
}
