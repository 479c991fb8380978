// What the model is told of an execution: its value or its error, and what it printed.
import { lastResultId } from '../stores.ts';
import type { Attempt, CompletedAttempt, FailedAttempt } from './attempt.ts';

/** Characters of a value and of the output that go into the conversation; the whole value can be read by its id. */
const VALUE = 8000;
const OUTPUT = 4000;
const MESSAGE = 1000;

export function completedText(attempt: CompletedAttempt): string {
  const { value, valueKind } = attempt;
  const shown = value.slice(0, VALUE).toWellFormed();
  const isWhole = shown.length === value.length && valueKind !== 'cut';
  const rest = isWhole
    ? ''
    : ` (its first ${shown.length} characters; the vault has more as ${lastResultId})`;
  return [`Returned${rest}: ${shown}`, ...output(attempt)].join('\n');
}

/** `earlier`: attempts before the last one that the model shall see too. */
export function failedText(
  failed: FailedAttempt,
  {
    attempts,
    earlier,
    notes,
    isVerbose,
  }: { attempts: number; earlier: readonly FailedAttempt[]; notes: readonly string[]; isVerbose: boolean },
): string {
  return [
    ...earlier.flatMap((each, index) => [`Attempt ${index + 1}: ${errorText(each)}`, ...output(each)]),
    errorText(failed),
    ...(isVerbose && failed.error.stack !== undefined ? [failed.error.stack] : []),
    attempts > 1 ? `Tried ${attempts} times. What it wrote was undone.` : 'What it wrote was undone.',
    ...output(failed),
    ...new Set(notes),
  ].join('\n');
}

/** The class, the error in its own words, and the place. */
function errorText({ row, error: { name, message, line, column } }: FailedAttempt): string {
  const place =
    line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`})`;
  return `${row.class}: ${name}: ${message.slice(0, MESSAGE).toWellFormed()}${place}`;
}

function output({ console: lines, omittedOutput }: Attempt): string[] {
  if (lines.length === 0) return [];
  const all = lines.map(({ level, text }) => `${level}: ${text}`).join('\n');
  const shown = all.slice(0, OUTPUT).toWellFormed();
  const left = all.length - shown.length + omittedOutput.chars;
  return ['Output:', shown, ...(left > 0 ? [`(${left} more characters were left out)`] : [])];
}
