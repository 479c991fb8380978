// The steps of a job as they are shown while it goes on, and at its end.
import { timestamp } from '../core.ts';
import type { Conclusion } from './job-state.ts';
import type { JobResult } from './planned-job.ts';
import type { RunnerHost, StepState } from './runner-host.ts';

export interface StepList {
  /** Adds a step that runs; the function it gives ends it. */
  begin(name: string): (conclusion: Conclusion) => void;
  /** A step of the runner's own; one that throws fails, and gives nothing. */
  run<T>(name: string, work: () => Promise<T>, onError?: (error: unknown) => void): Promise<T | undefined>;
  result(): JobResult['steps'];
}

export function stepList({ clock, onSteps, record, secrets }: RunnerHost): StepList {
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
    result: () =>
      states.map(step => ({ ...step, status: 'completed', conclusion: step.conclusion ?? 'cancelled' })),
  };
}
