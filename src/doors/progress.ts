// Progress of a program, one line for each event, and the text of its failure.
import type { TaskEvent } from '../engine/engine.ts';
import { messageOf } from '@echelon/ground';
import { TaskError } from '../engine/texts.ts';

/** Longest part of a line that is somebody else's text. */
const LONGEST = 200;

/** Undefined for what is no news to a person. The text is others': nothing in it may steer a terminal. */
export function progressLine(event: TaskEvent): string | undefined {
  const words = event.type === 'note' ? event.text : wordsOf(event);
  if (words === undefined) return undefined;
  return oneLine('task' in event ? `${event.task}: ${words}` : words).slice(0, LONGEST + 100);
}

function wordsOf(event: TaskEvent): string | undefined {
  switch (event.type) {
    case 'model_reply': {
      const { usage, turn, cost_usd } = event;
      const tokens =
        usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens + usage.output_tokens;
      return `replied (turn ${turn}, ${tokens} tokens, $${cost_usd.toFixed(4)})`;
    }
    case 'tool_call':
      return `${event.name} ${JSON.stringify(event.input)?.slice(0, LONGEST) ?? ''}${event.ok ? '' : `: refused: ${event.error}`}`;
    case 'script_output':
      return event.end ?? (event.timed_out ? 'was stopped at its time limit' : `exited ${event.exit_code}`);
    case 'round':
      return `round ${event.n}: ${event.success ? 'accepted' : `not accepted: ${event.feedback ?? ''}`}`;
    case 'recovery':
      return `is tried in another way (${event.attempt}): ${event.error}`;
    case 'warning':
      return `${event.used} of ${event.limit} ${event.resource} are used`;
    default:
      return undefined;
  }
}

export const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** Text of several lines for a terminal: no control character but line ends and tabs, nothing that cannot be seen. */
export const forTerminal = (text: string) => text.replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '');

/** Characters of a text that a line shows. */
const TEXT = 200;

/** A listener that writes a line of each event, but for the pieces of a reply: the line of the whole has them. */
export const writingEvents =
  (write: (line: string) => void) =>
  (event: { readonly type: string }): void => {
    if (event.type !== 'model_delta') write(`event ${eventLine(event)}`);
  };

/** Its type, then its other fields as JSON with long texts cut. */
export function eventLine({ type, ...fields }: { readonly type: string }): string {
  const shown = JSON.stringify(fields, (_key, value: unknown) =>
    typeof value === 'string' && value.length > TEXT ? `${value.slice(0, TEXT).toWellFormed()}…` : value,
  );
  return `${type} ${shown}`;
}

/** Code, what the code carries, and notes: what was finished and what was spent. Of any other error its message alone. */
export function errorJson(error: unknown): object {
  if (!(error instanceof TaskError)) return { message: messageOf(error) };
  return { ...error.detail, message: error.message, notes: error.notes };
}

/** The failure, the work completed before it, and its cost. */
export function failureText({ code, detail, message, notes }: TaskError): string {
  const kind = detail.code === 'TASK_FAILURE' ? `${code} ${detail.reason}` : code;
  const { steps = [], dataUsage } = notes;
  return [
    `${kind}: ${message}`,
    ...(steps.length > 0 ? [`finished before: ${steps.map(({ step }) => step).join(', ')}`] : []),
    ...(dataUsage.turns > 0 ? [`${dataUsage.turns} model calls, $${dataUsage.cost_usd.toFixed(4)}`] : []),
  ].join('\n');
}
