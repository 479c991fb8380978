// Brings one run as far as it can go now: load its record, take in what came, replay the program and go on.
import { ofJobs } from '@echelon/ground';
import { type Entry, runId, type SignalEntry, Waiting } from '@echelon/ground/journal';
import { changingRow } from '../commands/table.ts';
import { troubleNotice } from '../comments/board.ts';
import { runIsOver, runWaitsFor } from '../comments/replies.ts';
import { ProviderWait } from '../../engine/models.ts';
import { RateLimited } from '../github/octokit.ts';
import { sayOnce } from '../github/once.ts';
import { type Thread, threadUnlessGone } from '../github/thread.ts';
import type { RunEvent } from '../run-events.ts';
import { saved } from '../comments/fold.ts';
import type { RunView } from '../comments/view.ts';
import { type ActiveRun, activeRun, type RepositoryAccess } from './active-run.ts';
import { newRunStore, type RunStore } from './comment-store.ts';
import { loadRun } from './read-record.ts';
import { bounded, readOrigin, readValue, runJournal } from './run-journal.ts';
import { commandSignals, type Delivery, jobSignals, lastBefore } from './receive-signals.ts';
import { goneFact, observe, placeFact } from './observe.ts';
import { noteProviderWait, waitToKeep } from './provider-wait.ts';
import { eventsSoFar, isEnded, isOver, meanwhile, inspectRun, sinceOf, startOf } from './inspect-run.ts';
import { drawn, drawnMeanwhile, drawnWhileThinking, oneWriteAtATime } from './draw.ts';
import { program } from './program.ts';
import { firstView, type Start } from './run-start.ts';

export interface AdvanceOptions {
  /** A run is wanted. Nothing comes of it where one goes on, or where this trigger began one before. */
  begin?: Begin | undefined;
  /** Sub-issues and pull requests of the run on which something was said. */
  heard?: readonly number[];
  abort: AbortSignal;
  /** It is to stop before its next step. */
  yielding: AbortSignal;
  emit(event: RunEvent): void;
}

export interface Begin {
  /** Id and time (milliseconds since the epoch) of the event that put the label on. */
  trigger: number;
  at: number;
  /** Undefined: it said on the issue why there is no run. */
  prepare(thread: Thread): Promise<Omit<Start, 'since'> | undefined>;
}

/**
 * Brings a run as far as it can go now; one call at a time for an issue: takes in commands before anything else, replays
 * until nothing new is to be taken in, then saves. Answers how the run stands, undefined where there is none. Throws what
 * stopped it: RateLimited, ProviderWait, the abort's reason, or an error of the program.
 */
export async function advanceRun(
  issue: number,
  access: RepositoryAccess,
  { begin, heard = [], ...options }: AdvanceOptions,
): Promise<RunView | undefined> {
  const thread = await access.github.thread(issue);
  const opened = await openRun(thread, access, begin);
  if (!opened) return undefined;
  const { start } = opened;
  const store = oneWriteAtATime(opened.store);
  const jobs = access.jobsOf({ directive: issue, execution: start.config.execution });
  // A new process tells nothing of what the journal had before it.
  if (!access.told.has(store.identity.run))
    access.told.set(store.identity.run, store.entries.length > 0 ? await eventsSoFar(store, access) : 0);
  await keepWait(store, access);
  let entries: readonly Entry[] = [...store.entries, ...unsavedOf(store, access)];
  let written = store.entries.length;
  const known = new Set(entries.map(entry => entry.t === 'signal' && entry.id));
  // Comments were read once; what is written meanwhile comes with an event of its own.
  const { parts, gone } = await partsOf(access, heard);
  const isKnown = (id: string) => known.has(id);
  const said = { directive: thread, parts };
  const arrived = await commandSignals(said, sinceOf(store, start), access.github, isKnown);
  arrived.push(...gone.map(goneFact));
  for (const part of [thread, ...parts])
    arrived.push(...(await observe(part, thread, access.github, isKnown)));
  for (;;) {
    const run = replayed(store, { entries, written }, { start, access, jobs, arrived, ...options });
    access.unsaved.delete(store.identity.run);
    try {
      const wait = await drawnMeanwhile(
        store,
        () => drawnWhileThinking(run),
        () => program(run),
      ).catch(error => waitOf(error, run, store));
      const view = await settled(run, store, wait);
      if (view) return view;
    } catch (error) {
      keepUnsaved(error, run, store);
      throw error;
    }
    ({ entries } = run.journal);
    written = run.journal.written();
  }
}

/** Those that are there, and the numbers of those that were deleted. */
async function partsOf({ github }: RepositoryAccess, numbers: readonly number[]) {
  const parts: Thread[] = [];
  const gone: number[] = [];
  for (const number of numbers) {
    const part = await threadUnlessGone(github, number);
    if (part) parts.push(part);
    else gone.push(number);
  }
  return { parts, gone };
}

/** The run that goes on, or the one that begins; undefined: none. */
async function openRun(
  thread: Thread,
  access: RepositoryAccess,
  begin: Begin | undefined,
): Promise<{ store: RunStore; start: Start } | undefined> {
  const loaded = await loadRun(thread, access);
  if (loaded.kind === 'trouble') {
    const key = `trouble/${loaded.comment}/${loaded.message}`;
    const said = await sayOnce(access.github, thread, { key, body: troubleNotice(loaded.message) });
    // A person who has read the notice begins anew by putting the label on again.
    if (said.at === undefined || !begin || begin.at < said.at) return undefined;
  }
  if (loaded.kind === 'run') {
    const { store } = loaded;
    const start = startOf(store);
    const over = begin && begin.trigger !== start.trigger && isEnded(await inspectRun(store, access));
    if (!over) return { store, start };
  }
  const prepared = await begin?.prepare(thread);
  if (!begin || !prepared) return undefined;
  const before = loaded.kind === 'run' ? loaded.store.entries : [];
  const start = { ...prepared, since: lastBefore(thread, begin.at, before) };
  const where = { repository: access.github.id, issue: thread.number };
  const run = runId(where, start.trigger, access.keys);
  return { store: newRunStore(access, { ...where, run }), start };
}

/** Keeps the wait for the provider that the record tells of, for all runs: not that of a run that has ended. */
async function keepWait(store: RunStore, access: RepositoryAccess): Promise<void> {
  const until = waitToKeep(store.entries, access.clock.now(), access.provider.until(ofJobs));
  if (until !== undefined && !isEnded(await inspectRun(store, access))) access.provider.extend(until);
}

/** Nothing where the record is another one by now. */
function unsavedOf(store: RunStore, { unsaved }: RepositoryAccess): readonly Entry[] {
  const kept = unsaved.get(store.identity.run);
  return kept?.after === store.entries.length ? kept.entries : [];
}

/**
 * Keeps finished, paid work in memory, to be written once GitHub accepts writes again. A run without a record has not
 * begun and is prepared from the start.
 */
function keepUnsaved(error: unknown, { journal, access }: ActiveRun, store: RunStore): void {
  const after = store.entries.length;
  if (error instanceof RateLimited && after > 0)
    access.unsaved.set(store.identity.run, { after, entries: journal.entries.slice(journal.written()) });
}

/** The wait that the program ended in; throws what is none. */
async function waitOf(error: unknown, run: ActiveRun, store: RunStore): Promise<Waiting | ProviderWait> {
  if (error instanceof Waiting || error instanceof ProviderWait) return error;
  // Results are saved before this ends; if GitHub's limit prevents that, they are kept.
  if (!(error instanceof RateLimited)) {
    await run.journal.save();
    await store.redraw(drawn(run));
  }
  throw error;
}

/**
 * Saves what the program did, and starts the jobs that it waits for. Undefined: something came in, which the next replay
 * takes. A wait for the provider is one for something from outside: a command may come in meanwhile.
 */
async function settled(
  run: ActiveRun,
  store: RunStore,
  ended: Waiting | ProviderWait,
): Promise<RunView | undefined> {
  const { journal, view, outstanding, jobs, access } = run;
  let wait = ended instanceof ProviderWait ? ended : undefined;
  // Before a job is started, so that no job lives that the record does not know.
  await journal.save();
  const arrived: Delivery[] = await jobSignals(outstanding, jobs, access.provider).catch((error: unknown) => {
    if (!(error instanceof ProviderWait)) throw error;
    wait = error;
    return [];
  });
  if (ended instanceof Waiting && ended.names.includes('place')) arrived.push(...(await placeFact(run)));
  if (arrived.map(each => journal.deliver(each)).includes(true)) return undefined;
  await jobs.handOut?.(outstanding);
  if (wait) noteProviderWait(run, wait.until);
  await journal.save();
  run.emit(saved(view, journal.at()));
  await store.redraw(drawn(run));
  if (wait) throw wait;
  return view;
}

/** The run as a replay works it over the entries so far, of which so many are durable. */
function replayed(
  store: RunStore,
  { entries, written }: { entries: readonly Entry[]; written: number },
  pinned: Pick<ActiveRun, 'start' | 'access' | 'jobs' | 'arrived' | 'emit' | 'abort'> &
    Pick<AdvanceOptions, 'yielding'>,
): ActiveRun {
  const { start, access, abort } = pinned;
  const { identity } = store;
  const began = entries.find(entry => entry.t === 'step');
  const view = firstView(identity.run, identity.issue, start, began?.at ?? access.clock.now());
  const journal = runJournal({
    identity,
    entries,
    written,
    async write(batch) {
      run.emit({ change: 'run', to: { updated: journal.at() } });
      await store.append(batch, drawn(run));
      // Not counted: a replay writes nothing.
      pinned.emit({ type: 'state_saved', seq: store.entries.length });
    },
    misfit: (signal, waitingFor) => misfit(signal, run, waitingFor),
    clock: access.clock,
    signal: abort,
    yielding: pinned.yielding,
    mask: access.mask,
  });
  const github = bounded(access.github, () => journal.entries, start.config.limits.comments);
  const run = activeRun({ ...pinned, github, journal, view, tell: newsOnly(identity.run, pinned) });
  return run;
}

/** A replay tells nothing twice. */
function newsOnly(run: string, { access: { told }, emit }: Pick<ActiveRun, 'access' | 'emit'>) {
  let count = 0;
  return (event: RunEvent) => {
    count += 1;
    if (count <= (told.get(run) ?? 0)) return;
    told.set(run, count);
    emit(event);
  };
}

/** Answers a signal that the program does not wait for. */
async function misfit(signal: SignalEntry, run: ActiveRun, waitingFor: readonly string[]): Promise<void> {
  // An unexpected signal that no person sent is dropped.
  if (!changingRow(signal.name)) return;
  const command = { ...signal, value: readOrigin(signal) };
  const done = meanwhile(signal, run, waitingFor);
  if (done?.followed) await run.accept(command);
  else await run.refuse(command, done?.why ?? misfitReason(signal, run.view, waitingFor));
}

function misfitReason(signal: SignalEntry, view: RunView, waitingFor: readonly string[]): string {
  const row = changingRow(signal.name);
  if (isOver(view, waitingFor)) return row?.afterEnd?.(view) ?? runIsOver(view.status);
  return row?.notNow?.(view, () => readValue(signal, row.name), waitingFor) ?? runWaitsFor(waitingFor);
}
