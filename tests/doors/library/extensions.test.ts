// Extensions of a session, by the examples of docs/reasoning-extensions.md.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTasks } from '../../../src/doors/library/library.ts';
import { TaskError } from '../../../src/engine/language/result.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import type { SessionEvent } from '../../../src/engine/reasoning/events.ts';
import { createExecutor } from '../../../src/engine/reasoning/execution/executor.ts';
import { userMessage } from '../../../src/engine/reasoning/session-lifecycle.ts';
import type { Middleware } from '../../../src/engine/reasoning/middleware.ts';
import type { SessionRequest, SessionSurroundings } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { openSandbox } from '../../../src/engine/sandbox/sandbox.ts';
import { play, returns, throws } from '../../engine/reasoning/execution/scripted.ts';
import { callsTo, playing, reply } from '../../engine/reasoning/model.ts';
import { careful } from './examples/own-hooks.ts';
import { countdown } from './examples/own-middleware.ts';
import { rows } from './examples/own-rows.ts';
import { stops } from './examples/own-stop.ts';
import { inStock } from './examples/own-tool.ts';

const request = (): SessionRequest => ({
  key: 'k',
  scope: 's',
  task: 't',
  model: 'm',
  system: { stable: '', changing: '' },
  prompt: 'Begin.',
  tools: [],
  abilities: [],
  limits: { turns: 4, output_tokens: 100, time_ms: 60_000 },
  signal: new AbortController().signal,
});

const around = (more: Partial<SessionSurroundings>) => ({ clock: systemClock, ...more });

describe('middleware', () => {
  it('changes what the model sees, not what is kept, and hears of errors', async () => {
    const errors: string[] = [];
    const events: SessionEvent[] = [];
    const model = playing(callsTo(['no_such_tool', {}]), reply('done'));
    const outcome = await runSession(request(), {
      ...around({ middleware: [countdown(4, errors)], onEvent: event => events.push(event) }),
      model,
    });
    expect(model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)).includes('of 4.'))).toEqual([
      true,
      true,
    ]);
    expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain('This is turn 2 of 4.');
    expect(JSON.stringify(outcome.messages)).not.toContain('This is turn');
    expect(errors).toEqual(['There is no tool "no_such_tool". The tools are: none.']);
    const hooks = events.flatMap(event =>
      event.type === 'middleware' ? [`${event.hook} ${event.name}`] : [],
    );
    const prompted = ['preIteration compaction', 'preIteration health', 'preIteration countdown'];
    expect(hooks).toEqual([
      ...[...prompted, 'onError countdown', 'postIteration health'],
      ...[...prompted, 'postIteration health'],
    ]);
  });

  it('whose messages are too long for the limit ends the session before the call', async () => {
    const model = playing(reply('done'));
    const longer: Middleware = {
      name: 'longer',
      preIteration: ({ n, messages }) => ({
        n,
        messages: [...messages, userMessage({ type: 'text', text: 'a '.repeat(9000) })],
      }),
    };
    const limits = { ...request().limits, context_tokens: 4000 };
    const ended = runSession({ ...request(), limits }, { ...around({ middleware: [longer] }), model });
    await expect(ended).rejects.toMatchObject({
      detail: { code: 'RESOURCE_EXHAUSTION', resource: 'context' },
    });
    expect(model.requests).toEqual([]);
  });
});

describe('the hooks of an execution', () => {
  async function played(middleware: Middleware[], ...codes: string[]) {
    const sandbox = openSandbox();
    const events: SessionEvent[] = [];
    const model = playing(
      ...codes.map(code => reply(`{{<js_execute>}}${code}{{</js_execute>}}`)),
      reply('done'),
    );
    try {
      const executor = createExecutor({ sandbox, clock: systemClock });
      const onEvent = (event: SessionEvent) => void events.push(event);
      const asked = { ...request(), abilities: ['js' as const], limits: { ...request().limits, turns: 9 } };
      await runSession(asked, { ...around({ middleware, executor, onEvent }), model });
    } finally {
      await sandbox.close();
    }
    const told = model.requests.slice(1).map(({ messages }) => JSON.stringify(messages.at(-1)));
    const faults = events.flatMap(event => (event.type === 'middleware_error' ? [event.error] : []));
    return { told, faults };
  }
  const again = 'return vault.get("last_execution_result")';

  it('see the code, and may give other code in its place', async () => {
    const { told } = await played([careful], '\n'.repeat(400));
    // The line ends before and behind a tag's body are not part of it.
    expect(told[0]).toContain('399 lines are too many; execute it in parts of at most 300');
  });

  it('see the result, and may change it for the model, the record and what comes after', async () => {
    const records: (string | undefined)[] = [];
    const after: Middleware = { name: 'after', postExecution: ({ value }) => void records.push(value) };
    const { told } = await played([careful, after], 'return "sk-abc123 and more"', again);
    for (const each of told) expect(each).toContain('[masked] and more');
    for (const each of told) expect(each).not.toContain('abc123');
    expect(records).toEqual(['"[masked] and more"', '"[masked] and more"']);
  });

  it('may tell the model other words of a failure', async () => {
    const kind: Middleware = {
      name: 'kind',
      postExecution: (_, { told }) => ({ told: `${told}\nTake care.` }),
    };
    const { told } = await played([kind], 'throw new TypeError("no")');
    expect(told[0]).toContain('TYPE_ERROR: TypeError: no');
    expect(told[0]).toContain('Take care.');
  });

  it.each<[string, string, unknown, string]>([
    ['a number', 'return 1', 7, 'postExecution answers { value, told } as texts, or nothing'],
    ['a value that is no JSON', 'return 1', { value: '{' }, 'a value as JSON'],
    ['a value of a failure', 'throw 1', { value: '1' }, 'of an execution that completed'],
  ])('that answer %s are reported and skipped', async (_, code, given, fault) => {
    const own: Middleware = { name: 'own', postExecution: () => given as { told: string } };
    const { told, faults } = await played([own], code);
    expect(faults).toEqual([expect.stringContaining(fault)]);
    expect(told[0]).toContain(code === 'return 1' ? 'Returned: 1' : 'UNKNOWN_ERROR');
  });
});

describe('stop conditions', () => {
  const failing = (failed: number) =>
    playing(
      ...Array.from({ length: failed }, () => reply('{{<js_execute>}} oops {{</js_execute>}}')),
      reply('done'),
    );

  it('an own one ends the session before the next model call', async () => {
    const sandbox = openSandbox();
    try {
      const executor = createExecutor({ sandbox, clock: systemClock, policy: 'debug' });
      const asked = { ...request(), abilities: ['js' as const], limits: { ...request().limits, turns: 9 } };
      const two = await runSession(asked, { ...around({ stops, executor }), model: failing(2) });
      expect(two.text).toBe('done');
      const model = failing(3);
      const three = runSession(asked, { ...around({ stops, executor }), model });
      await expect(three).rejects.toThrow('three executions have failed');
      expect(model.requests).toHaveLength(3);
    } finally {
      await sandbox.close();
    }
  });

  it('the standard ones are still among them', async () => {
    const model = playing(...Array.from({ length: 4 }, () => callsTo(['no_such_tool', {}])));
    const failure = await runSession(request(), { ...around({ stops }), model }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(TaskError);
    expect(failure).toMatchObject({ detail: { code: 'RESOURCE_EXHAUSTION', resource: 'turns' } });
  });
});

describe('own rows', () => {
  const busy = throws('Error', 'busy', { code: 'EBUSY' });

  it('a policy', async () => {
    const done = await play([returns('1')], { rows, policy: 'patient' });
    expect(done.requests.map(({ limits }) => limits.timeMs)).toEqual([120_000]);
    expect(done.record).toMatchObject({ state: 'completed', policy: 'patient', log: [{}] });
  });

  it('a strategy: what is refused before it runs, and what may run again', async () => {
    const done = await play([busy, returns('1')], { rows, policy: 'patient' });
    expect(done.record).toMatchObject({ state: 'completed', attempts: 2 });
    const refused = await play([], { rows, policy: 'patient', code: 'return Date.now()' });
    expect(refused.told).toContain('the time is none of the input');
    expect(refused.requests).toEqual([]);
  });

  it('a rule of the vault, for tags and code alike; and a tool by a tag of its own name', async () => {
    const tag = '{{<datavault id="a" type="text" description="d">}}sk-1{{</datavault>}}';
    const own = '{{<in_stock>}} {"part": "A-12"} {{</in_stock>}}';
    const code = `{{<js_execute>}}vault.set('b', { content: 'sk-2' }){{</js_execute>}}`;
    const model = playing(
      reply(`${tag}${own}${code}`),
      reply('{{<datavault action="request_read" id="a" />}}'),
      reply('done'),
    );
    const tasks = createTasks({
      model,
      budget: 100,
      sessions: { rows },
      tools: [inStock(new Map([['A-12', 50]]))],
    });
    await tasks.executeTask('<task><description>Go.</description><tools>in_stock js</tools></task>');
    await tasks.close();
    const [first, second] = model.requests.slice(1).map(({ messages }) => JSON.stringify(messages.at(-1)));
    expect(first?.match(/a key is kept nowhere/g)).toHaveLength(2);
    expect(first).toContain('50');
    expect(second).toContain('there is no vault entry');
  });

  it('an error with a class and a retry policy of its own', async () => {
    const done = await play([busy, busy, busy, busy], { rows });
    expect(done.record).toMatchObject({ attempts: 4, error: { class: 'BUSY' } });
    expect(done.waits).toEqual([250, 250, 250]);
    expect(done.told).not.toContain('Mend the code');
  });

  it('an error found by its name and message', async () => {
    const quota = (message: string) => throws('QuotaError', message);
    const done = await play([quota('try again'), quota('never')], { rows });
    expect(done.record).toMatchObject({ attempts: 2, error: { class: 'UNKNOWN_ERROR' } });
  });
});

it('an own tool: what it answers, and throws, the model is told', async () => {
  const call = (part: string): [string, unknown] => ['in_stock', { part }];
  const model = playing(callsTo(call('A-12'), call('B-1')), reply('Yes.'));
  const tasks = createTasks({ model, budget: 100, tools: [inStock(new Map([['A-12', 50]]))] });
  await tasks.executeTask('<task><description>Enough?</description><tools>in_stock</tools></task>');
  await tasks.close();
  expect(model.requests[1]?.messages.at(-1)?.content).toEqual([
    { type: 'tool_result', id: 'c0', content: '50' },
    { type: 'tool_result', id: 'c1', content: 'in_stock failed: there is no part B-1', is_error: true },
  ]);
});

it('the documentation shows each example as it is, or links to it', () => {
  const folder = join(import.meta.dirname, 'examples');
  const page = readFileSync('docs/reasoning-extensions.md', 'utf8');
  for (const name of globSync('own-*.ts', { cwd: folder }))
    if (!page.includes(`/examples/${name})`))
      expect(page, name).toContain(`\`\`\`ts\n${readFileSync(join(folder, name), 'utf8')}\`\`\``);
});
