// Environment of a job: the values from its process, and its checkout, with its
// memory.
import { join } from 'node:path';
import type { Clock, Deadline, Reach } from '@echelon/ground';
import {
  type AllowedHosts,
  cacheName,
  type Checkout,
  type Isolation,
  readIfThere,
  writeWhole,
} from '@echelon/ground/workspace';
import type { Model, OpenedModel, PlayedReply, Spending } from '../../../engine/models.ts';
import type { Sandbox } from '../../../engine/sandbox.ts';
import { openMemory, type TaskEvent } from '../../../engine/engine.ts';
import type { AttemptState } from './attempt-journal.ts';
import type { JobProgress } from '../jobs/report-spec.ts';
import type { JobSpec } from '../jobs/job-spec.ts';
import type { GlobalIndex, Memory } from '../../../engine/files.ts';
import { isToldApart } from './project-inputs.ts';

export interface JobHost {
  /** The model, told what it played for this job before. */
  openModel(played: readonly PlayedReply[]): Promise<OpenedModel>;
  clock: Clock;
  /** Runs code that the model writes for itself. */
  sandbox: Sandbox;
  /** Everything that sessions tell, for who looks closely. */
  onSession?: (event: TaskEvent) => void;
  /** PATH of the host, to find its toolchains. */
  hostPath: string;
  /** By what the host reaches the network. */
  reach?: Reach;
  /** Marks every command of the job. */
  mark: string;
  /** Ends the job at once, without a report. */
  signal: AbortSignal;
  /** Messages of a person to the run since the job began; empty: none. */
  told(): Promise<string>;
  progress(line: JobProgress): void;
  /** Spending of an earlier, lost process of this job; and a way to save it as it grows. */
  spentBefore: Spending;
  spend(spent: Spending): Promise<void>;
  /** An error that is none of the attempt's but the product's own, for the log. */
  unexpected(error: unknown): void;
}

/** Environment of a job. */
export interface Workplace {
  spec: JobSpec;
  checkout: Checkout;
  /** The tree of the base, without what was taken up. */
  before: string;
  isolation: Isolation;
  /** Hosts that its commands may reach. */
  hosts: AllowedHosts;
  /** Changed while the program is evaluated. */
  state: AttemptState;
  model: Model;
  host: JobHost;
  /** The job's. */
  folder: string;
  /** The attempt's. */
  time: Deadline;
  /** Ends the attempt. */
  signal: AbortSignal;
}

/** A provider's cache has what a reply has begun on: that takes seconds. Engineers on one machine wait so long (milliseconds). */
const BEGINS_MS = 5_000;

/**
 * The model, whose first call waits where that of another job of the mirror has just been made: both begin alike, and it then
 * reads what the other wrote to the provider's cache. Two at the same moment pay for it twice.
 */
export function behindFirst(model: Model, mirror: string, clock: Clock): Model {
  const file = 'first-call';
  let isFirst = true;
  return {
    ...model,
    async call(request, onEvent) {
      if (isFirst) {
        isFirst = false;
        const left = Number((await readIfThere(mirror, file).catch(() => 0)) ?? 0) + BEGINS_MS - clock.now();
        if (left > 0 && left <= BEGINS_MS) await clock.sleep(left, request.signal);
        // A mirror that cannot be written costs tokens, not the call.
        else await writeWhole(mirror, file, String(clock.now())).catch(() => {});
      }
      return await model.call(request, onEvent);
    },
  };
}

/** The index of the run's base is kept beside the `mirror`: what differs from it is all that is read. */
export function memoryOf(
  { tree, gitDir }: Pick<Checkout, 'tree' | 'gitDir'>,
  mirror: string,
  signal: AbortSignal,
): Memory {
  const memory = openMemory({ folder: tree, gitDir }, { cache: join(mirror, cacheName), signal });
  // One that was searched before is searched faster.
  const without = new WeakMap<GlobalIndex, GlobalIndex>();
  return {
    ...memory,
    async index(stop) {
      const whole = await memory.index(stop);
      const rest = without.get(whole) ?? whole.filter(({ path }) => !isToldApart(path));
      without.set(whole, rest);
      return rest;
    },
  };
}
