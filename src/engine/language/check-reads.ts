// Checks what reads a name: a placeholder of a text, a setting in a command, a name in a test.
import { didYouMean } from '@echelon/ground';
import type { Case, Task } from './ast.ts';
import { checkComparisons } from './check-comparisons.ts';
import { isSetting, previousOutput, settingNames } from './names.ts';
import type { Position, Report } from './problem.ts';
import type { Name, Scope } from './scope.ts';
import { type Shape, shapeAt, unknown } from './shape.ts';
import { type Placeholder, placeholders, type Steps, type TemplateText } from './text.ts';

/** The result of the step before, of which a test can read the outputs; null: there is no step before. */
export type Previous = Name | null;

/** Reports what the placeholders of a text cannot read, and marks what they do. */
export function checkText(text: TemplateText | undefined, scope: Scope, report: Report): void {
  if (!text) return;
  for (const part of text.parts) if (typeof part !== 'string') checkPlaceholder(part, scope, report);
}

/** As `checkText`, of one placeholder or the `from` of an input. */
export function checkPlaceholder({ name: path, at }: Placeholder, scope: Scope, report: Report): void {
  if (!scope.find(path, at.file)) askFor(path, at, scope, report);
  const found = scope.find(path, at.file);
  if (!found) return;
  scope.noteRead(found.name, found.bound);
  checkRead(found, at, report);
}

/** Reports that nothing binds what is read: a warning where the program's caller is asked for it. */
function askFor(path: string, at: Position, scope: Scope, report: Report): void {
  const near = scope.ask(path, at);
  const words = didYouMean(path, near ?? scope.names(at.file));
  if (near) report(at, `nothing binds "${path}": it is asked for as a parameter${words}`, 'warning');
  else report(at, `nothing binds "${path}"${words}`);
}

/** Shape of the value that a checked placeholder reads. */
export function shapeRead({ name: path, at }: Placeholder, scope: Scope): Shape {
  const found = scope.find(path, at.file);
  return found ? shapeIn(found) : unknown;
}

interface Read {
  name: string;
  bound: Name;
  steps: Steps;
}

function shapeIn({ name, bound, steps }: Read, find?: typeof anyCase): Shape {
  const read = shapeAt(bound.shape, steps, name, find);
  return 'shape' in read ? read.shape : unknown;
}

/** In a command only settings of the run may stand. */
export function checkCommand(command: TemplateText, scope: Scope, report: Report): void {
  for (const { name: path, at } of placeholders(command)) {
    if (isSetting(path)) continue;
    report(
      at,
      scope.find(path, at.file)
        ? `only settings of the run may stand in <command>: pass "${path}" as an <input> and read it from the environment`
        : `"${path}" is not a setting of the run (${settingNames.join(', ')})${didYouMean(path, settingNames)}`,
    );
  }
}

/** Reports what the test of a case cannot read or compare. `previous`: what `output` stands for there. */
export function checkTest(
  { reads, test, testAt }: Pick<Case, 'reads' | 'test' | 'testAt'>,
  scope: Scope,
  previous: Previous,
  report: Report,
): void {
  const { file } = testAt;
  const named = (name: string): { name: string; bound: Name } | undefined =>
    name.toLowerCase() === previousOutput
      ? previous
        ? { name: 'output', bound: previous }
        : undefined
      : scope.getAnyCase(name, file);
  for (const { name, path } of reads) {
    const isOutput = name.toLowerCase() === previousOutput;
    const dotted = scope.find([name, ...path].join('.'), file);
    if (!isOutput && !named(name) && !dotted) askFor(name, testAt, scope, report);
    const found = named(name);
    const hidden = isOutput ? scope.getAnyCase(name, file) : undefined;
    if (found) scope.noteRead(found.name, found.bound);
    if (found) checkRead({ ...found, steps: path }, testAt, report, anyCase);
    else if (isOutput) report(testAt, '"output" is the result of the step before, and there is none');
    else if (dotted)
      report(
        testAt,
        `a test cannot read "${dotted.name}", whose name has a dot: give it another name with <input name="..." from="${dotted.name}"/>`,
      );
    if (hidden)
      report(
        testAt,
        `"${name}" is the result of the step before: a test cannot read the binding "${hidden.name}"; give that another name`,
        'warning',
      );
  }
  checkComparisons(
    test,
    (name, steps) => {
      const found = named(name);
      return found ? shapeIn({ ...found, steps }, anyCase) : unknown;
    },
    problem => report(testAt, problem),
  );
}

/** The name among `names` that a test means by `written`, whatever the case of its letters. */
function anyCase(written: string, names: readonly string[]): string {
  if (names.includes(written)) return written;
  return names.find(each => each.toLowerCase() === written.toLowerCase()) ?? written;
}

/** Reports what cannot be read of a name, and marks what is. */
function checkRead(read: Read, at: Position, report: Report, find?: typeof anyCase): void {
  const { name, bound, steps } = read;
  const into = shapeAt(bound.shape, steps, name, find);
  const [first] = steps;
  const isUnknown = 'problem' in into;
  // The whole is its outputs, too. Of an unknown field it cannot be told which one was meant.
  if (isUnknown || typeof first !== 'string') markRead(bound, 'all');
  else markRead(bound, find ? find(first, [...(bound.shape.members?.keys() ?? [])]) : first);
  if (bound.parameters) report(at, `"${name}" is a function: it can be called, not read`);
  else if (isUnknown) report(at, into.problem);
}

/** The field is read; `all`: everything. */
function markRead(name: Name, field: string): void {
  name.used = true;
  if (field === 'all') name.read = 'all';
  else if (name.read !== 'all') {
    name.read ??= new Set();
    name.read.add(field);
  }
}

/** Warns of the outputs that a step declares and that nothing reads. */
export function warnOfUnread(step: Task, { shape, read }: Name, report: Report): void {
  const declared = declaredOutputs(step);
  if (!shape.members || declared.length === 0) return;
  if (read === 'all') return;
  const missed = declared.filter(name => !read?.has(name));
  if (missed.length === declared.length)
    report(step.at, 'the outputs of this step are never read', 'warning');
  else for (const name of missed) report(step.at, `output "${name}" of this step is never read`, 'warning');
}

/** The outputs that a program asks of a model for the result of `task`, where it is certain whose they are. */
function declaredOutputs(task: Task): string[] {
  switch (task.type) {
    case 'atomic':
      return task.outputs.map(({ name }) => name);
    case 'let':
      return declaredOutputs(task.body);
    case 'sequential': {
      const last = task.steps.findLast(step => step.type !== 'function');
      return last && !task.context.accumulate ? declaredOutputs(last) : [];
    }
    default:
      return [];
  }
}
