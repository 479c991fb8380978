// The forge's Actions runner: takes up what events and people ask for, and carries it out.
import { messageOf } from '@echelon/ground';
import { actOf } from '../emit.ts';
import { endRun } from './workflow-changes.ts';
import type { Core } from '../core.ts';
import { closeJobTokens } from '../apps/app-rows.ts';
import { nextTrigger, runsWith, type WorkflowRun } from './workflow-rows.ts';
import { beginRun } from './begin-run.ts';
import { ConcurrencyGroups, slots } from './concurrency-groups.ts';
import type { CarryOut, RunnerRoom } from './run-port.ts';
import { startRuns } from './triggers.ts';

export interface RunnerOptions {
  carryOut: CarryOut;
  /** Jobs that are carried out at the same time. Default 2. */
  jobs?: number;
}

const defaultJobs = 2;

export class Runner {
  readonly #room: RunnerRoom;
  readonly #closing = new AbortController();
  readonly #underWay = new Map<number, { cancel: AbortController; done: Promise<void> }>();
  #looking: Promise<void> | undefined;
  #isStarted = false;
  #isWanted = false;

  /** `inTurn`: see RunnerRoom. */
  constructor(core: Core, inTurn: RunnerRoom['inTurn'], { carryOut, jobs = defaultJobs }: RunnerOptions) {
    const groups = new Map<number, ConcurrencyGroups>();
    const groupsOf = (repositoryId: number) => {
      const known = groups.get(repositoryId) ?? new ConcurrencyGroups();
      groups.set(repositoryId, known);
      return known;
    };
    this.#room = { core, inTurn, machine: slots(jobs), groupsOf, carryOut, closing: this.#closing.signal };
  }

  /** Begins: what the process before has left is settled. */
  start(): void {
    this.#isStarted = true;
    this.kick();
  }

  /** Looks for what there is to do; before the start nothing is done. */
  kick(): void {
    this.#isWanted = true;
    if (this.#isStarted) this.#looking ??= this.#look();
  }

  /** Resolves when no event waits and no run is queued or under way. */
  async settled(): Promise<void> {
    do {
      this.kick();
      await this.#looking;
      await this.#ended();
    } while (!this.#closing.signal.aborted && (this.#underWay.size > 0 || nextTrigger(this.#room.core)));
  }

  /** Ends what is under way, as cancelled; what only waits is taken up when the forge is opened again. */
  async stop(): Promise<void> {
    this.#closing.abort();
    for (const { cancel } of this.#underWay.values()) cancel.abort();
    await this.#looking;
    await this.#ended();
  }

  #ended = () => Promise.all([...this.#underWay.values()].map(({ done }) => done));

  async #look(): Promise<void> {
    const { core, inTurn, closing } = this.#room;
    while (this.#isWanted && !closing.aborted) {
      this.#isWanted = false;
      await takeTriggers(core, inTurn);
      const { queued, cancelled } = await inTurn(() => ({
        queued: runsWith(core, 'queued'),
        cancelled: [...this.#underWay.keys()].filter(id => wantsToEnd(core, id)),
      }));
      if (closing.aborted) break;
      for (const id of cancelled) this.#underWay.get(id)?.cancel.abort();
      for (const run of queued) if (!this.#underWay.has(run.id)) this.#begin(run);
    }
    this.#looking = undefined;
  }

  #begin(run: WorkflowRun): void {
    const cancel = new AbortController();
    const done = beginRun(this.#room, run, cancel.signal).finally(() => {
      this.#underWay.delete(run.id);
      this.kick();
    });
    this.#underWay.set(run.id, { cancel, done });
    if (run.cancel_requested) cancel.abort();
  }
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
    await endRun(actOf(core, run.repository_id, run.actor_id), run);
}
