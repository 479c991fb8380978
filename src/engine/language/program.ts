// A program's source -> its checked tree and every problem in it.
import { didYouMean } from '@echelon/ground';
import type { Task } from './ast.ts';
import { emptyLibrary, type Library, type Template } from './library.ts';
import { isSame, type Problem, problemOf, type Report } from './problem.ts';
import { checkNames, type FreeNames } from './check-names.ts';
import type { Flow, KnownPreceding } from './scope.ts';
import { readTask } from './task-element.ts';
import type { Element } from './element.ts';
import { printElements } from './print.ts';
import { canonicalForm } from './shorthand.ts';
import { type Surface, surfaceOf } from './surface/surface.ts';
import { readTree } from './tree.ts';

/** More problems than this in one source help nobody: reading stops. */
const PROBLEM_LIMIT = 200;

/** Stops the reading of a source that has used up the limit. */
class Enough extends Error {}

export interface Parsed {
  /** Undefined exactly when one of the problems is an error. */
  program: Task | undefined;
  problems: Problem[];
  /** The names bound before it that it reads. */
  reads: readonly string[];
  /** Data flow between its tasks: one entry for each place that reads. */
  flows: readonly Flow[];
}

/**
 * Parses and checks a program. Goes on after an error and reports all (up to 200), in the order of the source.
 * `file` is the name that problems carry; `library` holds what `ref` and `call` can name. A name that nothing binds is
 * refused, or else a parameter of the program, with a warning. `preceding`: what was bound before it.
 */
export function parseProgram(
  source: string,
  file: string,
  library: Library = emptyLibrary,
  freeNames: FreeNames = 'refused',
  preceding?: KnownPreceding,
): Parsed {
  return checked(report => {
    const { root: written, unfinished } = readTree(source, file, report);
    if (!written) return undefined;
    const root = unfinished.length > 0 ? written : canonicalForm(written);
    if (root.name !== 'task') {
      const near = didYouMean(root.name, ['task']);
      report(root.at, `the root element is <task>, not <${root.name}>${near}`);
      if (near === '') return undefined;
    }
    if (unfinished.length > 0) return readBeginning(root, unfinished, report, library, preceding);
    return readRoot(root, report, library, freeNames, preceding);
  });
}

/**
 * Reports what is wrong in a program of which the end is not known, as far as no end could mend it: nothing of what
 * the `unfinished` elements lack, no name that one of them may still bind, and no warning.
 */
function readBeginning(
  root: Element,
  unfinished: readonly Element[],
  report: Report,
  library: Library,
  preceding: KnownPreceding | undefined,
): undefined {
  const open = unfinished.map(({ at }) => at);
  const certain: Report = (at, message, kind) => {
    if (kind !== 'warning' && !open.some(each => isSame(each, at))) report(at, message, kind);
  };
  const read = readTask(root, certain, library);
  if (unfinished.every(each => each.name !== 'task' || bindsNoMore(each, unfinished)))
    checkNames(read, certain, library, 'refused', preceding);
}

/** True if the unread rest of a task cannot bind a name that the part already read can see. */
function bindsNoMore({ attributes, children }: Element, unfinished: readonly Element[]): boolean {
  const type = attributes.get('type')?.value ?? 'atomic';
  const inputs = children.find(child => child.kind === 'element' && child.name === 'inputs');
  const isKnown = ['atomic', 'sequential', 'map', 'cond'].includes(type) && !attributes.has('ref');
  return isKnown && inputs?.kind === 'element' && !unfinished.includes(inputs);
}

/**
 * The source in canonical form, with its comments: what it means is the same. It is written in the surface `to`, which is
 * its own where none is given. Undefined, with the problems, where it is not well-formed.
 */
export function formatProgram(
  source: string,
  file: string,
  to: Surface = surfaceOf(source, file),
): { text: string; problems?: never } | { text?: never; problems: Problem[] } {
  let text = '';
  const { problems } = checked(report => {
    const { root } = readTree(source, file, report);
    if (root) text = printElements(canonicalForm(root), to);
    return undefined;
  });
  return problems.length > 0 ? { problems } : { text };
}

/** A template as a program of its own, read and checked as `parseProgram` does. */
export function readTemplate(template: Template, library: Library): Parsed {
  const { program: own, flows, ...read } = checked(report => readRoot(template.element, report, library));
  const { name, digest } = template;
  const program = own && { ...own, template: { name, digest } };
  const known = (task: Task) => (program && task === own ? program : task);
  return {
    ...{ program, ...read },
    flows: flows.map(({ name, from, to }) => ({ name, from: known(from), to: known(to) })),
  };
}

function readRoot(
  root: Element,
  report: Report,
  library: Library,
  freeNames?: FreeNames,
  preceding?: KnownPreceding,
): Read {
  const read = readTask(root, report, library);
  return { task: read.task, ...checkNames(read, report, library, freeNames, preceding) };
}

type Read = ({ task: Task } & Pick<Parsed, 'reads' | 'flows'>) | undefined;

function checked(read: (report: Report) => Read): Parsed {
  const problems: Problem[] = [];
  let errors = 0;
  const report: Report = (at, message, kind = 'error') => {
    if (kind !== 'warning') errors++;
    else if (problems.length >= PROBLEM_LIMIT) return;
    const isLast = errors >= PROBLEM_LIMIT;
    const more = isLast
      ? ` (the ${PROBLEM_LIMIT}th error: there may be more, nothing further was checked)`
      : '';
    problems.push(problemOf(at, message + more, kind));
    if (isLast) throw new Enough();
  };
  let found: Read;
  try {
    found = read(report);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  const { task, reads = [], flows = [] } = found ?? {};
  return { program: errors === 0 ? task : undefined, problems, reads, flows };
}
