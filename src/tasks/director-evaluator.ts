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
} from '../language/result.ts';
import { substitute } from '../language/substitute.ts';
import { boundResult } from './inputs.ts';
import { type Context, nameOf } from './options.ts';
import { boundOutcome } from './script.ts';

/**
 * The director's last result with the evaluation in its notes. Every round starts a new conversation: of the rounds
 * before, a director sees the last evaluation only, so that its context does not grow.
 * Throws TaskError TASK_FAILURE `rejected` when no round within `<max_rounds>` is a success.
 */
export async function runDirectorEvaluator(
  task: DirectorEvaluatorTask,
  environment: Environment,
  key: string,
  context: Context,
): Promise<TaskResult> {
  const { options } = context;
  const rounds = maxRounds(task, environment);
  const total: Pick<Notes, 'rounds' | 'evaluation' | 'script'> & Spent = { ...nothingSpent, rounds: 0 };
  try {
    for (let n = 1; n <= rounds; n++) {
      context.signal.throwIfAborted();
      const director = await runDirector(n, total.evaluation);
      const { evaluation, script } = await evaluateRound(n, director);
      Object.assign(total, { rounds: n, evaluation }, script && { script });
      options.onEvent?.({ type: 'round', task: nameOf(task), n, ...evaluation });
      if (evaluation.success)
        return { ...director, status: 'COMPLETE', notes: { ...director.notes, ...total } };
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

  async function runDirector(n: number, last: Evaluation | undefined): Promise<TaskResult> {
    const bound: Bound = last
      ? { text: last.feedback ?? '', fields: { ...last } }
      : { text: '', fields: { success: '', feedback: '' } };
    const inner = environment.extend([[lastEvaluation, bound]]);
    const { messages: _messages, ...result } = await context.run(
      task.director,
      inner,
      `${key}/director-${n}`,
      context,
    );
    spend(result.notes);
    if (result.status === 'FAILED')
      throw new TaskError(
        { code: 'TASK_FAILURE', reason: 'failed' },
        `the director ended as failed: ${result.content.slice(0, 500)}`,
      );
    const warnings = Object.keys(result.notes.model ?? {})
      .filter(request => request === 'evaluation_request' || request === 'subtask_request')
      .map(request => `${request} is not available yet; the declared script and evaluator judged the round`);
    return { ...result, notes: { ...result.notes, warnings: [...result.notes.warnings, ...warnings] } };
  }

  async function evaluateRound(
    n: number,
    director: TaskResult,
  ): Promise<{ evaluation: Evaluation; script: ScriptOutcome | undefined }> {
    const checkpoint = Object.entries((await options.checkpoint?.(n)) ?? {});
    let inner = environment.extend([
      ...roundNames.map((name): [string, Bound] => [name, boundValue('')]),
      ['target_content', boundValue(director.content)],
      ...(task.director.name === undefined ? [] : [[task.director.name, boundResult(director)] as const]),
      ...checkpoint.map(([name, value]): [string, Bound] => [name, boundValue(value)]),
    ]);
    let script: ScriptOutcome | undefined;
    if (task.script) {
      const result = await context.run(task.script, inner, `${key}/script-${n}`, context, true);
      spend(result.notes);
      script = result.notes.script;
      const bound = boundOutcome(script);
      const fields = Object.fromEntries(Object.entries(bound).map(([name, { text }]) => [name, text]));
      inner = inner.extend([
        ...Object.entries(bound),
        ...(task.script.name === undefined
          ? []
          : [[task.script.name, { text: bound.stdout.text, fields }] as const]),
      ]);
    }
    const judged = await context.run(task.evaluator, inner, `${key}/evaluator-${n}`, context);
    spend(judged.notes);
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
