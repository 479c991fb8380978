// The forge's Actions runner: takes up what events and people ask for, and carries it out.
import { messageOf } from '../../lib/message.ts';
import { endRun } from '../changes/workflows.ts';
import type { Core } from '../core.ts';
import { closeJobTokens } from '../store/actions-app.ts';
import { getUser } from '../store/users.ts';
import { nextTrigger, runsWith, type WorkflowRun } from '../store/workflows.ts';
import { beginRun } from './begin-run.ts';
import { ConcurrencyGroups } from './concurrency-groups.ts';
import type { CarryOut, RunnerRoom } from './run-port.ts';
import { slots } from './slots.ts';
import { startRuns } from './triggers.ts';

export interface RunnerOptions {
  carryOut: CarryOut;
  /** Jobs that are carried out at the same time. Default 2. */
  jobs?: number;
}

export interface Runner {
  /** Begins: what the process before has left is settled. */
  start(): void;
  /** Looks for what there is to do; before the start nothing is done. */
  kick(): void;
  /** Resolves when no event waits and no run is queued or under way. */
  settled(): Promise<void>;
  /** Ends what is under way, as cancelled; what only waits is taken up when the forge is opened again. */
  stop(): Promise<void>;
}

const defaultJobs = 2;

/** `inTurn`: see RunnerRoom. */
export function runner(
  core: Core,
  inTurn: RunnerRoom['inTurn'],
  { carryOut, jobs = defaultJobs }: RunnerOptions,
): Runner {
  const closing = new AbortController();
  const groups = new Map<number, ConcurrencyGroups>();
  const room: RunnerRoom = {
    core,
    inTurn,
    machine: slots(jobs),
    groupsOf(repositoryId) {
      const known = groups.get(repositoryId) ?? new ConcurrencyGroups();
      groups.set(repositoryId, known);
      return known;
    },
    carryOut,
    closing: closing.signal,
  };
  const underWay = new Map<number, { cancel: AbortController; done: Promise<void> }>();
  let looking: Promise<void> | undefined;
  let wanted = false;
  let isStarted = false;

  function begin(run: WorkflowRun): void {
    const cancel = new AbortController();
    const done = beginRun(room, run, cancel.signal).finally(() => {
      underWay.delete(run.id);
      kick();
    });
    underWay.set(run.id, { cancel, done });
    if (run.cancel_requested) cancel.abort();
  }

  async function look(): Promise<void> {
    while (wanted && !closing.signal.aborted) {
      wanted = false;
      await takeTriggers(core, inTurn);
      const { queued, cancelled } = await inTurn(() => ({
        queued: runsWith(core, 'queued'),
        cancelled: [...underWay.keys()].filter(id => wantsToEnd(core, id)),
      }));
      if (closing.signal.aborted) break;
      for (const id of cancelled) underWay.get(id)?.cancel.abort();
      for (const run of queued) if (!underWay.has(run.id)) begin(run);
    }
    looking = undefined;
  }
  function kick(): void {
    wanted = true;
    if (isStarted) looking ??= look();
  }
  return {
    start() {
      isStarted = true;
      kick();
    },
    kick,
    async settled() {
      do {
        kick();
        await looking;
        await Promise.all([...underWay.values()].map(({ done }) => done));
      } while (!closing.signal.aborted && (underWay.size > 0 || nextTrigger(core)));
    },
    async stop() {
      closing.abort();
      for (const { cancel } of underWay.values()) cancel.abort();
      await looking;
      await Promise.all([...underWay.values()].map(({ done }) => done));
    },
  };
}

async function takeTriggers(core: Core, inTurn: RunnerRoom['inTurn']): Promise<void> {
  for (let next = await inTurn(() => nextTrigger(core)); next; next = await inTurn(() => nextTrigger(core))) {
    const { id } = next;
    const trigger = next;
    try {
      await inTurn(async () => {
        await startRuns(core, trigger);
        core.db.run('DELETE FROM triggers WHERE id = ?', id);
      });
    } catch (error) {
      // A repository that git cannot read must not hold up the events of the others.
      await inTurn(() => core.db.update('triggers', id, { problem: messageOf(error) }));
    }
  }
}

const wantsToEnd = (core: Core, id: number): boolean =>
  core.db.count('workflow_runs WHERE id = ? AND cancel_requested = 1', id) > 0;

/** Ends what a process that died has left under way. Runs that had not begun stay queued. */
export async function settleRuns(core: Core): Promise<void> {
  closeJobTokens(core);
  for (const run of runsWith(core, 'in_progress'))
    await endRun(core, { user: getUser(core, run.actor_id), app: null }, run);
}
