// A place in a program's source, and a problem found there.
import type { LineColumn } from '@echelon/ground';

export interface Position extends LineColumn {
  file: string;
}

export const isSame = (a: Position, b: Position): boolean =>
  a.line === b.line && a.column === b.column && a.file === b.file;

export interface Problem extends Position {
  severity: 'error' | 'warning';
  message: string;
  /** Present where the source is not well-formed there. */
  syntax?: true;
}

/** The severity of a problem; `syntax` is an error by which the source is not well-formed. */
export type ProblemKind = Problem['severity'] | 'syntax';

/** Takes a problem found while reading, `error` when no kind is given; reading goes on afterwards. */
export type Report = (at: Position, message: string, kind?: ProblemKind) => void;

export function problemOf({ file, line, column }: Position, message: string, kind: ProblemKind): Problem {
  const problem: Problem = {
    file,
    line,
    column,
    severity: kind === 'warning' ? 'warning' : 'error',
    message,
  };
  if (kind === 'syntax') problem.syntax = true;
  return problem;
}

export const placeOf = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;

/** `file:line:column message`; a warning says that it is one. */
export const formatProblem = (problem: Problem): string =>
  `${placeOf(problem)} ${problem.severity === 'warning' ? 'warning: ' : ''}${problem.message}`;

/** Warnings that one result keeps: more would not be read. */
const MOST = 50;

const leftOut = 'further warnings are left out';

/** All of `lists` in order; beyond 50 the last one says that there were more. */
export function allWarnings(...lists: readonly (readonly string[])[]): string[] {
  const all = lists.flat();
  if (all.length <= MOST) return all;
  return [...all.filter(each => each !== leftOut).slice(0, MOST - 1), leftOut];
}

/** Each with the part of the task that it is about. */
export function warningsOf(part: string, warnings: readonly string[]): string[] {
  return warnings.map(each => `${part}: ${each}`);
}
