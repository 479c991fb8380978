// Evaluates a checked program: the one entry to the task language's evaluator.
import type { Task } from '../language/ast.ts';
import { boundValue, Environment } from '../language/environment.ts';
import { addSpent, TaskError, type TaskResult } from '../language/result.ts';
import { missingInput } from '../language/substitute.ts';
import type { Json } from '../lib/json.ts';
import type { ModelMessage } from '../models/model.ts';
import { runAtomic } from './atomic.ts';
import { runDirectorEvaluator } from './director-evaluator.ts';
import { bindInputs } from './inputs.ts';
import type { Context, EvaluateOptions, RunTask } from './options.ts';
import { preflight } from './preflight.ts';
import { runScript } from './script.ts';
import { runSequential } from './sequential.ts';

export type { EvaluateOptions, ScriptRequest, TaskEvent } from './options.ts';

/** A result, with the whole conversation when the program is a single atomic task; else it is empty. */
export interface Evaluated extends TaskResult {
  messages: ModelMessage[];
}

/**
 * Evaluates `program` with `inputs` for the root's parameters. Throws TaskError, whose notes keep what was finished
 * and what was spent; the signal's reason when it aborts; and what a seam throws that is neither.
 * Nothing has run when a VALIDATION_ERROR, INVALID_INPUT or a missing parameter is reported.
 */
export async function evaluate(
  program: Task,
  inputs: Readonly<Record<string, Json>>,
  options: EvaluateOptions,
): Promise<Evaluated> {
  options.signal.throwIfAborted();
  preflight(program, options);
  if (options.history && program.type !== 'atomic')
    throw new TaskError(
      { code: 'INVALID_INPUT' },
      `a conversation can be gone on with in an atomic task only, not in type ${program.type}`,
    );
  const { environment, warnings } = bindParameters(program, inputs, options.settings);
  const context: Context = { options, signal: options.signal, run };
  const { messages = [], ...result } = await run(program, environment, options.key, context);
  return {
    ...result,
    notes: { ...result.notes, warnings: [...warnings, ...result.notes.warnings] },
    messages,
  };

  /** The conversation belongs to the root; every other session begins its own. */
  async function perform(
    ...[task, inner, key, around, judged = false]: Parameters<RunTask>
  ): ReturnType<RunTask> {
    switch (task.type) {
      case 'atomic': {
        const { history, prompt } = options;
        const conversation =
          task === program && history ? { history, ...(prompt !== undefined && { prompt }) } : {};
        return await runAtomic(task, inner, key, around, conversation);
      }
      case 'sequential':
        return await runSequential(task, inner, key, around);
      case 'script':
        return await runScript(task, inner, around, judged);
      case 'director-evaluator':
        return await runDirectorEvaluator(task, inner, key, around);
    }
  }

  async function run(...[task, outer, key, around, judged]: Parameters<RunTask>): ReturnType<RunTask> {
    const { environment: inner, spent } = await bindInputs(task, outer, key, around);
    try {
      const done = await perform(task, inner, key, around, judged);
      return { ...done, notes: { ...done.notes, ...addSpent(done.notes, spent) } };
    } catch (error) {
      throw error instanceof TaskError ? error.with(spent) : error;
    }
  }
}

/** The settings, then the root's parameters. Throws TASK_FAILURE `missing_input` for a parameter without a value. */
function bindParameters(
  program: Task,
  inputs: Readonly<Record<string, Json>>,
  settings: EvaluateOptions['settings'],
): { environment: Environment; warnings: string[] } {
  const parameters = program.inputs.filter(input => input.value.kind === 'parameter');
  for (const { name, at } of parameters) if (!Object.hasOwn(inputs, name)) throw missingInput(name, at);
  const known = new Set(parameters.map(input => input.name));
  const warnings = Object.keys(inputs)
    .filter(name => !known.has(name))
    .map(name => `input "${name}" is no parameter of the program and is ignored`);
  const environment = new Environment(
    Object.entries(settings).map(([name, value]) => [name, boundValue(value)]),
  ).extend(parameters.map(({ name }) => [name, boundValue(inputs[name]!)]));
  return { environment, warnings };
}
