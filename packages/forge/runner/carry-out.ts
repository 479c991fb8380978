// Runs jobs on the forge's own machine.
import { runJob } from './run-job.ts';
import type { CarryOut } from '../actions/run-port.ts';
import { type Machine, runnerHost } from './runner-host.ts';

/** As processes of this user, whose steps have `path` as their PATH, and `more.env`: nothing else of the environment here. */
export const onThisMachine =
  (path: string, more: Omit<Machine, 'path'> = {}): CarryOut =>
  (core, job, order) =>
    runJob(job, runnerHost(core, order, { ...more, path }));
