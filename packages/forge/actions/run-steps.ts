// Carries out one job with steps: its place in the queue, its token, and what is told of it.
import { permissionsOf } from './loaded-workflow.ts';
import { evaluateTree } from './matrix.ts';
import type { StepsSpec } from './job-spec.ts';
import { labelsOf, planJob } from './plan-job.ts';
import {
  cancelled,
  type Combination,
  type Frame,
  type JobChange,
  type Outcome,
  tellEnd,
} from './run-frame.ts';

/** Waits for what a job has to wait for besides the machine; undefined when it was cancelled meanwhile. */
export type Enter = (run: (inside: Frame) => Promise<Outcome>) => Promise<Outcome | undefined>;

export async function runSteps(
  frame: Frame,
  combination: Combination,
  work: StepsSpec,
  enter: Enter,
): Promise<Outcome> {
  const { key, name } = combination;
  const kept = frame.kept.get(key);
  if (kept) {
    await frame.port.tell({ key, name, ...kept, status: 'completed' });
    return { result: kept.conclusion, outputs: kept.outputs, fresh: false };
  }
  const change: JobChange = {
    key,
    name,
    labels: labelsOf(combination, work),
    status: 'queued',
    conclusion: null,
    steps: [],
    outputs: {},
  };
  await frame.port.tell(change);
  let began = false;
  const outcome = await enter(async inside => {
    const done = await frame.port.machine.within(inside.signal, () => {
      began = true;
      return carryOut(inside, combination, work, change);
    });
    return done ?? cancelled;
  });
  if (!began) await tellEnd(frame, combination, 'cancelled');
  return outcome ?? cancelled;
}

/** The job itself, under a token that dies with it. */
async function carryOut(
  frame: Frame,
  combination: Combination,
  work: StepsSpec,
  change: JobChange,
): Promise<Outcome> {
  const { port, workflow, granted, signal } = frame;
  const token = await port.openToken(permissionsOf(combination.node.spec, workflow.file, granted));
  try {
    const job = planJob(frame, combination, work, token.text);
    await port.tell({ ...change, status: 'in_progress' });
    const { conclusion, outputs, steps } = await port.carryOut(job, token.text, signal);
    await port.tell({ ...change, status: 'completed', conclusion, outputs, steps });
    const isLenient = evaluateTree(work.continueOnError, { contexts: combination.contexts }) === true;
    // GitHub cancels a job whose time is over: what needs it sees it so.
    const result = conclusion === 'timed_out' ? 'cancelled' : conclusion;
    return { result: result === 'failure' && isLenient ? 'success' : result, outputs, fresh: true };
  } finally {
    await token.close();
  }
}
