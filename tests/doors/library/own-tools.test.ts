// Tools of who embeds the library: named by programs, held to their schemas, and harmless where they fail.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTasks, type OwnTool, type TasksOptions, z } from '../../../src/doors/library/library.ts';
import type { ModelReply } from '../../../src/engine/models/model.ts';
import { callsTo, playing, reply } from '../../engine/reasoning/model.ts';

const KEY = 'sk-test-0123456789abcdef';

afterEach(() => vi.unstubAllEnvs());

function opened<const Inputs extends readonly z.ZodType[]>(
  replies: ModelReply[],
  tools: NonNullable<TasksOptions<Inputs>['tools']>,
  more: Partial<TasksOptions> = {},
) {
  const model = playing(...replies);
  return { model, tasks: createTasks<Inputs>({ ...more, tools, model, budget: 100 }) };
}

const program = (...tools: string[]) =>
  `<task name="ask"><description>x</description><tools>${tools.join(' ')}</tools></task>`;

const weather: OwnTool<z.ZodObject<{ city: z.ZodString; days: z.ZodDefault<z.ZodInt> }>> = {
  name: 'weather',
  description: 'The weather of a city.',
  input: z.object({ city: z.string().min(2), days: z.int().default(1) }),
  output: z.object({ sun: z.boolean() }),
  readOnly: true,
  run: async ({ city, days }) => ({ sun: city === 'Oslo' && days === 1 }),
};

/** The model's view of one call. */
async function toldOf(tool: OwnTool, input: unknown = {}): Promise<{ text: string; isError: boolean }> {
  const { model, tasks } = opened([callsTo([tool.name, input]), reply('done')], [tool]);
  expect((await tasks.executeTask(program(tool.name))).content).toBe('done');
  await tasks.close();
  const [part] = model.requests[1]?.messages.at(-1)?.content ?? [];
  if (part?.type !== 'tool_result') throw new Error(`no result: ${JSON.stringify(part)}`);
  return { text: part.content, isError: part.is_error === true };
}

const plain = (run: OwnTool['run'], more: Partial<OwnTool> = {}): OwnTool => ({
  ...{ name: 'plain', description: 'Does it.', input: z.object({}) },
  ...{ ...more, run },
});

test('the model is told the schema, its input comes as the schema has it, and the answer as JSON', async () => {
  const { model, tasks } = opened([callsTo(['weather', { city: 'Oslo' }]), reply('sunny')], [weather]);
  expect(await tasks.executeTask(program('weather'))).toMatchObject({ content: 'sunny' });
  expect(model.requests[0]?.tools).toEqual([
    {
      name: 'weather',
      description: 'The weather of a city.',
      input: {
        type: 'object',
        properties: { city: { type: 'string', minLength: 2 }, days: expect.objectContaining({ default: 1 }) },
        required: ['city'],
      },
    },
  ]);
  expect(model.requests[1]?.messages.at(-1)?.content).toMatchObject([{ content: '{"sun":true}' }]);
  await tasks.close();
});

test('what a tool gets has the types of its own schema', async () => {
  const tasks = createTasks({
    model: playing(callsTo(['a', { a: 'x' }], ['b', { n: 2 }]), reply('done')),
    budget: 100,
    tools: [
      {
        name: 'a',
        description: 'a',
        input: z.object({ a: z.string() }),
        run: ({ a }) => a.toUpperCase(),
      },
      {
        name: 'b',
        description: 'b',
        input: z.object({ n: z.number() }),
        run: async ({ n }, { signal }) => (signal.aborted ? '' : n.toFixed(1)),
      },
    ],
  });
  expect((await tasks.executeTask(program('a', 'b'))).content).toBe('done');
  await tasks.close();
});

test('a name that no tool has is an error of the check, with the nearest', () => {
  const { tasks } = opened([], [weather]);
  expect(tasks.validateTemplate(program('weather, read_file'))).toEqual([]);
  expect(tasks.validateTemplate(program('wether'))).toMatchObject([
    { severity: 'error', line: 1, message: 'unknown tool "wether"; did you mean "weather"?' },
  ]);
  expect(opened([], []).tasks.validateTemplate(program('weather'))).toHaveLength(1);
});

test('tools that cannot be are refused, each with what is wrong', () => {
  const named = (name: string) => ({ ...plain(() => ''), name });
  const tools = [
    named('read_file'),
    named('final_output'),
    named('a b'),
    named('x'.repeat(65)),
    named('twice'),
    named('twice'),
    { ...named('text'), input: z.string() },
    { ...named('date'), input: z.object({ at: z.date() }) },
    { ...named('mute'), description: ' ' },
    { ...named('slow'), timeoutMs: 0 },
  ];
  const wrong = (() => {
    try {
      opened([], tools);
    } catch (error) {
      return (error as Error).message.split('\n');
    }
    return [];
  })();
  expect(wrong).toEqual([
    'tools: read_file: there is a built-in tool of that name: take another',
    'tools: final_output: a session has an operation of that name: take another',
    'tools: a b: a name has 1 to 64 letters, digits, _ and -',
    `tools: ${'x'.repeat(65)}: a name has 1 to 64 letters, digits, _ and -`,
    'tools: twice: a second tool of that name',
    'tools: text: input: no schema of an object',
    'tools: date: input: Date cannot be represented in JSON Schema',
    'tools: mute: the description is empty: it is all that a model knows of the tool',
    'tools: slow: timeoutMs is 0, not a whole number of milliseconds from 1',
  ]);
});

describe('a call that fails tells the model why, and the session goes on', () => {
  test.each<[string, OwnTool, unknown, RegExp]>([
    ['input with a wrong member', weather, { city: 7 }, /^weather: .*expected string.*\n.*→ at city$/],
    ['input that is no object', weather, 'Oslo', /^weather: .*expected object/],
    [
      'an answer that its own schema does not take',
      plain(() => ({ sun: 1 }), { output: z.object({ sun: z.boolean() }) }),
      {},
      /^plain failed: its answer is not what its output schema says: .*\n.*→ at sun$/,
    ],
    ['an answer that is no JSON', plain(() => 10n), {}, /^plain failed: .*BigInt/],
    ['nothing that was thrown', plain(() => Promise.reject()), {}, /^plain failed: undefined$/],
    [
      'time that is up, in a tool that takes no notice',
      plain(() => new Promise(() => {}), { timeoutMs: 20 }),
      {},
      /^plain: took longer than 0\.02 s and was ended$/,
    ],
    [
      'time that is up, in a tool that stops',
      plain(
        (_input, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        { timeoutMs: 20 },
      ),
      {},
      /^plain: took longer/,
    ],
  ])('%s', async (_name, tool, input, expected) => {
    const { text, isError } = await toldOf(tool, input);
    expect(text).toMatch(expected);
    expect(isError).toBe(true);
  });

  test('an error, by its message alone: without its stack, the key in it masked, cut', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', KEY);
    const { text, isError } = await toldOf(
      plain(() => {
        throw new Error(`403 for ${KEY} ${'x'.repeat(5000)}`);
      }),
    );
    expect(isError).toBe(true);
    expect(text.startsWith('plain failed: 403 for *** xxx')).toBe(true);
    expect(text).toHaveLength(2000);
    expect(text).not.toContain('own-tools.test');
  });
});

test('an answer holds no key, and no more than an answer may hold', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', KEY);
  const { text } = await toldOf(plain(() => `${KEY} ${'x'.repeat(60_000)}`));
  expect(text.slice(0, 6)).toBe('*** xx');
  expect(text).toMatch(/x\n\[10004 characters are left out; ask for less\]$/);
});

test('an execution that is aborted aborts the call', async () => {
  const controller = new AbortController();
  let heard: unknown;
  const { tasks } = opened(
    [callsTo(['plain', {}])],
    [
      plain((_input, { signal }) => {
        signal.addEventListener('abort', () => (heard = signal.reason));
        controller.abort(new Error('enough'));
        return new Promise(() => {});
      }),
    ],
  );
  await expect(tasks.executeTask(program('plain'), {}, { signal: controller.signal })).rejects.toThrow(
    'enough',
  );
  expect(heard).toMatchObject({ message: 'enough' });
  await tasks.close();
});
