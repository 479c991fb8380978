// Results of a reply's operations, as text for the model.
import { fencedOff } from '../../language/quote.ts';
import { type Operation, type OperationProblem, type Activity, verbs } from '../operation.ts';
import type { Iteration } from '../iteration.ts';
import type { Session } from '../session-in-progress.ts';
import { kept } from '../state.ts';

interface TagResult {
  asked: Operation | OperationProblem;
  outcome: { ok: boolean; text: string };
  /** Position of the tag in the reply. */
  at?: { line?: number; column?: number };
}

const LINE_END = /[\n\r\u2028\u2029]/;

/**
 * One numbered part for each tag, in the order of the reply: what it was, and what came of it. What a tool answered,
 * and all that has more than one line (entries, values, output), is fenced, so that none of it can pass for a part
 * or for the session's own words.
 */
export function answersText(results: readonly TagResult[]): string {
  const parts = results.map(({ asked, outcome, at }, index) => {
    const place = at?.line === undefined ? '' : ` at ${at.line}:${at.column}`;
    const isTool = 'kind' in asked && asked.kind === 'tool';
    const isOwn = !isTool && !LINE_END.test(outcome.text);
    const text = isOwn ? ` ${outcome.text}` : `\n${fencedOff(outcome.text) || '(nothing)'}`;
    return `${index + 1}. ${nameOf(asked)}${outcome.ok ? '' : `, error${place}`}:${text}`;
  });
  return ['What your operations came to:', ...parts].join('\n');
}

function nameOf(asked: Operation | OperationProblem): string {
  if ('message' in asked) return 'tag';
  const { type, id } = labelOf(asked);
  return id === '' ? type : `${type} ${id}`;
}

/** Characters (UTF-16 units) of all answers to one reply. */
export const ANSWER_CHARS = 256 * 1024;

const TOLD = `The answers to one reply hold ${ANSWER_CHARS} characters.`;
const AGAIN =
  'What was asked for was carried out; to see it, ask for it again in your next reply, and for less.';

/** Cuts the answers to one reply, in their order, to what is left for them; says what was left out, and the remedy. */
export function answerBudget(): (text: string) => string {
  let left = ANSWER_CHARS;
  return text => {
    // A short one is no longer than what it would be replaced by.
    if (text.length <= TOLD.length + AGAIN.length) return text;
    const shown = text.slice(0, left).toWellFormed();
    left -= shown.length;
    if (shown.length === text.length) return text;
    const note = `(${text.length - shown.length} characters were left out. ${TOLD} ${AGAIN})`;
    return shown === '' ? note : `${shown}\n${note}`;
  };
}

/** Characters of an error and of an id: they are kept with the session. */
const ERROR_CHARS = 500;
const ID_CHARS = 200;
/** Errors of one iteration that are kept; the rest is counted. A reply of a page can make thousands. */
const ERRORS = 20;

/** `error`: why the operation failed, undefined where it did not. */
export function note(
  asked: Operation | OperationProblem,
  error: string | undefined,
  { state }: Pick<Session, 'state'>,
  iteration: Iteration,
): void {
  iteration.operations++;
  state.counts.operations++;
  if (error !== undefined) {
    if (iteration.errors.length < ERRORS) iteration.errors.push(error.slice(0, ERROR_CHARS));
    else iteration.moreErrors = (iteration.moreErrors ?? 0) + 1;
  }
  const row: Activity = {
    ...labelOf(asked),
    status: error === undefined ? 'ok' : 'error',
    ...(error !== undefined && { error: error.slice(0, ERROR_CHARS) }),
    index: state.counts.operations,
  };
  state.activity = [...state.activity, row].slice(-kept.activity);
}

/** Name of an operation, in the log and for the model, the id cut to its beginning. */
function labelOf(asked: Operation | OperationProblem): Pick<Activity, 'type' | 'action' | 'id'> {
  if ('message' in asked) return { type: 'parse', action: 'read', id: '' };
  const action = 'action' in asked ? asked.action : verbs[asked.kind];
  return { type: asked.kind, action, id: idOf(asked).slice(0, ID_CHARS) };
}

function idOf(operation: Operation): string {
  if ('id' in operation) return operation.id;
  if ('identifier' in operation) return operation.identifier;
  return 'name' in operation ? operation.name : '';
}
