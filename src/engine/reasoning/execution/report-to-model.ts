// The model's view of an execution: parts removed from it, parts added after a failure, and its wording. Records and
// logs keep everything.
import type { StoreName } from '../../sandbox/entries.ts';
import type { MissingRead } from '../../sandbox/stores.ts';
import { lastResultId, type Stores } from '../stores.ts';
import {
  type ExecutionAttempt,
  beginningOf,
  type CompletedAttempt,
  type ExecutionRecord,
  type FailedAttempt,
} from './record.ts';

/** The model's view of an execution besides its last attempt. Immutable. */
export interface SeenContext {
  /** The execution log: earlier attempts, all failed. */
  readonly log: readonly FailedAttempt[];
  /** The access tracker: ids that were asked for in vain. */
  readonly missing: readonly string[];
  /** The reasoning log: what the model wrote before it executed the code. */
  readonly reasoning: string;
  /** Added texts: valid ids, hints. */
  readonly notes: readonly string[];
}

const TIMEOUT_HINT =
  'Hint: the time limit was reached. Do less at once: fewer or smaller steps, results kept in the vault between ' +
  'executions, no waiting for what may never come.';

/** Parts that can be removed from the context or added to it. */
type Cleaner = 'executionLog' | 'tracker' | 'validIds' | 'hint';

/**
 * The context after the failed attempt, and what changed it. `stores`: as they were before the attempt, and are again.
 * `cleans`: the class of the error and the policy have the tracker cleared. Writes of the attempt are undone in any case.
 */
export function cleaned(
  seen: SeenContext,
  { failed, stores, cleans }: { failed: FailedAttempt; stores: Stores; cleans: boolean },
): { seen: SeenContext; what: Cleaner[] } {
  const what: Cleaner[] = [];
  let next = seen;
  const change = (name: Cleaner, isDue: boolean, to: Partial<SeenContext>, note?: string) => {
    const isNew = note !== undefined && !next.notes.includes(note);
    if (!isDue || (note !== undefined && !isNew && Object.keys(to).length === 0)) return;
    next = { ...next, ...to, ...(isNew && { notes: [...next.notes, note] }) };
    what.push(name);
  };
  change('executionLog', seen.log.length > 0, { log: [] });
  // The model is told of them in their place: code may have caught what would have told it.
  const asked = `Asked for in vain: ${listed(seen.missing)}`;
  change('tracker', cleans && seen.missing.length > 0, { missing: [] }, asked);
  const { adds } = failed.row;
  change('validIds', adds === 'validIds', {}, validIdsNote(validIds(stores, failed.missingReads)));
  change('hint', adds === 'hint', {}, TIMEOUT_HINT);
  return { seen: next, what };
}

/** Characters of a list of ids. */
const IDS = 2000;

function listed(ids: readonly string[]): string {
  const list = ids.map(id => JSON.stringify(id)).join(', ');
  return list.length > IDS ? `${beginningOf(list, IDS)} ...` : list;
}

/** The ids as a line for the model. */
const validIdsNote = (ids: readonly string[]): string =>
  ids.length === 0 ? 'Valid ids: there are none yet.' : `Valid ids: ${listed(ids)}`;

/** Ids that are named at most: the newest ones. */
const VALID = 100;

/** The ids that code could have meant: of the stores that were asked in vain; of the vault where none was. */
export function validIds(stores: Stores, missing: readonly MissingRead[]): string[] {
  const asked = new Set<StoreName>(missing.length === 0 ? ['vault'] : missing.map(({ store }) => store));
  const ids = {
    vault: stores.vault.map(({ id }) => id),
    memory: stores.memory.map(({ identifier }) => identifier),
    tasks: stores.tasks.map(({ identifier }) => identifier),
    goals: stores.goals.map(({ identifier }) => identifier),
  };
  return [...asked].flatMap(store => ids[store]).slice(-VALID);
}

/** Ids that the access tracker keeps, the newest, and characters of one: it is kept with the session. */
const TRACKED = 100;
const ID_CHARS = 200;

/** The access tracker with `ids`, each once. */
export function tracked(before: readonly string[], ids: readonly string[]): string[] {
  const newest = ids.slice(-TRACKED).map(id => id.slice(0, ID_CHARS));
  return [...new Set([...before, ...newest])].slice(-TRACKED);
}

/** Characters of a value and of the output that go into the conversation; the whole value can be read by its id. */
const VALUE = 8000;
const OUTPUT = 4000;
const MESSAGE = 1000;

export function completedText(attempt: CompletedAttempt): string {
  const { value, valueKind, late } = attempt;
  const shown = beginningOf(value, VALUE);
  const isWhole = shown.length === value.length && valueKind !== 'cut';
  const rest = isWhole
    ? ''
    : ` (its first ${shown.length} characters; the vault has more as ${lastResultId})`;
  const tooLate = late === undefined ? [] : ['Too late for the result:', late];
  return [`Returned${rest}: ${shown}`, ...tooLate, ...output(attempt)].join('\n');
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

function output({ console: lines, omittedOutput }: ExecutionAttempt): string[] {
  if (lines.length === 0) return [];
  const all = lines.map(({ level, text }) => `${level}: ${text}`).join('\n');
  const shown = beginningOf(all, OUTPUT);
  const left = all.length - shown.length + omittedOutput.chars;
  return ['Output:', shown, ...(left > 0 ? [`(${left} more characters were left out)`] : [])];
}

/** Attempts at mending one failure. */
export const RECOVERY_ATTEMPTS = 2;

/**
 * Number (from 1) of the recovery attempt that the next failure begins; undefined once a failure has used all its
 * attempts. All failures until an execution completes count as one failure.
 */
export function nextRecovery(before: readonly ExecutionRecord[]): number | undefined {
  const since = before.slice(before.findLastIndex(({ state }) => state === 'completed') + 1);
  const given = since.filter(({ recovery }) => recovery !== undefined).length;
  return given < RECOVERY_ATTEMPTS ? given + 1 : undefined;
}

/** Characters of the line and of the reasoning that are given. */
const LINE = 200;
const REASONING = 1000;

/** The model's words around its operations, newest first, up to a limit. */
export function reasoningBefore(iterations: readonly { reasoning: string }[]): string {
  let text = '';
  for (const { reasoning } of iterations.toReversed()) {
    if (text.length >= REASONING) break;
    if (reasoning !== '') text += text === '' ? reasoning : `\n${reasoning}`;
  }
  return beginningOf(text, REASONING);
}

/** Notes for the model beside the error. `recovery` is the result of `nextRecovery`. */
export function recoveryNotes(
  recovery: number | undefined,
  failure: { failed: FailedAttempt; code: string; reasoning: string; stores: Stores },
): string[] {
  if (recovery === undefined)
    return [
      `${RECOVERY_ATTEMPTS} attempts at mending this failed. Reach what you want in another way, or without it.`,
    ];
  const { failed, code, reasoning, stores } = failure;
  const ids = validIds(stores, failed.missingReads);
  const line = failed.error.line === undefined ? undefined : code.split('\n')[failed.error.line - 1];
  return [
    ...(line === undefined ? [] : [`Line ${failed.error.line}: ${beginningOf(line.trim(), LINE)}`]),
    ...(ids.length > 0 ? [validIdsNote(ids)] : []),
    ...(reasoning === '' ? [] : [`Your reasoning before it: ${beginningOf(reasoning, REASONING)}`]),
    `Mend the code and execute it again (attempt ${recovery} of ${RECOVERY_ATTEMPTS} at mending it).`,
  ];
}
