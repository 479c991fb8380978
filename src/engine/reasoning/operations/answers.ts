// What the model is told of the operations of a reply.
import { fencedOff } from '../../language/quote.ts';
import type { Operation, OperationProblem } from '../operation.ts';
import { labelOf } from './activity.ts';

export interface TagResult {
  asked: Operation | OperationProblem;
  outcome: { ok: boolean; text: string };
  /** Where the tag stands in the reply. */
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
