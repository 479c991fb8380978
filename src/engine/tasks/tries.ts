// The tries of a task with candidates: side by side, each by itself, and what its script lets through.
import { printedBy } from './script.ts';
import type { Candidates, ScriptTask, Task } from '../language/ast.ts';
import { candidateNames } from '../language/names.ts';
import { addSpent, failedAs, type Spent, TaskError, type TaskResult, sumSpent } from '../language/result.ts';
import { boundResult } from './inputs.ts';
import { type Act, givenTo, nameOf, type TaskPlace } from './task-place.ts';
import { together } from './together.ts';

/** The outcome of a try; its cost, that of its script included, is in the notes of either. */
export type Tried = { result: TaskResult; lost?: never } | { result?: never; lost: TaskError };

export const spentIn = ({ result, lost }: Tried): Spent => (result ?? lost).notes.dataUsage;

export const sumOf = (tried: readonly Tried[]): Spent => sumSpent(tried.map(spentIn));

/** All tries in their order. A failure is a lost try; what ends all of them is thrown, with what they had spent. */
export async function tryAll(
  task: Task & { candidates: Candidates },
  place: TaskPlace,
  act: Act,
): Promise<Tried[]> {
  const { candidates } = task;
  const tried = await together(
    Array.from({ length: candidates.count }, (_, at) => at),
    (at, _index, apart) => {
      const given = { ...place.given, ...givenTo(candidates, at) };
      const own = { ...place, ...apart, given, key: keyOf(place, at) };
      return settled(task, own, () => act(task, own));
    },
    place,
    {
      onFailure: (error, finished, _index, cutOff) => {
        const done = sumOf(finished.filter(each => each !== undefined));
        return error instanceof TaskError ? error.with({ dataUsage: addSpent(done, cutOff) }) : error;
      },
    },
  );
  const { script } = candidates;
  if (!script) return tried;
  const passed: Tried[] = [];
  // One after the other: they run in one checkout.
  for (const [at, each] of tried.entries())
    passed.push(each.result ? await through(script, at, each.result, place) : each);
  return passed;
}

const keyOf = ({ key }: TaskPlace, at: number): string => `${key}/candidate-${at + 1}`;

async function settled(task: Task, { signal }: TaskPlace, run: () => Promise<TaskResult>): Promise<Tried> {
  try {
    const result = await run();
    return result.status === 'FAILED' ? { lost: failedAs(nameOf(task), result, result.notes) } : { result };
  } catch (error) {
    if (!(error instanceof TaskError) || signal.aborted) throw error;
    return { lost: error };
  }
}

/** A try whose script exits with 0, or has an empty command; else a lost one. */
async function through(script: ScriptTask, at: number, result: TaskResult, place: TaskPlace): Promise<Tried> {
  const environment = place.environment.extend([[candidateNames.one, boundResult(result)]]);
  // Its exit is the verdict, and no failure.
  const followers = { tasks: [], from: 0, environment, around: place.followers, readsExit: true } as const;
  const own = { ...place, environment, followers, key: `${keyOf(place, at)}/script` };
  const { result: ran, lost } = await settled(script, own, () => place.evaluator.run(script, own));
  const dataUsage = addSpent(result.notes.dataUsage, spentIn(ran ? { result: ran } : { lost }));
  if (lost) return { lost: lost.with(result.notes) };
  const outcome = ran.notes.script;
  if (!outcome || outcome.exit_code === 0)
    return { result: { ...result, notes: { ...result.notes, dataUsage } } };
  return {
    lost: new TaskError(
      { code: 'TASK_FAILURE', reason: 'rejected' },
      `the script of the candidates ended with exit code ${outcome.exit_code}: ${printedBy(outcome).slice(-2000)}`,
      { notes: { dataUsage, script: outcome } },
    ),
  };
}
