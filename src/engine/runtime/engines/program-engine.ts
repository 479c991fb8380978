// A program of others as the engine of a director: it works in the checkout, inside of the sandbox, and asks its model at
// a door of ours. So it has no key, every call of it counts in the job's books, and its limits are those of a session.
import { addSpent, nothingSpent, type Spent, TaskError } from '../../language/result.ts';
import type { DoorRequest } from '../../models/messages-request.ts';
import { type Model, ModelFailure, type ModelReply } from '../../models/model.ts';
import type { SessionEvent } from '../../reasoning/events.ts';
import type { SessionOutcome, SessionRequest } from '../../reasoning/request.ts';
import { abortedWith, exhausted, failedModel } from '../../reasoning/stop.ts';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type CommandResult, socketFolder } from '@echelon/ground/workspace';
import { openMessagesDoor } from '../../models/messages-door.ts';
import { EngineMissing, type NamedEngine } from './engine.ts';
import { type EngineRoom, runEngine, versionOf } from './launch.ts';
import type { EngineProgram } from './programs.ts';

/** Characters of a program's output that an error shows. */
const SHOWN = 1500;

/** Note that no other engine needs. */
const NOTE =
  'Work with the tools that you have here; `ask` and `js` are not among them. Where you would ask, decide for what is ' +
  'most likely meant, and say so at the end. Run in the foreground whatever you start.';

/** The engine in a checkout. Its version is asked once. */
export function programEngine(engine: EngineProgram, room: EngineRoom): NamedEngine {
  const { name } = engine;
  let called: string = name;
  const run: NamedEngine['run'] = async request => {
    if (called === name) called = `${name} ${await versionOf(engine, room, request.signal)}`;
    const started = room.clock.now();
    const books = openBooks(request, room);
    let status = 'failed';
    try {
      const outcome = await carriedOut(engine, request, room, books);
      status = 'completed';
      return outcome;
    } finally {
      const { spent, tools } = books;
      room.onSummary({
        ...{ task: request.task, key: request.key, status, health: 'healthy', executions: [] },
        ...{
          iterations: spent.turns,
          operations: tools.length,
          errors: tools.filter(({ ok }) => !ok).length,
        },
        ...{ cost_usd: spent.cost_usd, ms: room.clock.now() - started },
      });
    }
  };
  return { name, called: () => called, run };
}

async function carriedOut(
  engine: EngineProgram,
  request: SessionRequest,
  room: EngineRoom,
  books: Books,
): Promise<SessionOutcome> {
  const failed = new AbortController();
  const token = randomBytes(24).toString('base64url');
  const place = await socketFolder();
  const socket = join(place, 'model');
  const { system, prompt } = request;
  const stdin = [system.stable, system.changing, prompt, NOTE].filter(text => text !== '').join('\n\n');
  const door = await openMessagesDoor({
    ...{ socket, token, clock: room.clock, ask: books.ask },
    failed: error => failed.abort(error),
  });
  try {
    const signal = AbortSignal.any([request.signal, failed.signal]);
    const ended = await runEngine(engine, room, { request, socket, token, stdin, signal }).finally(
      door.close,
    );
    // One that is too old for what it is started with ends at once: nothing was begun that another engine could not begin.
    if (ended.exit_code && !books.last) throw new EngineMissing(cannotRun(engine, ended));
    if (ended.exit_code !== 0) throw broken(engine, ended);
    if (!books.last) throw broken(engine, { ...ended, end: 'it asked its model nothing' });
  } catch (error) {
    throw leaving(error, request, books.spent);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
  const { last, spent, tools } = books;
  const text = engine.said?.(last.text) ?? last.text;
  return {
    ...{ text, tools, ...spent, stop: last.stop === 'tool_calls' ? 'end' : last.stop },
    messages: [
      { role: 'user', content: [{ type: 'text', text: stdin }] },
      { role: 'assistant', content: [{ type: 'text', text }] },
    ],
  };
}

/** The error that leaves the session, with what was spent; an abort from outside leaves as it is. */
function leaving(error: unknown, { signal, task }: SessionRequest, spent: Spent): unknown {
  if (signal.aborted) return abortedWith(signal, spent);
  if (error instanceof TaskError) return error.with({ dataUsage: spent });
  return error instanceof ModelFailure ? failedModel(error, task, { dataUsage: spent }) : error;
}

const cannotRun = ({ program, install }: EngineProgram, { exit_code, stderr }: CommandResult): string =>
  `\`${program}\` ends before it asks its model (exit code ${exit_code}: ${stderr.trim().slice(-SHOWN)}); \`${install}\` renews it`;

function broken({ name }: EngineProgram, ended: CommandResult): TaskError {
  const said = `${ended.stdout}\n${ended.stderr}`.trim().slice(-SHOWN);
  const how = ended.end ?? `exit code ${ended.exit_code}`;
  return new TaskError({ code: 'TASK_FAILURE', reason: 'tool_failed' }, `${name} failed (${how}): ${said}`);
}

export interface Books {
  spent: Spent;
  last?: ModelReply;
  tools: SessionOutcome['tools'];
  ask(asked: DoorRequest): Promise<ModelReply>;
}

/** `ask` makes a call, each when the one before is done; throws TaskError once the session's turns are used up, and what the model throws. */
export function openBooks(
  request: SessionRequest,
  { model, onEvent }: { model: Model; onEvent(event: SessionEvent): void },
): Books {
  const { key, scope, task, limits, signal, effort } = request;
  const pending = new Map<string, { name: string; input: unknown }>();
  let calls = 0;
  /** Results of the tools are in the next request. */
  function note({ messages }: DoorRequest): void {
    for (const part of messages.at(-1)?.content ?? []) {
      const call = part.type === 'tool_result' ? pending.get(part.id) : undefined;
      if (part.type !== 'tool_result' || !call) continue;
      pending.delete(part.id);
      const ok = !part.is_error;
      books.tools.push({ name: call.name, ok });
      onEvent({ type: 'tool_call', task, ...call, ok });
    }
  }
  async function call(asked: DoorRequest): Promise<ModelReply> {
    note(asked);
    request.meter?.call(books.spent);
    if (calls >= limits.turns) throw exhausted('turns', calls, limits.turns, task);
    calls += 1;
    const reply = await model.call({
      ...{ key: `${key}/${calls}`, scope, task, model: request.model, signal, ...asked },
      max_output_tokens: limits.output_tokens,
      ...(effort !== undefined && { effort }),
    });
    const { text, usage, cost_usd } = reply;
    books.spent = addSpent(books.spent, { turns: 1, usage, cost_usd });
    request.meter?.spent(books.spent);
    books.last = reply;
    for (const { id, ...each } of reply.tool_calls) pending.set(id, each);
    const tool_calls = reply.tool_calls.map(({ name }) => name);
    onEvent({ type: 'model_reply', task, turn: books.spent.turns, text, tool_calls, usage, cost_usd });
    return reply;
  }
  let before: Promise<unknown> = Promise.resolve();
  const books: Books = {
    spent: nothingSpent,
    tools: [],
    // One after the other: a budget holds calls that are made at once only when they have come back.
    ask(asked) {
      const reply = before.then(() => call(asked));
      before = reply.catch(() => {});
      return reply;
    },
  };
  return books;
}
