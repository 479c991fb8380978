// Evaluates a director-evaluator: rounds of director, script and evaluator until the evaluation is a success.
import type { DirectorEvaluatorTask } from '../language/ast.ts';
import { type Bound, boundValue, type Environment } from '../language/environment.ts';
import { lastEvaluation, roundNames } from '../language/names.ts';
import {
  addSpent,
  type Evaluation,
  type Notes,
  nothingSpent,
  type ScriptOutcome,
  type Spent,
  TaskError,
  type TaskResult,
  withoutTemplate,
} from '../language/result.ts';
import { substitute } from '../language/substitute.ts';
import { placeWithin } from './context.ts';
import { boundResult } from './inputs.ts';
import { type Evaluator, nameOf, type Place } from './place.ts';
import { evaluationAsked } from './requests.ts';
import { boundOutcome } from './script.ts';
import { runSubtask, subtaskAsked } from './subtask.ts';

/** What a director is told of the round before: the evaluation, or what came of a subtask it asked for. */
interface Told {
  text: string;
  success: boolean;
}

/**
 * The director's last result with the evaluation in its notes. Every round starts a new conversation: of the rounds
 * before, a director sees the last evaluation only, so that its context does not grow.
 * Throws TaskError TASK_FAILURE `rejected` when no round within `<max_rounds>` is a success.
 */
export async function runDirectorEvaluator(
  task: DirectorEvaluatorTask,
  outer: Place,
  evaluator: Evaluator,
): Promise<TaskResult> {
  const place = await placeWithin(task, outer, evaluator, 'none');
  const { options } = evaluator;
  const { environment, key } = place;
  const rounds = maxRounds(task, environment);
  const total: Pick<Notes, 'rounds' | 'evaluation' | 'script'> & Spent = { ...nothingSpent, rounds: 0 };
  let told: Told | undefined;
  let subtasks = 0;
  try {
    for (let n = 1; n <= rounds; n++) {
      place.signal.throwIfAborted();
      const director = await runDirector(n);
      const asked = subtaskAsked(director);
      if (asked) {
        const done = await runSubtask(asked, ++subtasks, { ...place, key: `${key}/subtask-${n}` }, evaluator);
        spend(done.spent);
        told = done;
        continue;
      }
      const { evaluation, script } = await evaluateRound(n, director);
      Object.assign(total, { rounds: n, evaluation }, script && { script });
      options.onEvent?.({ type: 'round', task: nameOf(task), n, ...evaluation });
      if (evaluation.success) {
        const notes = { ...withoutTemplate(director.notes), ...total };
        return { ...director, status: 'COMPLETE', notes };
      }
      told = { success: false, text: evaluation.feedback ?? '' };
    }
  } catch (error) {
    throw error instanceof TaskError ? error.with(total) : error;
  }
  const feedback = total.evaluation?.feedback ?? 'no feedback was given';
  throw new TaskError(
    { code: 'TASK_FAILURE', reason: 'rejected' },
    `rejected in ${rounds === 1 ? 'the only round' : `all ${rounds} rounds`}: ${feedback}`,
    { notes: total },
  );

  function spend(spent: Spent): void {
    Object.assign(total, addSpent(total, spent));
  }

  async function runDirector(n: number): Promise<TaskResult> {
    const bound: Bound = told
      ? boundTold(told)
      : { text: '', fields: { success: '', feedback: '' }, value: '' };
    const inner = environment.extend([[lastEvaluation, bound]]);
    const result = await evaluator.run(task.director, {
      ...place,
      environment: inner,
      key: `${key}/director-${n}`,
      judged: false,
    });
    spend(result.notes);
    if (result.status === 'FAILED')
      throw new TaskError(
        { code: 'TASK_FAILURE', reason: 'failed' },
        `the director ended as failed: ${result.content.slice(0, 500)}`,
      );
    return result;
  }

  async function evaluateRound(
    n: number,
    director: TaskResult,
  ): Promise<{ evaluation: Evaluation; script: ScriptOutcome | undefined }> {
    const { scriptTask, evaluatorTask, warnings } = await judges(n, director);
    director.notes.warnings.push(...warnings);
    const checkpoint = Object.entries((await options.checkpoint?.(n)) ?? {});
    const bound = boundResult(director);
    const slots = [task.director.name, task.director.outputSlot].filter(name => name !== undefined);
    let inner = environment.extend([
      ...roundNames.map((name): [string, Bound] => [name, boundValue('')]),
      ['target_content', boundValue(director.content)],
      ...slots.map((name): [string, Bound] => [name, bound]),
      ...checkpoint.map(([name, value]): [string, Bound] => [name, boundValue(value)]),
    ]);
    const inherit = outer.inherit === 'none' ? 'none' : 'subset';
    const around: Place = { ...place, inherit, judged: true };
    let script: ScriptOutcome | undefined;
    if (scriptTask) {
      const result = await evaluator.run(scriptTask, {
        ...around,
        environment: inner,
        key: `${key}/script-${n}`,
      });
      spend(result.notes);
      script = result.notes.script;
      inner = bindOutcome(script, scriptTask.name, inner);
    }
    // Nobody judges: the director's own word counts.
    if (!evaluatorTask) return { evaluation: { success: true, feedback: null }, script };
    const judged = await evaluator.run(evaluatorTask, {
      ...around,
      environment: inner,
      key: `${key}/evaluator-${n}`,
      judged: false,
    });
    spend(judged.notes);
    // What it says of success is no verdict: it says that it could not judge.
    if (judged.status === 'FAILED')
      throw new TaskError(
        { code: 'TASK_FAILURE', reason: 'failed' },
        `the evaluator ended as failed: ${judged.content.slice(0, 500)}`,
      );
    const { success, feedback = null } = judged.outputs;
    // A verdict that is missing from an unfinished reply was let through by the reading of the envelope.
    if (typeof success !== 'boolean')
      throw new TaskError(
        { code: 'INVALID_OUTPUT', violations: ['output "success" is missing'] },
        'the evaluator gave no verdict: output "success" is missing',
      );
    const evaluation = { success, feedback: typeof feedback === 'string' ? feedback : null };
    return { evaluation: options.judge?.(evaluation, script) ?? evaluation, script };
  }

  /** What runs and judges this round: what the director asked for, else what the program declares. */
  async function judges(n: number, director: TaskResult) {
    const declared = { scriptTask: task.script, evaluatorTask: task.evaluator, warnings: [] };
    const asked = await evaluationAsked(
      director,
      task,
      { ...place, key: `${key}/evaluation-${n}` },
      evaluator,
    );
    if (asked) {
      spend(asked.spent);
      return asked;
    }
    if (director.status === 'CONTINUATION' && !task.evaluator)
      throw new TaskError(
        { code: 'TASK_FAILURE', reason: 'failed' },
        'the director wants to go on, but asks for no evaluation, and the program declares no evaluator',
      );
    return declared;
  }
}

/** Its text is what was said; a test reads success and feedback. */
function boundTold({ text, success }: Told): Bound {
  const fields = { success, feedback: text };
  return { text, fields, value: fields };
}

function bindOutcome(outcome: ScriptOutcome | undefined, name: string | undefined, environment: Environment) {
  const bound = boundOutcome(outcome);
  const fields = Object.fromEntries(Object.entries(bound).map(([each, { text }]) => [each, text]));
  const named: [string, Bound][] =
    name === undefined ? [] : [[name, { text: bound.stdout.text, fields, value: fields }]];
  return environment.extend([...Object.entries(bound), ...named]);
}

function maxRounds({ maxRounds: template }: DirectorEvaluatorTask, environment: Environment): number {
  const words = substitute(template, environment).trim();
  const { file, line, column } = template.at;
  if (!/^([1-9]|[1-4]\d|50)$/.test(words))
    throw new TaskError(
      { code: 'INVALID_INPUT' },
      `<max_rounds> is "${words}", not a whole number from 1 to 50 (${file}:${line}:${column})`,
    );
  return Number(words);
}
