// Turns a request in plain words into a checked program, which a model writes.
import { type Task, tasksIn } from '../language/ast.ts';
import { emptyLibrary } from '../language/library.ts';
import { messageOf } from '../lib/message.ts';
import { formatProblem, type Position, type Problem } from '../language/problem.ts';
import { parseProgram } from '../language/program.ts';
import {
  addSpent,
  type Attempt,
  nothingSpent,
  type Spent,
  TaskError,
  type TaskResult,
} from '../language/result.ts';
import { tooComplex } from './complexity.ts';
import { askApart } from './ask-apart.ts';
import type { EvaluateOptions } from './evaluate.ts';
import { nameOf } from './place.ts';
import { programIn } from './program-in-reply.ts';

export interface Compiled {
  program: Task;
  source: string;
  warnings: string[];
  spent: Spent;
}

/** A first answer, and two more with what was wrong with the one before. */
const MOST_ANSWERS = 3;

/** Problems that are worth telling a model, or a person, at once. */
const MOST_TOLD = 20;

const file = 'compiled.xml';

/**
 * The program that the library's `compile` task writes for `request`. It is valid, runs by itself, is within 200
 * tasks and 20 levels, and has no parameters unless they are asked for. Throws TaskError: VALIDATION_ERROR with all
 * problems of the last of three answers, TASK_FAILURE `failed` where the model says that the request cannot be met,
 * INVALID_INPUT without a `compile` task; notes keep the answers and what they cost.
 */
export async function compile(
  request: string,
  options: EvaluateOptions,
  { parameters = false }: { parameters?: boolean } = {},
): Promise<Compiled> {
  const { library = emptyLibrary } = options;
  if (!library.find('compile'))
    throw new TaskError(
      { code: 'INVALID_INPUT' },
      'the library has no task "compile" that could write a program',
    );
  const ask = askApart(options);
  const attempts: Attempt[] = [];
  let spent = nothingSpent;
  let previous = '';
  let problems: Problem[] = [];
  for (let n = 1; n <= MOST_ANSWERS; n++) {
    const told = problems.slice(0, MOST_TOLD).map(formatProblem).join('\n');
    let answer: TaskResult;
    try {
      answer = await ask('compile', { request, problems: told, previous, parameters }, `compile-${n}`);
    } catch (error) {
      throw error instanceof TaskError ? error.with({ ...spent, attempts }) : error;
    }
    spent = addSpent(spent, answer.notes);
    if (answer.status === 'FAILED')
      throw new TaskError(
        { code: 'TASK_FAILURE', reason: 'failed' },
        `the request cannot be compiled: ${answer.content.slice(0, 500)}`,
        { notes: { ...spent, attempts } },
      );
    const found = read(answer.content, options, parameters);
    previous = found.source;
    if (found.program)
      return {
        program: found.program,
        source: found.source,
        warnings: [...answer.notes.warnings, ...found.problems.map(formatProblem)],
        spent,
      };
    problems = found.problems.filter(({ severity }) => severity === 'error');
    const message = problems.slice(0, MOST_TOLD).map(formatProblem).join('\n');
    attempts.push({ program: previous, error: { code: 'VALIDATION_ERROR', message } });
  }
  const { line, column } = problems[0]!;
  const all = problems.slice(0, MOST_TOLD).map(formatProblem).join('\n');
  throw new TaskError(
    { code: 'VALIDATION_ERROR', path: file, line, column },
    `no valid program was written in ${MOST_ANSWERS} answers; the last has these problems:\n${all}`,
    { notes: { ...spent, attempts } },
  );
}

/** `program` is undefined when one of the problems is an error. */
function read(
  reply: string,
  options: EvaluateOptions,
  parameters: boolean,
): { program: Task | undefined; source: string; problems: Problem[] } {
  const source = programIn(reply);
  const start: Position = { file, line: 1, column: 1 };
  if (source === undefined)
    return {
      program: undefined,
      source: reply,
      problems: [problem(start, 'the answer holds no <task> element')],
    };
  const { program, problems } = parseProgram(source, file, options.library);
  const more = program ? unfit(program, options, parameters) : [];
  return { program: more.length === 0 ? program : undefined, source, problems: [...problems, ...more] };
}

const problem = (at: Position, message: string): Problem => ({ ...at, severity: 'error', message });

/** What is wrong with a valid program as an answer. */
function unfit(program: Task, options: EvaluateOptions, parameters: boolean): Problem[] {
  const found = tooComplex(program).map(message => problem(program.at, message));
  if (program.type === 'function')
    found.push(problem(program.at, 'a function does not run by itself: the root is a task that runs'));
  for (const { name, at, value } of program.inputs)
    if (value.kind === 'parameter' && !parameters)
      found.push(problem(at, `nobody fills the input "${name}": give it its value from the request`));
  for (const each of tasksIn(program)) {
    if (each.type !== 'atomic' || each.model === undefined) continue;
    try {
      options.models(each.model, nameOf(each));
    } catch (error) {
      found.push(problem(each.at, `the model of ${nameOf(each)}: ${messageOf(error)}`));
    }
  }
  return found;
}
