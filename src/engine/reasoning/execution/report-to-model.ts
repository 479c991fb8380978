// What the model is told of an execution: its value or its error, what it printed, and what it needs to mend it.
import { lastResultId, type Stores } from '../stores.ts';
import { validIds, validIdsNote } from './cleaning.ts';
import {
  type Attempt,
  beginningOf,
  type CompletedAttempt,
  type ExecutionRecord,
  type FailedAttempt,
} from './record.ts';

/** Characters of a value and of the output that go into the conversation; the whole value can be read by its id. */
const VALUE = 8000;
const OUTPUT = 4000;
const MESSAGE = 1000;

export function completedText(attempt: CompletedAttempt): string {
  const { value, valueKind } = attempt;
  const shown = beginningOf(value, VALUE);
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
  return `${row.class}: ${name}: ${beginningOf(message, MESSAGE)}${place}`;
}

function output({ console: lines, omittedOutput }: Attempt): string[] {
  if (lines.length === 0) return [];
  const all = lines.map(({ level, text }) => `${level}: ${text}`).join('\n');
  const shown = beginningOf(all, OUTPUT);
  const left = all.length - shown.length + omittedOutput.chars;
  return ['Output:', shown, ...(left > 0 ? [`(${left} more characters were left out)`] : [])];
}

/** Attempts at mending one failure. */
export const RECOVERY_ATTEMPTS = 2;

/**
 * What the model is given besides the error: the line at which it arose, what it wrote before the code, and the ids
 * that there are. Each can be switched off by itself.
 */
export const defaultRecovery = { context: true, reasoning: true, validIds: true };

export type RecoverySwitches = Readonly<typeof defaultRecovery>;

/**
 * Which attempt at recovery the next failure begins, from 1; nothing once one failure had its share. Until an
 * execution completes, all that fail are one failure.
 */
export function nextRecovery(before: readonly ExecutionRecord[]): number | undefined {
  const since = before.slice(before.findLastIndex(({ state }) => state === 'completed') + 1);
  const given = since.filter(({ recovery }) => recovery !== undefined).length;
  return given < RECOVERY_ATTEMPTS ? given + 1 : undefined;
}

/** Characters of the line and of the reasoning that are given. */
const LINE = 200;
const REASONING = 1000;

/** What the model wrote around its operations, newest first, as much as is given. */
export function reasoningBefore(iterations: readonly { reasoning: string }[]): string {
  let text = '';
  for (const { reasoning } of iterations.toReversed()) {
    if (text.length >= REASONING) break;
    if (reasoning !== '') text += text === '' ? reasoning : `\n${reasoning}`;
  }
  return beginningOf(text, REASONING);
}

/** What the model is told beside the error. `recovery` is what `nextRecovery` answered. */
export function recoveryNotes(
  recovery: number | undefined,
  failure: { failed: FailedAttempt; code: string; reasoning: string; stores: Stores },
  switches: RecoverySwitches = defaultRecovery,
): string[] {
  if (recovery === undefined)
    return [
      `${RECOVERY_ATTEMPTS} attempts at mending this failed. Reach what you want in another way, or without it.`,
    ];
  const { failed, code, reasoning, stores } = failure;
  const ids = validIds(stores, failed.missingReads);
  const line = failed.error.line === undefined ? undefined : code.split('\n')[failed.error.line - 1];
  return [
    ...(switches.context && line !== undefined
      ? [`Line ${failed.error.line}: ${beginningOf(line.trim(), LINE)}`]
      : []),
    ...(switches.validIds && ids.length > 0 ? [validIdsNote(ids)] : []),
    ...(switches.reasoning && reasoning !== ''
      ? [`Your reasoning before it: ${beginningOf(reasoning, REASONING)}`]
      : []),
    `Mend the code and execute it again (attempt ${recovery} of ${RECOVERY_ATTEMPTS} at mending it).`,
  ];
}
