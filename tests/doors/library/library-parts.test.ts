// Extensions of the package by a program: models, a journal, parts of sessions, by the documentation's examples.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createTasks,
  type Model,
  openFileStore,
  parseScript,
  type SessionPaused,
  scriptedModel,
  systemClock,
  type TasksOptions,
} from '../../../src/doors/library/library.ts';
import type { ScriptReply } from '../../../src/engine/models/script.ts';
import { careful } from './examples/own-hooks.ts';
import { countdown } from './examples/own-middleware.ts';
import { chatModel } from './examples/own-model.ts';
import { rows } from './examples/own-rows.ts';
import { script, taskFolder } from '../cli/task/fixture.ts';

const scripted = (...replies: ScriptReply[]) =>
  scriptedModel(parseScript(script(...replies), 's.json'), { clock: systemClock });

/** A model that says `text` and remembers what it was asked. */
function saying(text: string, more: Partial<Model> = {}): Model & { asked: string[] } {
  const usage = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0 };
  const asked: string[] = [];
  return {
    provider: 'own',
    asked,
    async call({ model }) {
      asked.push(model);
      return { text, tool_calls: [], usage, cost_usd: 0, stop: 'end' };
    },
    ...more,
  };
}

const one = (model: string) => `<task name="one"><model>${model}</model><description>x</description></task>`;

describe('models', () => {
  test('each name goes to the one that serves it, every other name to the first', async () => {
    const first = saying('first');
    const second = saying('second', { models: { 'own-large': {}, constructor: { window: 1000 } } });
    const tasks = createTasks({ model: [first, second], defaultModel: 'own-large' });
    expect((await tasks.executeTask(one('own-large'))).content).toBe('second');
    expect((await tasks.executeTask(one('constructor'))).content).toBe('second');
    expect((await tasks.executeTask(one('claude-haiku-5-5'))).content).toBe('first');
    expect((await tasks.executeTask('<task><description>x</description></task>')).content).toBe('second');
    expect([first.asked, second.asked]).toEqual([
      ['claude-haiku-5-5'],
      ['own-large', 'constructor', 'own-large'],
    ]);
    await tasks.close();
  });

  test('an unknown name is refused before any is asked, with the nearest', async () => {
    const model = saying('x', { models: { 'own-large': {} } });
    const tasks = createTasks({ model });
    await expect(tasks.executeTask(one('own-larg'))).rejects.toThrow('did you mean "own-large"?');
    expect(model.asked).toEqual([]);
    await tasks.close();
  });

  test('the window that a model lists is what a task may fill', async () => {
    const tasks = createTasks({ model: saying('x', { models: { tiny: { window: 100 } } }) });
    const long = `<task><model>tiny</model><description>${'word '.repeat(200)}</description></task>`;
    await expect(tasks.executeTask(long)).rejects.toMatchObject({
      detail: { code: 'RESOURCE_EXHAUSTION', resource: 'context' },
    });
    await tasks.close();
  });

  test.each<[string, TasksOptions, string]>([
    ['none', { model: [] }, 'model: there is no model: give at least one'],
    [
      'two that list the same name',
      { model: [saying('a', { models: { x: {} } }), saying('b', { models: { x: {} }, provider: 'other' })] },
      'model: the model x is served by own and by other; leave it out of one',
    ],
    ['an unknown policy', { model: saying('a'), sessions: { policy: 'saef' } }, 'did you mean "safe"?'],
    [
      'an own policy that is not sound',
      {
        model: saying('a'),
        sessions: { rows: { ...rows, policies: [{ ...rows.policies![0]!, retries: -1 }] } },
      },
      'sessions.rows: the execution policy "patient" needs a whole number of retries',
    ],
    [
      'an unknown retry policy',
      { model: saying('a'), sessions: { retryPolicy: 'x' } },
      'sessions.retryPolicy: ',
    ],
  ])('%s: refused at once', (_name, options, message) => {
    expect(() => createTasks(options)).toThrow(message);
  });

  test('the example speaks to a server', async () => {
    const bodies: unknown[] = [];
    let status = 200;
    const server = createServer(async (request, response) => {
      bodies.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
      const message = { content: `Hello from ${request.url}, ${request.headers.authorization}` };
      response.writeHead(status).end(
        JSON.stringify({
          choices: [{ message, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1_000_000, completion_tokens: 1_000_000 },
        }),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const tasks = createTasks({
      model: chatModel(url, 'k', ['local-small']),
      defaultModel: 'local-small',
      budget: 3,
    });
    try {
      const { content, notes } = await tasks.executeTask(one('local-small'));
      expect(content).toBe('Hello from /v1/chat/completions, Bearer k');
      expect(notes.dataUsage.cost_usd).toBe(2);
      expect(bodies).toMatchObject([
        { model: 'local-small', messages: [{ role: 'system' }, { role: 'user' }] },
      ]);
      status = 500;
      await expect(tasks.executeTask(one('local-small'))).rejects.toThrow('the server answered 500');
    } finally {
      await tasks.close();
      server.close();
    }
  });
});

describe('a journal', () => {
  const notes = '<task name="notes"><tools>ask</tools><description>Write the notes.</description></task>';
  const question: ScriptReply = {
    for: 'notes',
    tool_calls: [{ name: 'ask', input: { question: 'For whom?' } }],
  };
  /** One process: the notes over the journal in the folder. */
  async function run(folder: string, answers: Record<string, string>, ...replies: ScriptReply[]) {
    const tasks = createTasks({ model: scripted(...replies) });
    const journal = openFileStore(join(folder, 'r7.jsonl'), { program: 'notes' });
    try {
      const { content } = await tasks.executeTask(notes, {}, { key: 'r7', journal, answers });
      return content;
    } finally {
      journal.close();
      await tasks.close();
    }
  }
  const paused = async (act: Promise<unknown>) =>
    await act.then(
      () => expect.fail('it did not pause'),
      (error: SessionPaused) => {
        expect(error.name).toBe('SessionPaused');
        return error;
      },
    );

  test('keeps a session until its answer comes, for another process', async () => {
    using folder = await taskFolder({});
    const error = await paused(run(folder.path, {}, question));
    expect(error.question).toBe('For whom?');
    // Asked again without the answer: it still waits, and no model is asked (there is no reply to give).
    expect((await paused(run(folder.path, {}))).key).toBe(error.key);
    const answers = { [error.id]: 'For users' };
    const last: ScriptReply = { for: 'notes', when: 'For users', text: 'Notes for users.' };
    expect(await run(folder.path, answers, last)).toBe('Notes for users.');
    // Finished work is not repeated.
    expect(await run(folder.path, answers)).toBe('Notes for users.');
  });

  test('still has the session when what followed the answer failed', async () => {
    using folder = await taskFolder({});
    const { id } = await paused(run(folder.path, {}, question));
    const answers = { [id]: 'For users' };
    await expect(run(folder.path, answers)).rejects.toThrow();
    expect(await run(folder.path, answers, { for: 'notes', text: 'Notes.' })).toBe('Notes.');
  });

  test('an answer is that to the question that waited, and never to the next one', async () => {
    using folder = await taskFolder({});
    const { id } = await paused(run(folder.path, {}, question));
    const answers = { [id]: 'For users' };
    const next = { ...question, tool_calls: [{ name: 'ask', input: { question: 'How long?' } }] };
    const second = await paused(run(folder.path, answers, next));
    expect(second.question).toBe('How long?');
    // The same call again, as after a crash: the first answer is not the second one.
    expect((await paused(run(folder.path, answers))).id).toBe(second.id);
    const last: ScriptReply = { for: 'notes', when: 'Short', text: 'Short notes.' };
    expect(await run(folder.path, { ...answers, [second.id]: 'Short' }, last)).toBe('Short notes.');
  });

  test('needs a key to find an execution by', async () => {
    const tasks = createTasks({ model: scripted(question) });
    const journal = { entries: [], append() {} };
    const executed = tasks.executeTask(notes, {}, { journal });
    await expect(executed).rejects.toMatchObject({ detail: { code: 'INVALID_INPUT' } });
    await tasks.close();
  });

  test('that fails ends the execution with its own error', async () => {
    const full = () => {
      throw new Error('the disk is full');
    };
    const tasks = createTasks({ model: scripted(question) });
    const executed = tasks.executeTask(notes, {}, { key: 'k', journal: { entries: [], append: full } });
    await expect(executed).rejects.toThrow('the disk is full');
    await tasks.close();
  });
});

test('own parts of sessions: a policy, hooks of executions, middleware', async () => {
  const errors: string[] = [];
  const model = scripted(
    { for: 'sum', when: 'This is turn 1 of 9', text: '{{<js_execute>}}return "sk-abc123"{{</js_execute>}}' },
    { for: 'sum', when: '[masked]', text: '{{<memory identifier="a">}}{{</memory>}}' },
    { for: 'sum', text: 'done' },
  );
  const seen: string[] = [];
  const tasks = createTasks({
    model,
    sessions: { rows, policy: 'patient', middleware: [countdown(9, errors), careful] },
    onEvent: event => void seen.push(event.type === 'middleware' ? event.name : event.type),
  });
  const { content } = await tasks.executeTask(
    '<task name="sum"><tools>js</tools><description>Sum.</description></task>',
  );
  expect(content).toBe('done');
  expect(errors).toHaveLength(1);
  expect(seen).toContain('countdown');
  await tasks.close();
});
