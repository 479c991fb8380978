// Brings one run as far as it can go now: load its record, take in what came, replay the program and go on.
import { changingRow, interrupts } from '../commands/signal.ts';
import { board } from '../comments/board.ts';
import { troubleNotice } from '../comments/record.ts';
import { runIsOver, runWaitsFor } from '../comments/replies.ts';
import { baseTestsSignalName, jobSignalName } from '../engineer/context.ts';
import { ProviderWait } from '../../engine/models/guarded-model.ts';
import { HOUR_MS } from '../../lib/clock.ts';
import { RateLimited } from '../github/octokit.ts';
import { sayOnce } from '../github/once.ts';
import type { Thread } from '../github/thread.ts';
import { runId } from '../../journal/codec.ts';
import type { Entry, SignalEntry } from '../../journal/journal.ts';
import type { RunEvent } from '../run-events.ts';
import type { RunView } from '../comments/view.ts';
import { accept, refuse } from './acknowledge.ts';
import { newRunStore, type RunStore } from './comment-store.ts';
import { loadRun } from './read-record.ts';
import type { ActiveRun, Surroundings } from './room-contexts.ts';
import { Waiting } from '../../journal/replay.ts';
import { runJournal } from './run-journal.ts';
import { commandSignals, type Delivery, jobSignals } from './receive-signals.ts';
import { noteProviderWait, providerWaitUntil } from './provider-wait.ts';
import { eventsSoFar, isEnded, meanwhile, inspectRun, sinceOf, startOf } from './inspect-run.ts';
import { program } from './program.ts';
import { bounded } from './comment-limit.ts';
import { readOrigin, readValue } from './signals.ts';
import { firstView, type Start } from './run-start.ts';

export interface AdvanceOptions {
  /** A run is wanted. Nothing comes of it where one goes on, or where this trigger began one before. */
  begin?: {
    /** Id and time (milliseconds since the epoch) of the event that put the label on. */
    trigger: number;
    at: number;
    /** Undefined: it said on the issue why there is no run. */
    prepare(thread: Thread): Promise<Omit<Start, 'since'> | undefined>;
  };
  /** Keys of the record, the newest first. */
  keys: readonly Uint8Array[];
  abort: AbortSignal;
  emit(event: RunEvent): void;
  /** How many events of each run were told in this process already, by run id; kept from call to call. */
  told: Map<string, number>;
  /** What GitHub's limit kept from being written, by run id; kept from call to call. */
  unsaved: Map<string, Unsaved>;
}

/** Entries that follow the first `after` of a run's record. */
export interface Unsaved {
  after: number;
  entries: readonly Entry[];
}

/**
 * Brings a run as far as it can go now; one call at a time for an issue. Answers how the run stands, undefined where there is none.
 * Throws what stopped it: RateLimited, ProviderWait, the abort's reason, or an error of the program.
 */
export async function advanceRun(
  issue: number,
  around: Surroundings,
  options: AdvanceOptions,
): Promise<RunView | undefined> {
  const thread = await around.github.thread(issue);
  const loaded = await loadRun(thread, { github: around.github, keys: options.keys });
  if (loaded.kind === 'trouble') {
    const key = `trouble/${loaded.comment}/${loaded.message}`;
    const said = await sayOnce(around.github, thread, { key, body: troubleNotice(loaded.message) });
    // A person who has read the notice begins anew by putting the label on again.
    if (said.at === undefined || !options.begin || options.begin.at < said.at) return undefined;
  }
  if (loaded.kind === 'run') {
    const start = startOf(loaded.store);
    const { begin } = options;
    const over = begin && begin.trigger !== start.trigger && isEnded(await inspectRun(loaded.store, around));
    if (!over) return await follow(loaded.store, start, thread, around, options);
  }
  const { begin } = options;
  const prepared = await begin?.prepare(thread);
  if (!begin || !prepared) return undefined;
  const before = loaded.kind === 'run' ? loaded.store.entries : [];
  const start = { ...prepared, since: lastBefore(thread, begin.at, before) };
  return await follow(newRun(thread, start, around, options.keys), start, thread, around, options);
}

/** The newest comment before a label. GitHub dates both by the second: what a run before took in is older, too. */
function lastBefore({ comments }: Thread, at: number, before: readonly Entry[]): number {
  const second = Math.floor(at / 1000) * 1000;
  const older = comments.filter(({ createdAt }) => createdAt < second).map(({ id }) => id);
  const taken = before.flatMap(entry =>
    entry.t === 'signal' && changingRow(entry.name) ? readOrigin(entry).comment : [],
  );
  return Math.max(0, ...older, ...taken);
}

function newRun(
  { number }: Thread,
  { trigger }: Start,
  { github }: Surroundings,
  keys: AdvanceOptions['keys'],
) {
  const where = { repository: github.id, issue: number };
  return newRunStore({ github, keys }, { ...where, run: runId(where, trigger, keys) });
}

/** Takes in commands before anything else, replays until nothing new is to be taken in, then saves. */
async function follow(
  store: RunStore,
  start: Start,
  thread: Thread,
  around: Surroundings,
  options: AdvanceOptions,
) {
  const { run: id } = store.identity;
  // A new process tells nothing of what the journal had before it.
  if (!options.told.has(id))
    options.told.set(id, store.entries.length > 0 ? await eventsSoFar(store, around) : 0);
  await keepWait(store, around);
  let written = store.entries.length;
  let entries: readonly Entry[] = [...store.entries, ...unsavedOf(store, options)];
  const known = new Set(entries.map(entry => entry.t === 'signal' && entry.id));
  // Comments were read once; what is written meanwhile comes with an event of its own.
  const commands = await commandSignals(thread, sinceOf(store, start), around.github, id => known.has(id));
  for (;;) {
    const replay = open(store, entries, start, around, { ...options, written });
    options.unsaved.delete(id);
    try {
      const view = await replayOnce(replay, store, start, commands, around, options);
      if (view) return view;
    } catch (error) {
      // What was done, and paid for, is done; it is written down when GitHub takes it again. A run without a record
      // has not begun: it is prepared anew.
      const after = store.entries.length;
      const { journal } = replay;
      if (error instanceof RateLimited && after > 0)
        options.unsaved.set(id, { after, entries: journal.entries.slice(journal.written()) });
      throw error;
    }
    ({ entries } = replay.journal);
    written = replay.journal.written();
  }
}

/**
 * Keeps the wait for the provider that the record tells of, for all runs: not that of a run that has ended. Instead of
 * one of more than an hour the provider is asked again.
 */
async function keepWait(store: RunStore, around: Surroundings): Promise<void> {
  const until = providerWaitUntil(store.entries);
  const now = around.clock.now();
  if (until <= (around.provider.until() ?? now) || until > now + HOUR_MS) return;
  if (!isEnded(await inspectRun(store, around))) around.provider.extend(until);
}

/** Nothing where the record is another one by now. */
function unsavedOf(store: RunStore, { unsaved }: AdvanceOptions): readonly Entry[] {
  const kept = unsaved.get(store.identity.run);
  return kept?.after === store.entries.length ? kept.entries : [];
}

/** One replay, until the program waits. Undefined: a job's report came in, which the next replay takes. */
async function replayOnce(
  replay: Opened,
  store: RunStore,
  start: Start,
  commands: readonly Delivery[],
  around: Surroundings,
  options: AdvanceOptions,
): Promise<RunView | undefined> {
  // A wait for the provider is one for something from outside: a command may come in meanwhile.
  let wait = await run(replay, store, start, commands, around, options);
  // Before a job is started, so that no job lives that the record does not know.
  await replay.journal.save();
  const jobs = await jobSignals(replay.outstanding, around.jobs).catch((error: unknown) => {
    wait = providerWaitOf(error);
    return [];
  });
  if (jobs.map(each => replay.journal.deliver(each)).includes(true)) return undefined;
  // The same for all: what the call told is off by the time that has gone by since.
  const until = wait && (around.provider.until() ?? wait.until);
  if (until !== undefined) noteProviderWait(replay.journal, replay.view, until);
  await replay.journal.save();
  replay.view.updated = replay.journal.at();
  await store.redraw(board(replay.view));
  if (wait && until !== undefined) throw new ProviderWait(until, wait.cause);
  return replay.view;
}

type Opened = Omit<ActiveRun, 'abort'>;

function open(
  store: RunStore,
  entries: readonly Entry[],
  start: Start,
  around: Surroundings,
  options: AdvanceOptions & { written: number },
): Opened {
  const { identity } = store;
  const began = entries.find(entry => entry.t === 'step');
  const view = firstView(identity.run, identity.issue, start, began?.at ?? around.clock.now());
  let count = 0;
  const opened: Opened = {
    github: bounded(around.github, () => opened.journal.entries),
    view,
    outstanding: new Map(),
    journal: runJournal({
      identity,
      entries,
      written: options.written,
      async write(batch) {
        view.updated = opened.journal.at();
        await store.append(batch, board(view));
        // Not counted: a replay writes nothing.
        options.emit({ type: 'state_saved', seq: store.entries.length });
      },
      interrupts,
      keeps: [baseTestsSignalName],
      misfit: async (signal, waitingFor) => {
        // A report that no slot waits for any more concerns nobody.
        if (signal.name === jobSignalName) return;
        const command = { ...signal, value: readOrigin(signal) };
        const done = meanwhile(signal, view, waitingFor);
        if (done?.followed) return await accept(opened.journal.step, around.github, command);
        const why = done?.why ?? misfitReason(signal, view, waitingFor);
        await refuse(opened.journal.step, opened.github, command, identity.issue, why);
      },
      clock: around.clock,
      signal: options.abort,
      mask: around.mask,
    }),
    // A replay tells nothing twice.
    emit(event) {
      count += 1;
      if (count <= (options.told.get(identity.run) ?? 0)) return;
      options.told.set(identity.run, count);
      options.emit(event);
    },
  };
  return opened;
}

/**
 * Runs the program until it waits; answers the wait where it is one for the model's provider. What came from outside is
 * there before its first step after the start.
 */
async function run(
  opened: Opened,
  store: RunStore,
  start: Start,
  commands: readonly Delivery[],
  around: Surroundings,
  options: AdvanceOptions,
): Promise<ProviderWait | undefined> {
  try {
    await opened.journal.step('start', async () => start, { costly: true });
    for (const each of commands) opened.journal.deliver(each);
    return await program(start, around, { ...opened, abort: options.abort });
  } catch (error) {
    if (error instanceof Waiting) return undefined;
    if (error instanceof ProviderWait) return error;
    // What was done is written down before this ends, unless GitHub itself will not take it now: `follow` keeps it.
    if (!(error instanceof RateLimited)) {
      await opened.journal.save();
      await store.redraw(board(opened.view));
    }
    throw error;
  }
}

/** Throws what is no wait for the provider. */
function providerWaitOf(error: unknown): ProviderWait {
  if (error instanceof ProviderWait) return error;
  throw error;
}

function misfitReason(signal: SignalEntry, view: RunView, waitingFor: readonly string[]): string {
  const row = changingRow(signal.name);
  if (isEnded(view)) return row?.afterEnd?.(view) ?? runIsOver(view.status);
  return row?.notNow?.(view, () => readValue(signal, row.name), waitingFor) ?? runWaitsFor(waitingFor);
}
