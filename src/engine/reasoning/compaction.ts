// Makes a conversation shorter when it would fill its share of the model's window. No model is asked for it.
import type { ModelMessage } from '../models/model.ts';
import { userMessage } from './session-lifecycle.ts';
import type { Iteration } from './iteration.ts';
import { type Cut, cutAnswer, cutText, shortened, withoutOpaque } from './shorten.ts';
import type { SessionState } from './state.ts';
import { lastResultId, type Stores } from './stores.ts';
import { contextTokens } from './usage.ts';

/** Replies that stay as they are; executions and unimportant memories that are told of. */
const KEEP = { steps: 5, executions: 3, memories: 5 };
/** Characters of a line about something older. */
const LINE = 160;
/** Characters of an answer of the person. */
const ANSWER = 6000;

/**
 * The older part of the conversation becomes a summary behind the task's prompt: a line for each older step, the
 * last executions, memories, and every goal, task, unresolved error and vault id, so that none of them is lost.
 * Changes `state`; answers whether anything was made shorter.
 */
export function compact(
  state: SessionState,
  request: { system: { stable: string; changing: string } },
  limit: number,
): boolean {
  const before = contextTokens(request, state);
  const from = lastSteps(state.messages);
  rememberEarlier(state, from);
  const tail = withoutOpaque(state.messages.slice(from));
  // The beginning of a continued conversation, and the present question if that is older.
  const own = [
    ...(state.messages[0]?.content.slice(0, state.summarised ? -1 : undefined) ?? []),
    ...(state.promptAt > 0 && state.promptAt < from ? state.messages[state.promptAt]!.content : []),
  ].filter(({ type }) => type === 'text');
  const promptAt = state.promptAt < from ? 0 : state.promptAt - from + 1;
  const first = userMessage(...own, { type: 'text', text: summary(state, tail) });
  state.promptAt = promptAt;
  state.summarised = true;
  const fits = (steps: ModelMessage[]) => {
    delete state.counted;
    state.messages = [first, ...steps];
    return contextTokens(request, state) <= limit;
  };
  // Of the prompt only what is answered in it is cut, not its words.
  const cut: Cut = (part, most, index) => {
    if (part.type === 'text' && index + 1 !== promptAt) return { ...part, text: cutText(part.text, most) };
    // Texts written by a call are in its input.
    if (part.type === 'tool_call') return { ...part, input: cutFields(part.input, most) };
    return cutAnswer(part, most, index);
  };
  if (!fits(tail)) shortened(tail, fits, cut);
  return contextTokens(request, state) < before;
}

/** Of a conversation that is gone on with, what lies between its beginning and the prompt: a line for each message. */
function rememberEarlier(state: SessionState, from: number): void {
  const older = state.messages.slice(1, Math.min(state.promptAt, from));
  const lines = older.flatMap(({ role, content }) => {
    const words = content.flatMap(part => (part.type === 'text' ? [firstLine(part.text)] : [])).join(' ');
    return words.trim() === '' ? [] : [`${role === 'user' ? 'asked' : 'answered'}: ${oneLine(words)}`];
  });
  if (lines.length > 0) state.earlier = [...(state.earlier ?? []), ...lines];
}

/**
 * Index of the last replies with the answers to their calls. It is the index of a reply, so that no answer lacks its
 * call, and the end if there is none.
 */
function lastSteps(messages: readonly ModelMessage[]): number {
  const replies = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
  return replies.at(-KEEP.steps) ?? replies[0] ?? Math.max(1, messages.length);
}

function summary(state: Readonly<SessionState>, steps: readonly ModelMessage[]): string {
  const shown = steps.filter(({ role }) => role === 'assistant').length;
  const older = state.iterations.slice(0, Math.max(0, state.iterations.length - shown));
  const sections: [string, string[]][] = [
    ['Before this task', [...(state.earlier ?? [])]],
    ['Steps', older.map(stepLine)],
    ['Errors that are not resolved', unresolved(state)],
    ['Answers of the person', (state.answers ?? []).map(answerLines)],
    ['Last executions', state.executions.slice(-KEEP.executions).map(executionLine)],
    ...stored(state.stores, state.lastResult),
  ];
  const parts = sections.flatMap(([title, lines]) =>
    lines.length === 0
      ? []
      : [`## ${title}\n${lines.map(line => `- ${line.split(LINE_END).join('\n  > ')}`).join('\n')}`],
  );
  return ['# What happened in this session so far', ...parts].join('\n\n');
}

/** The model's own words about the step where it gave some: their first line. */
function stepLine({ n, reasoning, operations, errors }: Iteration): string {
  const words = oneLine(firstLine(reasoning));
  const done = `${operations} operations${errors.length > 0 ? `, ${errors.length} errors` : ''}`;
  return `${n}: ${words === '' ? done : `${words} (${done})`}`;
}

/**
 * Errors of the iterations since the last one that had none, of the last execution if it failed, and of every
 * operation that failed and has not succeeded since: the same kind of operation on the same entry or tool.
 */
function unresolved({ iterations, errorsInRow, executions, activity }: Readonly<SessionState>): string[] {
  const recent = errorsInRow > 0 ? iterations.slice(-errorsInRow).flatMap(({ errors }) => errors) : [];
  const last = executions.at(-1)?.error;
  const open = new Map<string, string | undefined>();
  // Text that is no operation cannot be tried again, and what code failed with is told of its last execution.
  for (const { type, id, error } of activity)
    if (type !== 'parse' && type !== 'js') open.set(`${type} ${id}`, error);
  const told = new Set([...recent, ...(last ? [`${last.class}: ${last.message}`] : [])]);
  for (const error of open.values()) if (error !== undefined && !told.has(error)) told.add(oneLine(error));
  return [...told];
}

/** Whole but for a very long one: nobody asks a person twice. */
const answerLines = ({ question, answer }: { question: string; answer: string }) =>
  `${oneLine(question)}\n${answer.slice(0, ANSWER).toWellFormed()}`;

/** Multi-line text is quoted from its second line on, so that no line can pass for an item or a heading. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

function executionLine({ state, value, error, ms }: SessionState['executions'][number]): string {
  return oneLine(
    `${state} after ${Math.round(ms)} ms: ${error ? `${error.class}: ${error.message}` : (value ?? '')}`,
  );
}

function stored(
  { goals, tasks, memory, vault }: Stores,
  lastResult: string | undefined,
): [string, string[]][] {
  const important = memory.filter(entry => entry.important);
  const others = memory.filter(entry => !entry.important).slice(-KEEP.memories);
  const entry = ({ identifier, heading, content, status, notes }: (typeof tasks | typeof goals)[number]) =>
    `${identifier} (${status}): ${[heading, content, notes]
      .filter(text => text !== '')
      .map(oneLine)
      .join('; ')}`;
  return [
    ['Goals', goals.map(entry)],
    ['Tasks', tasks.map(entry)],
    [
      'Important memory',
      important.map(({ identifier, heading, content, notes }) =>
        [`${identifier}: ${heading}: ${content}`, ...(notes === '' ? [] : [notes])].join('\n'),
      ),
    ],
    [
      'Memory',
      others.map(({ identifier, heading, content }) => `${identifier}: ${oneLine(`${heading}: ${content}`)}`),
    ],
    [
      'Vault',
      [
        ...vault.map(
          ({ id, type, description, content }) =>
            `${id} (${type}, ${content.length} characters): ${oneLine(description)}`,
        ),
        ...(lastResult === undefined ? [] : [`${lastResultId} (${lastResult.length} characters)`]),
      ],
    ],
  ];
}

/** An object's texts cut, all else as it is. */
function cutFields(input: unknown, most: number): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? cutText(value, most) : value,
    ]),
  );
}

const firstLine = (text: string) => text.split('\n').find(line => line.trim() !== '') ?? '';

function oneLine(text: string): string {
  const line = text
    .slice(0, LINE * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return (line.length > LINE ? `${line.slice(0, LINE - 1)}…` : line).toWellFormed();
}
