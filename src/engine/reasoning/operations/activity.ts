// What is noted of an operation, and what the model is told of those that it wrote as tags.
import { fencedOff } from '../../language/quote.ts';
import type { Activity, Operation, OperationProblem } from '../operation.ts';

/** Characters of an error and of an id in the log: it is kept with the session. */
const ERROR_CHARS = 500;
const ID_CHARS = 200;

/** The row of the tool activity log; `error` is undefined when it succeeded, `index` counts from 1. */
export function activityOf(
  asked: Operation | OperationProblem,
  error: string | undefined,
  index: number,
): Activity {
  const { type, action, id } = labelOf(asked);
  return {
    type,
    action,
    id: id.slice(0, ID_CHARS),
    status: error === undefined ? 'ok' : 'error',
    ...(error !== undefined && { error: error.slice(0, ERROR_CHARS) }),
    index,
  };
}

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
  return id === '' ? type : `${type} ${id.slice(0, ID_CHARS)}`;
}

function labelOf(asked: Operation | OperationProblem): Pick<Activity, 'type' | 'action' | 'id'> {
  if ('message' in asked) return { type: 'parse', action: 'read', id: '' };
  const type = asked.kind;
  switch (type) {
    case 'vault':
      return { type, action: asked.action, id: asked.id };
    case 'memory':
    case 'task':
    case 'goal':
      return { type, action: asked.action, id: asked.identifier };
    case 'js':
      return { type, action: 'execute', id: '' };
    case 'tool':
      return { type, action: 'call', id: asked.name };
    case 'ask':
      return { type, action: 'ask', id: '' };
    case 'final':
      return { type, action: 'give', id: '' };
  }
}
