// Turns a request in plain words into a checked program, which a model writes.
import { messageOf } from '@echelon/ground';
import { type Task, tasksIn } from '../language/ast.ts';
import { emptyLibrary } from '../language/library.ts';
import { formatProblem, type Problem } from '../language/problem.ts';
import {
  addSpent,
  type FailedTry,
  invalidInput,
  type Notes,
  nothingSpent,
  TaskError,
} from '../language/result.ts';
import { failingWith } from './ledger.ts';
import { askApart } from './ask-apart.ts';
import type { EvaluateOptions } from './evaluate.ts';
import { nameOf } from './task-place.ts';
import { errorsIn, problemAt, readWritten, toldOf } from './written-program.ts';

export type Compiled = Awaited<ReturnType<typeof compile>>;

/** A first answer, and two more with what was wrong with the one before. */
const MOST_ANSWERS = 3;

const file = 'compiled.xml';

/** Any, none, or those of these names. */
export type AllowedParameters = boolean | readonly string[];

/**
 * The program that the library's `compile` task writes for `request`. It is valid, runs by itself, is within 200
 * tasks and 20 levels, and has no parameters unless they are asked for. Throws TaskError: VALIDATION_ERROR with all
 * problems of the last of three answers, TASK_FAILURE `failed` where the model says that the request cannot be met,
 * INVALID_INPUT without a `compile` task; notes keep the answers and what they cost.
 */
export async function compile(
  request: string,
  options: EvaluateOptions,
  { parameters = false }: { parameters?: AllowedParameters } = {},
) {
  const { library = emptyLibrary } = options;
  if (!library.find('compile'))
    throw invalidInput(
      'the library has no task "compile" that could write a program: register one of that name, or take a library that has the product\'s',
    );
  const ask = askApart(options);
  const attempts: FailedTry[] = [];
  let spent = nothingSpent;
  let previous = '';
  let problems: Problem[] = [];
  for (let n = 1; n <= MOST_ANSWERS; n++) {
    const inputs = { request, problems: toldOf(problems), previous, parameters };
    const failing = failingWith({ dataUsage: spent, attempts });
    const answer = await ask('compile', inputs, `compile-${n}`).catch(failing);
    spent = addSpent(spent, answer.notes.dataUsage);
    if (answer.status === 'FAILED')
      throw new TaskError(
        { code: 'TASK_FAILURE', reason: 'failed' },
        `the request cannot be compiled: ${answer.content.slice(0, 500)}`,
        { notes: { dataUsage: spent, attempts } },
      );
    const { source, program, problems: found } = readWritten(answer.content, file, options.library);
    if (program) found.push(...unfit(program, options, parameters));
    problems = errorsIn(found);
    if (program && problems.length === 0) {
      const warnings = [...answer.notes.warnings, ...found.map(formatProblem)];
      return { program, source, warnings, spent };
    }
    previous = source;
    attempts.push({
      program: previous,
      error: { code: 'VALIDATION_ERROR', message: toldOf(problems) },
    });
  }
  throw notWritten(problems, { dataUsage: spent, attempts });
}

function notWritten(problems: readonly Problem[], notes: Partial<Notes>): TaskError {
  const { line = 1, column = 1 } = problems[0] ?? {};
  return new TaskError(
    { code: 'VALIDATION_ERROR', path: file, line, column },
    `no valid program was written in ${MOST_ANSWERS} answers; the last has these problems:\n${toldOf(problems)}`,
    { notes },
  );
}

/** Faults of a valid program as an answer. */
function unfit(program: Task, options: EvaluateOptions, parameters: AllowedParameters): Problem[] {
  const found: Problem[] = [];
  for (const { name, at, value } of program.inputs)
    if (value.kind === 'parameter' && parameters !== true && !(parameters || []).includes(name))
      found.push(problemAt(at, `nobody fills the input "${name}": give it its value from the request`));
  for (const each of tasksIn(program)) {
    if (each.type !== 'atomic' || each.model === undefined) continue;
    try {
      options.models(each.model, nameOf(each));
    } catch (error) {
      found.push(problemAt(each.at, `the model of ${nameOf(each)}: ${messageOf(error)}`));
    }
  }
  return found;
}
