// Carries out one job: its folders, its steps in order, what its actions do afterwards, its outputs; and leaves nothing.
import { deadline, type Deadline, HOUR_MS, isObject, messageOf } from '@echelon/ground';
import { render } from '../actions/expressions.ts';
import { removeJobFolder } from './job-folder.ts';
import { beginJob, type JobState, scopeOf } from './job-state.ts';
import { planSteps } from './plan-steps.ts';
import type { Conclusion, JobResult, PlannedJob, StepState } from '../actions/planned-job.ts';
import { killJob } from './process.ts';
import type { RunnerHost } from './runner-host.ts';
import { runStep, say, type Step } from './step.ts';
import { timestamp } from '../core.ts';

interface StepList {
  /** Adds a step that runs; the function it gives ends it. */
  begin(name: string): (conclusion: Conclusion) => void;
  /** A step of the runner's own; one that throws fails, and gives nothing. */
  run<T>(name: string, work: () => Promise<T>, onError?: (error: unknown) => void): Promise<T | undefined>;
  readonly states: StepState[];
}

function stepList({ clock, onSteps, record, secrets }: RunnerHost): StepList {
  const states: StepState[] = [];
  const time = () => timestamp(clock.now());
  const begin = (name: string) => {
    const step: StepState = {
      // It shows everywhere, and an expression in it may be of a secret.
      name: secrets.mask(name),
      number: states.length + 1,
      status: 'in_progress',
      conclusion: null,
      started_at: time(),
      completed_at: null,
    };
    states.push(step);
    record.nextStep();
    onSteps(states);
    return (conclusion: Conclusion) => {
      Object.assign(step, { status: 'completed', conclusion, completed_at: time() });
      onSteps(states);
    };
  };
  return {
    begin,
    async run(name, work, onError) {
      const end = begin(name);
      try {
        const result = await work();
        end('success');
        return result;
      } catch (error) {
        if (!onError) throw error;
        onError(error);
        end('failure');
        return undefined;
      }
    },
    states,
  };
}

/** After a cancel GitHub gives what asks for always() so long (milliseconds). */
const afterCancel = HOUR_MS / 12;
/** GitHub's bound of the outputs of a job, in UTF-16 units of two bytes. */
const longestOutputs = 1024 * 1024;

/**
 * Runs the job to its end and answers how it ended; a job that cannot be carried out fails, with a sentence in its log.
 * When it answers, its processes are gone and its folders are removed. A job past its time is cancelled, as on GitHub.
 */
export async function runJob(job: PlannedJob, host: RunnerHost): Promise<JobResult> {
  try {
    host.record.follow(Object.keys(needsOf(job)));
    if (host.signal.aborted) return nothing;
    const state = await beginJob(job, host);
    try {
      return await carryThrough(state);
    } finally {
      await killJob(state.mark, state.folders.job);
      await removeFolder(state);
    }
  } finally {
    host.record.end();
  }
}

/** Of a job that was cancelled before it began. */
const nothing: JobResult = { conclusion: 'cancelled', outputs: {}, steps: [] };

function needsOf({ contexts: { needs } }: PlannedJob): object {
  return isObject(needs) ? needs : {};
}

async function carryThrough(state: JobState): Promise<JobResult> {
  const { job, host } = state;
  // Cancelled while the folders were made.
  if (host.signal.aborted) return nothing;
  const limit = deadline(job.timeoutMinutes * 60_000, host.clock, host.signal);
  const late = new AbortController();
  const ended = new AbortController();
  limit.signal.addEventListener('abort', () => {
    onCancel(state, limit, job);
    host.clock.sleep(afterCancel, ended.signal).then(
      () => late.abort(new Error('The job was cancelled.')),
      () => {}, // It ended before.
    );
  });
  try {
    const shown = stepList(host);
    await runSteps(state, shown, limit.signal, AbortSignal.any([late.signal, host.closing]));
    const outputs = await shown.run('Complete job', async () => {
      const found = await killJob(state.mark, state.folders.job);
      if (found > 0) host.record.write(`Cleaning up orphan processes: ${found} ended.`);
      return outputsOf(state);
    });
    return { conclusion: state.status, outputs: outputs ?? {}, steps: shown.states };
  } finally {
    ended.abort();
    limit.end();
  }
}

async function removeFolder({ folders, host }: JobState): Promise<void> {
  try {
    await removeJobFolder(folders.job);
  } catch (error) {
    host.record.write(`##[warning]The folder of the job could not be removed: ${messageOf(error)}`);
  }
}

function onCancel(state: JobState, limit: Deadline, job: PlannedJob): void {
  if (limit.expired())
    say(state, 'error', `The job has exceeded the maximum execution time of ${job.timeoutMinutes} minutes.`);
  state.status = 'cancelled';
}

async function runSteps(
  state: JobState,
  shown: StepList,
  cancel: AbortSignal,
  over: AbortSignal,
): Promise<void> {
  const steps = await shown.run(
    'Set up job',
    async () => {
      state.host.record.write(`Job name: ${state.job.name}`);
      return planSteps(state);
    },
    error => {
      say(state, 'error', messageOf(error));
      state.status = 'failure';
    },
  );
  if (!steps) return;
  const one = async (step: Step) => {
    const name = nameOf(state, step);
    const conclude = shown.begin(name);
    conclude(await runStep(state, { ...step, name }, cancel, over));
  };
  for (const step of [...steps.before, ...steps.main]) await one(step);
  // Read anew: local actions added theirs.
  for (const step of steps.after) await one(step);
}

/** A name that cannot be evaluated is shown as it is written. */
function nameOf(state: JobState, { name }: Step): string {
  try {
    return render(name, scopeOf(state));
  } catch {
    // The step itself will say what is wrong, where it matters.
    return name;
  }
}

/** Outputs that are empty or hold a secret are left out, as on GitHub. */
function outputsOf(state: JobState): Record<string, string> {
  const outputs: Record<string, string> = {};
  let length = 0;
  for (const [name, template] of Object.entries(state.job.outputs))
    try {
      const value = render(template, scopeOf(state));
      if (value === '') continue;
      if (state.host.secrets.foundIn(value)) {
        say(state, 'warning', `Skip output '${name}' since it may contain secret.`);
        continue;
      }
      length += 2 * (name.length + value.length);
      if (length > longestOutputs)
        throw new Error(`The outputs of the job are larger than ${longestOutputs} bytes.`);
      outputs[name] = value;
    } catch (error) {
      say(state, 'error', `Fail to evaluate job output '${name}': ${messageOf(error)}`);
      if (state.status === 'success') state.status = 'failure';
    }
  return outputs;
}
