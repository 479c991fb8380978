// A program's source -> its checked tree and every problem in it.
import type { Task } from './ast.ts';
import { didYouMean } from '../lib/nearest.ts';
import { emptyLibrary, type Library, type Template } from './library.ts';
import type { Problem, Report } from './problem.ts';
import { checkNames } from './scope.ts';
import { readTask } from './task-element.ts';
import { type Element, parseTree } from './tree.ts';

/** More problems than this in one source help nobody: reading stops. */
const PROBLEM_LIMIT = 200;

/** Stops the reading of a source that has used up the limit. */
class Enough extends Error {}

export interface Parsed {
  /** Undefined exactly when one of the problems is an error. */
  program: Task | undefined;
  problems: Problem[];
}

/**
 * Parses and checks a program. Goes on after an error and reports all (up to 200), in the order of the source.
 * `file` is the name that problems carry; `library` holds what `ref` and `call` can name.
 */
export function parseProgram(source: string, file: string, library: Library = emptyLibrary): Parsed {
  return checked(report => {
    const root = parseTree(source, file, report);
    if (!root) return undefined;
    if (root.name !== 'task') {
      report(root.at, `the root element is <task>, not <${root.name}>${didYouMean(root.name, ['task'])}`);
      return undefined;
    }
    return readRoot(root, report, library);
  });
}

/** A template as a program of its own, read and checked as `parseProgram` does. */
export function readTemplate(template: Template, library: Library): Parsed {
  const { program, problems } = checked(report => readRoot(template.element, report, library));
  const { name, digest } = template;
  return { program: program && { ...program, template: { name, digest } }, problems };
}

function readRoot(root: Element, report: Report, library: Library): Task {
  const broken = new Set<Task>();
  const program = readTask(root, report, broken, library);
  checkNames(program, report, broken, library);
  return program;
}

function checked(read: (report: Report) => Task | undefined): Parsed {
  const problems: Problem[] = [];
  let errors = 0;
  const report: Report = ({ file, line, column }, message, severity = 'error') => {
    if (severity === 'error') errors++;
    else if (problems.length >= PROBLEM_LIMIT) return;
    problems.push({ file, line, column, severity, message });
    if (errors >= PROBLEM_LIMIT) throw new Enough();
  };
  let program: Task | undefined;
  try {
    program = read(report);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { program: errors === 0 ? program : undefined, problems };
}
