// A program's source -> its checked tree and every problem in it.
import type { Task } from './ast.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Problem, Report } from './problem.ts';
import { checkNames } from './scope.ts';
import { readTask } from './task-element.ts';
import { parseTree } from './tree.ts';

/** More problems than this in one source help nobody: reading stops. */
const PROBLEM_LIMIT = 200;

/** Stops the reading of a source that has used up the limit. */
class Enough extends Error {}

/**
 * Parses and checks a program. Goes on after an error and reports all (up to 200), in the order of the source;
 * `program` is undefined exactly when one of the problems is an error. `file` is the name that problems carry.
 */
export function parseProgram(
  source: string,
  file: string,
): { program: Task | undefined; problems: Problem[] } {
  const problems: Problem[] = [];
  let errors = 0;
  const report: Report = ({ line, column }, message, severity = 'error') => {
    if (severity === 'error') errors++;
    else if (problems.length >= PROBLEM_LIMIT) return;
    problems.push({ file, line, column, severity, message });
    if (errors >= PROBLEM_LIMIT) throw new Enough();
  };
  let program: Task | undefined;
  try {
    program = read(source, file, report);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { program: errors === 0 ? program : undefined, problems };
}

function read(source: string, file: string, report: Report): Task | undefined {
  const root = parseTree(source, file, report);
  if (!root) return undefined;
  if (root.name !== 'task') {
    report(root.at, `the root element is <task>, not <${root.name}>${didYouMean(root.name, ['task'])}`);
    return undefined;
  }
  const broken = new Set<Task>();
  const program = readTask(root, report, broken);
  checkNames(program, report, broken);
  return program;
}
