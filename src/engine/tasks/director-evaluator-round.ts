// One round of a director-evaluator after the director: its script, then the evaluator that judges it.
import type { AtomicTask, DirectorEvaluatorTask, Inherit, ScriptTask } from '../language/ast.ts';
import { type Bound, boundValue, type Environment } from '../language/environment.ts';
import { judgedName, roundNames } from '../language/names.ts';
import {
  addSpent,
  type Evaluation,
  type Notes,
  nothingSpent,
  type ScriptOutcome,
  type Spent,
  TaskError,
  type TaskResult,
  throwIfFailed,
} from '../language/result.ts';
import { withSteps } from './history.ts';
import { boundResult } from './inputs.ts';
import { before, nameOf, type TaskPlace } from './task-place.ts';
import { evaluationAsked, type Judges, requestIn } from './requests.ts';
import { boundOutcome, shownToModel, printedBy } from './script.ts';
import { shownToJudge } from './shown.ts';

/** Settings that are the same in all rounds. */
export interface RoundSettings {
  task: DirectorEvaluatorTask;
  /** The director's, but for the number of the round. */
  place: TaskPlace;
  /** The context that script and evaluator inherit. */
  inherit: Inherit;
}

/** An evaluation, and the template of the library that gave it, where one did. */
type Verdict = Evaluation & Pick<Notes, 'template'>;

export interface RoundOutcome {
  /** Undefined: nothing judges, and the director is not done: it waits for a subtask. */
  evaluation: Verdict | undefined;
  /** Undefined: there is none, or its command is empty. */
  script: ScriptOutcome | undefined;
  spent: Spent;
  warnings: readonly string[];
}

/** True if a session of that key judges a round, or stands in for one that does. */
export const isOfEvaluator = (key: string): boolean => /\/evaluator-\d+(?:\/|$)/.test(key);

/** Script and evaluation of round `n`. Errors have what the round had spent after the director. */
export async function evaluateRound(
  n: number,
  director: TaskResult,
  rounds: RoundSettings,
): Promise<RoundOutcome> {
  const { task, place, inherit } = rounds;
  const {
    scriptTask,
    evaluatorTask,
    isChosen,
    warnings,
    spent: choice,
  } = await judgesFor(n, director, rounds);
  let spent = choice;
  try {
    const checkpoint = (await place.evaluator.options.checkpoint?.(n, director)) ?? {};
    const environment = environmentOf(director, task.director, checkpoint, place.environment);
    const around: TaskPlace = { ...place, inherit, environment };
    const script = scriptTask && (await runScriptOf(scriptTask, evaluatorTask, n, around));
    if (script) spent = addSpent(spent, script.notes.dataUsage);
    const outcome = script?.notes.script;
    if (!evaluatorTask) {
      const isDone =
        director.status === 'COMPLETE' || requestIn(director, 'evaluation_request') !== undefined;
      // The script judges by its exit; without one the director's own word counts.
      const evaluation = isDone ? verdictOfExit(outcome) : undefined;
      return { evaluation, script: outcome, spent, warnings };
    }
    const judged = await judgedBy(evaluatorTask, {
      ...around,
      environment: scriptTask ? withOutcome(outcome, scriptTask.name, environment) : environment,
      key: `${place.key}/evaluator-${n}`,
      ...(isChosen
        ? { earlier: outputsOf(director, task, script, scriptTask, place) }
        : {
            shown: [
              ...place.shown,
              ...shownToJudge(evaluatorTask, outcome && shownToModel(outcome), { task, environment }),
            ],
          }),
    });
    spent = addSpent(spent, judged.spent);
    const { evaluation, template } = judged;
    const last = place.evaluator.options.judge?.(evaluation, outcome) ?? evaluation;
    return { evaluation: template ? { ...last, template } : last, script: outcome, spent, warnings };
  } catch (error) {
    throw error instanceof TaskError ? error.with({ dataUsage: spent }) : error;
  }
}

/** The evaluator's verdict; where something is served after it, that of the session which sees it. */
async function judgedBy(task: AtomicTask, at: TaskPlace) {
  // A session without a verdict counts, too.
  let spent: Spent = nothingSpent;
  const asked = async (place: TaskPlace) => {
    const judged = await place.evaluator.run(task, place);
    spent = addSpent(spent, judged.notes.dataUsage);
    return judged;
  };
  try {
    const first = await asked(at);
    const evaluation = verdictOf(first);
    const { template } = first.notes;
    const served = await at.evaluator.options.serve?.(evaluation);
    if (!served) return { evaluation, template, spent };
    const environment = at.environment.extend(boundTexts(served));
    const again = await asked({ ...at, environment, key: `${at.key}/again` });
    return { evaluation: verdictOf(again), template, spent };
  } catch (error) {
    throw error instanceof TaskError ? error.with({ dataUsage: spent }) : error;
  }
}

const boundTexts = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([each, value]): [string, Bound] => [each, boundValue(value)]);

/** The script and the evaluator of this round: those that the director asked for, else those that the program declares. */
async function judgesFor(n: number, director: TaskResult, rounds: RoundSettings): Promise<Judges> {
  const { task, place } = rounds;
  const at = { ...place, key: `${place.key}/evaluation-${n}` };
  const asked = await evaluationAsked(director, task, at);
  if (asked) return asked;
  const isWaiting = requestIn(director, 'subtask_request') !== undefined;
  if (director.status === 'CONTINUATION' && !task.evaluator && !isWaiting)
    throw new TaskError(
      { code: 'TASK_FAILURE', reason: 'failed' },
      'the director wants to go on, but asks for no evaluation, and the program declares no evaluator',
    );
  const { script: scriptTask, evaluator: evaluatorTask } = task;
  return { scriptTask, evaluatorTask, isChosen: false, warnings: [], spent: nothingSpent };
}

function runScriptOf(
  script: ScriptTask,
  judge: AtomicTask | undefined,
  n: number,
  around: TaskPlace,
): Promise<TaskResult> {
  const { environment, followers } = around;
  // Without an evaluator the exit is the verdict.
  const exit = { tasks: [], from: 0, environment, around: followers, readsExit: true } as const;
  const at = judge ? before([judge], around) : { ...around, followers: exit };
  return around.evaluator.run(script, { ...at, key: `${around.key}/script-${n}` });
}

/** Its feedback is what a model would be shown of the script. */
function verdictOfExit(outcome: ScriptOutcome | undefined): Evaluation {
  if (!outcome || outcome.exit_code === 0) return { success: true, feedback: null };
  const feedback = `The script ended with exit code ${outcome.exit_code}.\n${printedBy(outcome)}`;
  return { success: false, feedback };
}

function verdictOf(judged: TaskResult): Evaluation {
  // Its `success` is no verdict: FAILED says that it could not judge.
  throwIfFailed(judged, 'the evaluator');
  const { success, feedback = null, ...outputs } = judged.outputs;
  // A verdict that is missing from an unfinished reply was let through by the reading of the envelope.
  if (typeof success !== 'boolean')
    throw new TaskError(
      { code: 'INVALID_OUTPUT', violations: ['output "success" is missing'] },
      'the evaluator gave no verdict: output "success" is missing',
    );
  return {
    success,
    feedback: typeof feedback === 'string' ? feedback : null,
    ...(Object.keys(outputs).length > 0 && { outputs }),
  };
}

/** The environment of script and evaluator within that of the loop. */
function environmentOf(
  director: TaskResult,
  { name, outputSlot }: AtomicTask,
  checkpoint: Readonly<Record<string, string>>,
  around: Environment,
): Environment {
  const bound = boundResult(director);
  const slots = [name, outputSlot].filter(each => each !== undefined);
  return around.extend([
    ...roundNames.map((each): [string, Bound] => [each, boundValue('')]),
    [judgedName, boundValue(bound.text)],
    ...slots.map((each): [string, Bound] => [each, bound]),
    ...boundTexts(checkpoint),
  ]);
}

function withOutcome(outcome: ScriptOutcome | undefined, name: string | undefined, around: Environment) {
  const bound = boundOutcome(outcome);
  const { script_evidence: _, ...own } = bound;
  const fields = Object.fromEntries(Object.entries(own).map(([each, { text }]) => [each, text]));
  const named: [string, Bound][] =
    name === undefined ? [] : [[name, { text: bound.stdout.text, fields, value: fields }]];
  return around.extend([...Object.entries(bound), ...named]);
}

/** The outputs from before the round, and those of its director and script as an evaluator sees them. */
function outputsOf(
  director: TaskResult,
  task: DirectorEvaluatorTask,
  script: TaskResult | undefined,
  scriptTask: ScriptTask | undefined,
  { earlier }: TaskPlace,
): string {
  const steps = [{ step: nameOf(task.director), result: director }];
  const outcome = script?.notes.script;
  if (outcome && scriptTask) {
    const { stdout, stderr, exit_code } = shownToModel(outcome);
    const result = { ...script, content: stdout, outputs: { stderr, exit_code } };
    steps.push({ step: nameOf(scriptTask), result });
  }
  return withSteps(earlier, steps);
}
