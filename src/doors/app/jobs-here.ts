// Jobs on this machine: processes of the product itself, what they are given, and what is told of them.
import { join } from 'node:path';
import { systemClock } from '@echelon/ground';
import { type Bus, doingOf, type LocalJobs, localJobs, type LocalJobsOptions } from '../../app/app.ts';
import type { AnyJobSpec, JobProgress } from '../../app/job.ts';
import { environmentOf } from '../../engine/models/provider-keys.ts';
import type { ModelChoice } from '../../engine/models.ts';
import type { RuntimeParts } from '../../engine/engine.ts';

interface Given extends Pick<LocalJobsOptions, 'start'> {
  /** In which their folders are made. */
  data: string;
  model: ModelChoice;
  host: Pick<RuntimeParts['host'], 'path' | 'reach'>;
  debug?: boolean;
  onProgress?: (spec: AnyJobSpec, line: JobProgress) => void;
}

interface Around {
  bus: Bus;
  /** `owner/name`, as it is now. */
  repository: () => string;
  /** One of this directive's run has ended. */
  onEnd: (directive: number) => void;
}

/** `doing`: what those of a directive's run did last. */
export function jobsHere(options: Given, { bus, repository, onEnd }: Around) {
  const doing = doingOf(systemClock, op => jobs.works(op));
  const jobs: LocalJobs = localJobs({
    folder: join(options.data, 'jobs'),
    command: (folder, spec) => ({
      argv: [process.execPath, join(import.meta.dirname, '../action/job.js')],
      env: environmentFor(options, folder, !('kind' in spec)),
    }),
    ...(options.start && { start: options.start }),
    clock: systemClock,
    onEnd: spec => onEnd(spec.directive),
    onProgress: (spec, line) => {
      doing.heard(spec, line);
      options.onProgress?.(spec, line);
    },
    onStuck: (spec, seconds) =>
      bus.emit({
        type: 'stuck_warning',
        issue: 'issue' in spec ? spec.issue.number : spec.directive,
        seconds,
        issue_of_run: spec.directive,
        repository: repository(),
        at: systemClock.now(),
      }),
  });
  return { jobs, doing: doing.of };
}

/** A job gets its folder, a PATH, what leads to the network, and, if it asks models, their keys; nothing else of this process's environment. */
const environmentFor = ({ model, host, debug }: Given, folder: string, asks: boolean) => ({
  ...host.reach,
  PATH: host.path,
  INPUT_MODE: 'engineer',
  INPUT_JOB: folder,
  ...(model.record !== undefined && { INPUT_RECORD: model.record }),
  ...(debug && { INPUT_DEBUG: 'true' }),
  ...(asks && model.provider === 'served' && environmentOf(model.keys)),
});
