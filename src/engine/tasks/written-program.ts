// Reads the program that a model wrote in its reply, for whatever it is to stand.
import type { FunctionTask, Task } from '../language/ast.ts';
import type { Library } from '../language/library.ts';
import { formatProblem, type Position, type Problem } from '../language/problem.ts';
import { parseProgram } from '../language/program.ts';
import { tooComplex } from './complexity.ts';
import { programIn } from './program-in-reply.ts';

/** Problems that are worth telling a model, or a person, at once. */
const MOST_TOLD = 20;

export interface WrittenProgram {
  /** What it was read from; the whole reply where that holds no program. */
  source: string;
  /** Undefined where it cannot be read, or does not run by itself; one that is too complex is there. */
  program: Exclude<Task, FunctionTask> | undefined;
  /** Of the program itself, as `file` shows their places. What it is to stand for may want more of it. */
  problems: Problem[];
}

/** The first program in `reply`: at most 200 tasks and 20 levels, and no function. */
export function readWritten(reply: string, file: string, library: Library | undefined): WrittenProgram {
  const source = programIn(reply);
  if (source === undefined) {
    const start: Position = { file, line: 1, column: 1 };
    const problems = [problemAt(start, 'the answer holds no <task> element')];
    return { source: reply, program: undefined, problems };
  }
  const { program, problems } = parseProgram(source, file, library);
  if (!program) return { source, program, problems };
  const found = tooComplex(program);
  const runs = program.type !== 'function';
  if (!runs) found.push('a function does not run by itself: the root is a task that runs');
  return {
    source,
    program: runs ? program : undefined,
    problems: [...problems, ...found.map(each => problemAt(program.at, each))],
  };
}

export function problemAt({ file, line, column }: Position, message: string): Problem {
  return { file, line, column, severity: 'error', message };
}

export function errorsIn(problems: readonly Problem[]): Problem[] {
  return problems.filter(({ severity }) => severity !== 'warning');
}

/** The first 20, a line each. */
export function toldOf(problems: readonly Problem[]): string {
  return problems.slice(0, MOST_TOLD).map(formatProblem).join('\n');
}
