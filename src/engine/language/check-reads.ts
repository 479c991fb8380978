// Checks what reads a name: a placeholder of a text, a setting in a command, a name in a test.
import { didYouMean } from '../../lib/nearest.ts';
import type { Case } from './ast.ts';
import { isSetting, previousOutput, settingNames } from './names.ts';
import type { Position, Report } from './problem.ts';
import type { Name, Scope } from './scope.ts';
import { type Placeholder, placeholders, type TemplateText } from './text.ts';

/** The result of the step before, of which a test can read the outputs; null: there is no step before. */
export type Previous = Name | null;

/** Reports what the placeholders of a text cannot read, and marks what they do. */
export function checkText(text: TemplateText | undefined, scope: Scope, report: Report): void {
  if (!text) return;
  for (const part of text.parts)
    if (typeof part !== 'string') checkPlaceholder(part, scope, report, 'content');
}

/** As `checkText`, of one placeholder or the `from` of an input, which stands for the outputs of a result, too. */
export function checkPlaceholder(
  { name: path, at }: Placeholder,
  scope: Scope,
  report: Report,
  reads: 'content' | 'all' = 'all',
): void {
  const found = scope.find(path, at.file);
  if (!found) {
    report(at, `nothing binds "${path}"${didYouMean(path, scope.names(at.file))}`);
    return;
  }
  checkField(found.name, found.field, found.bound, found.bound.fields, at, report, reads);
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

/** Reports what the test of a case cannot read. `previous`: what `output` stands for there. */
export function checkTest({ reads, testAt }: Case, scope: Scope, previous: Previous, report: Report): void {
  const { file } = testAt;
  for (const { name, path } of reads) {
    const [field] = path;
    const found = scope.getAnyCase(name, file);
    if (name.toLowerCase() === previousOutput) {
      checkOutput(field, previous, testAt, report);
      if (found)
        report(
          testAt,
          `"${name}" is the result of the step before: a test cannot read the binding "${found.name}"; give that another name`,
          'warning',
        );
    } else if (found) {
      const members = membersOf(found.bound);
      checkField(found.name, anyCase(field, members), found.bound, members, testAt, report);
    } else report(testAt, unreadable(name, path, scope, file));
  }
}

/** The name among `names` that a test means by `written`, whatever the case of its letters. */
function anyCase(written: string | undefined, names: readonly string[] | undefined): string | undefined {
  if (written === undefined || !names || names.includes(written)) return written;
  return names.find(each => each.toLowerCase() === written.toLowerCase()) ?? written;
}

/** `output`: the result of the step before. */
function checkOutput(field: string | undefined, previous: Previous, at: Position, report: Report): void {
  if (previous === null) {
    report(at, '"output" is the result of the step before, and there is none');
    return;
  }
  const members = previous.fields && [...previous.fields, 'content', 'status'];
  const read = anyCase(field, members);
  const isUnknown = read !== undefined && members !== undefined && !members.includes(read);
  markRead(previous, isUnknown ? undefined : read);
  if (isUnknown)
    report(at, `the step before has no output "${read}"${didYouMean(read, previous.fields ?? [])}`);
}

/** `field` of the name is read; undefined: all of it; empty: the content alone. */
function markRead(name: Name, field: string | undefined): void {
  name.used = true;
  if (field === undefined) name.read = 'all';
  else if (name.read !== 'all') {
    name.read ??= new Set();
    name.read.add(field);
  }
}

/** In a test, a result with outputs has its content beside them. */
function membersOf({ fields }: Name): readonly string[] | undefined {
  return fields && fields.length > 0 ? [...fields, 'content'] : fields;
}

/** Why a test cannot read a name that nothing binds as it stands there. */
function unreadable(name: string, path: readonly string[], scope: Scope, file: string): string {
  const dotted = scope.find([name, ...path].join('.'), file)?.name;
  return dotted === undefined
    ? `nothing binds "${name}"${didYouMean(name, scope.names(file))}`
    : `a test cannot read "${dotted}", whose name has a dot: give it another name with <input name="..." from="${dotted}"/>`;
}

/** Marks the name as read; `fields` are what may be read of it, undefined: anything. */
function checkField(
  name: string,
  field: string | undefined,
  bound: Name,
  fields: readonly string[] | undefined,
  at: Position,
  report: Report,
  reads: 'content' | 'all' = 'all',
): void {
  const isUnknown = field !== undefined && fields !== undefined && !fields.includes(field);
  // Of an unknown field it cannot be told which one was meant.
  markRead(bound, isUnknown ? undefined : (field ?? (reads === 'content' ? '' : undefined)));
  if (bound.parameters) report(at, `"${name}" is a function: it can be called, not read`);
  else if (isUnknown) report(at, `"${name}" has no field "${field}"${didYouMean(field, fields)}`);
}
