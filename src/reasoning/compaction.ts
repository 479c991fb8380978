// Makes a conversation shorter when it would fill its share of the model's window. No model is asked for it.
import type { ModelMessage } from '../models/model.ts';
import { userMessage } from './life.ts';
import type { Iteration } from './iteration.ts';
import type { SessionState } from './state.ts';
import type { Stores } from './stores.ts';
import { contextTokens } from './usage.ts';

/** Replies that stay as they are; executions and unimportant memories that are told of. */
const KEEP = { steps: 5, executions: 3, memories: 5 };
/** Characters of a line about something older. */
const LINE = 160;
/** Characters that the answers of tools in the kept replies are cut to, one after the other, until it fits. */
const CUTS = [6000, 1500, 300] as const;

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
  const tail = state.messages.slice(from);
  // What a conversation that is gone on with began with, and what is asked now, where that is older.
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
  if (!fits(tail))
    for (const most of CUTS)
      if (fits(tail.map((message, index) => cut(message, most, index + 1 === promptAt)))) break;
  return contextTokens(request, state) < before;
}

/**
 * Where the last replies begin, with what was answered to each: with a reply, so that no answer lacks its call; at
 * the end where there is none.
 */
function lastSteps(messages: readonly ModelMessage[]): number {
  const replies = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
  return replies.at(-KEEP.steps) ?? replies[0] ?? Math.max(1, messages.length);
}

/** Of the prompt only what is answered in it is cut, not its words. */
function cut(message: ModelMessage, most: number, isPrompt: boolean): ModelMessage {
  const shorter = (text: string) =>
    text.length > most
      ? `${text.slice(0, most).toWellFormed()}\n(${text.length - most} characters were left out)`
      : text;
  return {
    role: message.role,
    content: message.content.map(part => {
      if (part.type === 'tool_result') return { ...part, content: shorter(part.content) };
      return part.type === 'text' && !isPrompt ? { ...part, text: shorter(part.text) } : part;
    }),
  };
}

function summary(state: Readonly<SessionState>, steps: readonly ModelMessage[]): string {
  const shown = steps.filter(({ role }) => role === 'assistant').length;
  const older = state.iterations.slice(0, Math.max(0, state.iterations.length - shown));
  const sections: [string, string[]][] = [
    ['Steps', older.map(stepLine)],
    ['Errors that are not resolved', unresolved(state)],
    ['Answers of the person', (state.answers ?? []).map(answerLines)],
    ['Last executions', state.executions.slice(-KEEP.executions).map(executionLine)],
    ...stored(state.stores),
  ];
  const parts = sections.flatMap(([title, lines]) =>
    lines.length === 0 ? [] : [`## ${title}\n${lines.map(line => `- ${line}`).join('\n')}`],
  );
  return ['# What happened in this session so far', ...parts].join('\n\n');
}

/** The model's own words about the step where it gave some: their first line. */
function stepLine({ n, reasoning, operations, errors }: Iteration): string {
  const words = oneLine(reasoning.split('\n').find(line => line.trim() !== '') ?? '');
  const done = `${operations} operations${errors.length > 0 ? `, ${errors.length} errors` : ''}`;
  return `${n}: ${words === '' ? done : `${words} (${done})`}`;
}

/** Errors of the iterations since the last one that had none, and of the last execution if it failed. */
function unresolved({ iterations, errorsInRow, executions }: Readonly<SessionState>): string[] {
  const recent = errorsInRow > 0 ? iterations.slice(-errorsInRow).flatMap(({ errors }) => errors) : [];
  const last = executions.at(-1)?.error;
  return [...new Set([...recent, ...(last ? [`${last.class}: ${last.message}`] : [])])];
}

/** Whole but for a very long one: nobody asks a person twice. */
const answerLines = ({ question, answer }: { question: string; answer: string }) =>
  `${oneLine(question)}\n${indented(answer.slice(0, CUTS[0]))}`;

/** Below its list item, so that no line of it can pass for another one's. */
const indented = (text: string) => text.replace(/^/gm, '  ');

function executionLine({ state, value, error, ms }: SessionState['executions'][number]): string {
  return oneLine(
    `${state} after ${Math.round(ms)} ms: ${error ? `${error.class}: ${error.message}` : (value ?? '')}`,
  );
}

function stored({ goals, tasks, memory, vault }: Stores): [string, string[]][] {
  const important = memory.filter(entry => entry.important);
  const others = memory.filter(entry => !entry.important).slice(-KEEP.memories);
  const entry = ({ identifier, heading, status, notes }: (typeof tasks | typeof goals)[number]) =>
    `${identifier} (${status}): ${oneLine(heading)}${notes === '' ? '' : `; ${oneLine(notes)}`}`;
  return [
    ['Goals', goals.map(entry)],
    ['Tasks', tasks.map(entry)],
    [
      'Important memory',
      important.map(({ identifier, heading, content }) => `${identifier}: ${heading}: ${content}`),
    ],
    [
      'Memory',
      others.map(({ identifier, heading, content }) => `${identifier}: ${oneLine(`${heading}: ${content}`)}`),
    ],
    [
      'Vault',
      vault.map(
        ({ id, type, description, content }) =>
          `${id} (${type}, ${content.length} characters): ${oneLine(description)}`,
      ),
    ],
  ];
}

function oneLine(text: string): string {
  const line = text
    .slice(0, LINE * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return (line.length > LINE ? `${line.slice(0, LINE - 1)}…` : line).toWellFormed();
}
