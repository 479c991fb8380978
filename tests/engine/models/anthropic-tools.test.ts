// Abstract tools as Anthropic's native ones and back: the tables, then the same over HTTP with the real SDK.
import fc from '../../properties.ts';
import { describe, expect, test } from 'vitest';
import {
  bindTool,
  type ToolName,
  ToolRefusal,
  type ToolSpec,
  toolInputs,
} from '../../../src/engine/language/tool.ts';
import { anthropicModel } from '../../../src/engine/models/anthropic.ts';
import { anthropicTools } from '../../../src/engine/models/anthropic-tools.ts';
import type { ModelEvent, ModelMessage } from '../../../src/engine/models/model.ts';
import { request } from './request.ts';
import { begin, end, messagesServer, stream, toolBlock } from './server.ts';

const EDITOR = 'str_replace_based_edit_tool';
const everyName = Object.keys(toolInputs) as ToolName[];
const abstractTool = (name: ToolName) => bindTool(name, async () => 'done');

function specs(names: readonly string[]): ToolSpec[] {
  return names.map(name => ({
    name,
    description: `does ${name}`,
    input: { type: 'object', properties: {} },
  }));
}

const claude = (names: readonly string[]) => anthropicTools({ tools: 'native' }, specs(names));
const all = claude(everyName);
const withoutList = claude(everyName.filter(name => name !== 'list_files'));

/** The executor's refusal of the call; undefined if its schema accepts the input. */
async function refusal({ name, input }: { name: string; input: unknown }): Promise<string | undefined> {
  const tool = everyName.includes(name as ToolName) ? abstractTool(name as ToolName) : undefined;
  if (tool === undefined) return `no tool ${name}`;
  const outcome = await tool.run(input, new AbortController().signal).catch((error: unknown) => error);
  if (outcome === 'done') return undefined;
  expect(outcome).toBeInstanceOf(ToolRefusal);
  return (outcome as ToolRefusal).message;
}

describe('what is offered', () => {
  const editing = 'read_file write_file edit_file';
  const namesIn = (names: string) => names.split(' ').filter(name => name !== '');
  // Without a second text it is sent as it is.
  test.each<[string, string?]>([
    ...everyName.filter(name => name !== 'shell').map((name): [string] => [name]),
    ['shell', 'bash'],
    [''],
    [editing, EDITOR],
    ['edit_file write_file read_file', EDITOR],
    ['read_file write_file'],
    ['read_file edit_file'],
    ['write_file edit_file'],
    ['read_file list_files search'],
    ['read_file edit_file shell', 'read_file edit_file bash'],
    [`js ${editing} shell ask`, `js ${EDITOR} bash ask`],
    ['read_file search write_file edit_file', `${EDITOR} search`],
    [everyName.join(' '), `${EDITOR} diff revert search bash js ask`],
    [`${editing} list_files delete_file`, `${EDITOR} delete_file`],
    ['shell bash'],
    [`${editing} ${EDITOR}`],
  ])('%j is sent as %j', (abstract, sent = abstract) => {
    expect(claude(namesIn(abstract)).definitions.map(({ name }) => name)).toEqual(namesIn(sent));
  });

  test('a model without native tools gets function tools, and its calls stay as they are', () => {
    const other = anthropicTools({ tools: 'functions' }, specs(everyName));
    expect(other.definitions.map(({ name }) => name)).toEqual(everyName);
    expect(other.notes).toBe('');
    const call = { name: 'shell', input: { command: 'ls' } };
    expect(other.toNative(call)).toEqual(call);
    expect(other.toAbstract({ name: 'bash', input: { command: 'ls' } }).name).toBe('bash');
  });

  test.each([
    [['read_file', 'search'], { editor: false, bash: false }],
    [namesIn(editing), { editor: true, bash: false }],
    [['shell'], { editor: false, bash: true }],
    [everyName, { editor: true, bash: true }],
  ])('the notes of %j speak of the native tools that are there', (names, { editor, bash }) => {
    const { notes } = claude(names);
    expect(notes.includes('relative to the root of the checkout')).toBe(editor);
    expect(notes.includes('new shell')).toBe(bash);
    expect(notes.includes('Without timeout_s it may take 120 seconds, with it that many, 600 at most')).toBe(
      bash,
    );
  });
});

type Fields = Record<string, unknown>;

describe('native calls that fit', () => {
  // Native input, the abstract call, and what goes back into the conversation where that is not the native input.
  test.each<[Fields, string, Fields, Fields?]>([
    [{ command: 'view', path: 'src/a.ts' }, 'read_file', { path: 'src/a.ts' }],
    [{ command: 'view', path: 'a', view_range: [5, 9] }, 'read_file', { path: 'a', offset: 5, limit: 5 }],
    [{ command: 'view', path: 'a', view_range: [5, 5] }, 'read_file', { path: 'a', offset: 5, limit: 1 }],
    [{ command: 'view', path: 'a', view_range: [5, -1] }, 'read_file', { path: 'a', offset: 5 }],
    [{ command: 'view', path: 'a', view_range: [1, -1] }, 'read_file', { path: 'a', offset: 1 }],
    [{ command: 'create', path: 'a', file_text: 'x\n' }, 'write_file', { path: 'a', content: 'x\n' }],
    [
      { command: 'str_replace', path: 'a', old_str: 'x', new_str: 'y' },
      'edit_file',
      { path: 'a', old_text: 'x', new_text: 'y' },
    ],
    [
      { command: 'str_replace', path: 'a', old_str: 'x' },
      'edit_file',
      { path: 'a', old_text: 'x', new_text: '' },
      { command: 'str_replace', path: 'a', old_str: 'x', new_str: '' },
    ],
    [
      { command: 'insert', path: 'a', insert_line: 0, insert_text: 'x\n' },
      'edit_file',
      { path: 'a', insert_line: 0, new_text: 'x\n' },
    ],
    [
      { command: 'view', path: 'src/', view_range: [1, 2] },
      'read_file',
      { path: 'src/', offset: 1, limit: 2 },
    ],
    [
      { command: 'str_replace', path: 'a', old_text: 'x', new_text: 'y' },
      'edit_file',
      { path: 'a', old_text: 'x', new_text: 'y' },
      { command: 'str_replace', path: 'a', old_str: 'x', new_str: 'y' },
    ],
    [
      { command: 'create', path: 'a', content: 'x' },
      'write_file',
      { path: 'a', content: 'x' },
      { command: 'create', path: 'a', file_text: 'x' },
    ],
  ])('editor %j is %s %j', async (native, name, input, back = native) => {
    const call = all.toAbstract({ name: EDITOR, input: native });
    expect(call).toEqual({ name, input });
    expect(await refusal(call)).toBeUndefined();
    expect(all.toNative(call)).toEqual({ name: EDITOR, input: back });
  });

  test.each<[string, string]>([
    ['/src/a.ts', 'src/a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['././src/a.ts', 'src/a.ts'],
    ['//src/a.ts', 'src/a.ts'],
    ['/./src/a.ts', 'src/a.ts'],
    ['.github/x.yml', '.github/x.yml'],
    ['/.github/x.yml', '.github/x.yml'],
    ['../a.ts', '../a.ts'],
    ['/../a.ts', '../a.ts'],
  ])('the path %s becomes %s', (native, path) => {
    expect(all.toAbstract({ name: EDITOR, input: { command: 'view', path: native } }).input).toEqual({
      path,
    });
  });

  test.each<[string, string]>([
    ['/', '.'],
    ['.', '.'],
    ['./', '.'],
    ['', '.'],
    ['/src/', 'src/'],
  ])('to view the folder %j is list_files of %j', (native, path) => {
    const call = all.toAbstract({ name: EDITOR, input: { command: 'view', path: native } });
    expect(call).toEqual({ name: 'list_files', input: { path } });
    expect(all.toNative(call)).toEqual({ name: EDITOR, input: { command: 'view', path } });
    const other = withoutList.toAbstract({ name: EDITOR, input: { command: 'view', path: native } });
    expect(other).toEqual({ name: 'read_file', input: { path } });
  });

  test('bash is shell', async () => {
    const input = { command: 'npm test', timeout_s: 300 };
    const call = all.toAbstract({ name: 'bash', input });
    expect(call).toEqual({ name: 'shell', input });
    expect(await refusal(call)).toBeUndefined();
    expect(all.toNative(call)).toEqual({ name: 'bash', input });
  });
});

describe('native calls that do not fit are refused by the schema of the tool', () => {
  test.each<[unknown, string, RegExp]>([
    [{ command: 'insert', path: 'a', insert_line: -1, insert_text: 'x' }, 'edit_file', /insert_line/],
    [{ command: 'insert', path: 'a', insert_line: 1.5, insert_text: 'x' }, 'edit_file', /insert_line/],
    [{ command: 'insert', path: 'a', insert_line: 1 }, 'edit_file', /new_text/],
    [{ command: 'insert', path: 'a', insert_text: 'x' }, 'edit_file', /insert_line/],
    [{ command: 'undo_edit', path: 'a' }, 'edit_file', /"command"[\s\S]*old_text/],
    // The fields of an edit do not make another command one.
    [{ command: 'insert', path: 'a', old_text: 'x', new_text: 'y' }, 'edit_file', /"command"/],
    [{ command: 7, path: 'a' }, 'edit_file', /"command"/],
    [
      { command: 'insert', path: 'a', insert_line: 1, insert_text: 'x', old_str: 'y' },
      'edit_file',
      /"old_str"/,
    ],
    [
      { command: 'str_replace', path: 'a', old_str: 'x', new_str: 'y', insert_line: 1 },
      'edit_file',
      /"command"/,
    ],
    [{ path: 'a' }, 'edit_file', /old_text/],
    [{}, 'edit_file', /path/],
    [{ command: 'view' }, 'read_file', /path/],
    [{ command: 'view', path: 7 }, 'read_file', /path/],
    [{ command: 'view', path: 'a', depth: 2 }, 'read_file', /"depth"/],
    [{ command: 'view', path: '/', depth: 2 }, 'list_files', /"depth"/],
    [{ command: 'view', path: 'a', view_range: [0, 9] }, 'read_file', /offset/],
    [{ command: 'view', path: 'a', view_range: [9, 5] }, 'read_file', /limit/],
    [{ command: 'view', path: 'a', view_range: [1.5, 3] }, 'read_file', /offset/],
    [{ command: 'view', path: 'a', view_range: [1] }, 'read_file', /"view_range"/],
    [{ command: 'view', path: 'a', view_range: [1, 2, 3] }, 'read_file', /"view_range"/],
    [{ command: 'view', path: 'a', view_range: '1-5' }, 'read_file', /"view_range"/],
    [{ command: 'view', path: 'a', view_range: 3 }, 'read_file', /"view_range"/],
    [{ command: 'view', path: 'a', view_range: null }, 'read_file', /"view_range"/],
    [{ command: 'view', path: 'a', view_range: [1, 5], offset: 2 }, 'read_file', /"view_range"/],
    [{ command: 'view', path: 'a', offset: 'x', limit: 2 }, 'read_file', /offset/],
    [{ command: 'create', path: 'a' }, 'write_file', /content/],
    [{ command: 'create', path: 'a', file_text: 'x', content: 'y' }, 'write_file', /"file_text"/],
    [{ command: 'create', path: 'a', file_text: 'x', mode: 493 }, 'write_file', /"mode"/],
    [{ command: 'str_replace', path: 'a', old_str: '', new_str: 'x' }, 'edit_file', /old_text/],
    [{ command: 'str_replace', path: 'a', old_str: 'x', new_str: null }, 'edit_file', /new_text/],
    [
      JSON.parse('{"command":"create","path":"a","file_text":"x","constructor":1}'),
      'write_file',
      /"constructor"/,
    ],
  ])('editor %j as %s', async (native, name, message) => {
    const call = all.toAbstract({ name: EDITOR, input: native });
    expect(call.name).toBe(name);
    expect(await refusal(call)).toMatch(message);
    if (name === 'list_files') return;
    // The model sees its own call again; an edit without a command is shown as the edit it was taken for.
    const back = (native as Fields)['command'] === undefined ? { command: 'str_replace' } : {};
    expect(all.toNative(call)).toEqual({ name: EDITOR, input: { ...(native as Fields), ...back } });
  });

  test.each<[unknown, RegExp]>([
    [{}, /command/],
    [{ restart: false }, /command/],
    [{ command: 'ls', restart: true }, /"restart"/],
    [{ command: ['ls'] }, /command/],
  ])('bash %j', async (native, message) => {
    const call = all.toAbstract({ name: 'bash', input: native });
    expect(call.name).toBe('shell');
    expect(await refusal(call)).toMatch(message);
  });

  test.each([[null], [7], ['ls'], [[{ command: 'view' }]]])(
    'input that is no object, %j, goes back as an object, the only thing that the API takes',
    async input => {
      for (const [name, abstract] of [
        [EDITOR, 'edit_file'],
        ['bash', 'shell'],
        ['js', 'js'],
      ] as const) {
        const call = all.toAbstract({ name, input });
        expect(call).toEqual({ name: abstract, input });
        expect(await refusal(call)).toMatch(/expected object/);
        expect(all.toNative(call)).toEqual({ name, input: { input } });
      }
    },
  );
});

describe('for any call', () => {
  const text = fc.string({ minLength: 1 });
  const name = text.filter(each => !/^(\.?\/)|\/$|^\.$/.test(each));
  const line = fc.integer({ min: 1, max: 1e6 });
  const valid = fc.oneof(
    fc.record({ path: name, offset: line, limit: line }, { requiredKeys: ['path'] }).map(input => ({
      name: 'read_file',
      // A limit alone comes back with the offset that it implies.
      input: 'limit' in input ? { offset: 1, ...input } : input,
    })),
    fc.record({ path: name, content: fc.string() }).map(input => ({ name: 'write_file', input })),
    fc
      .record({ path: name, old_text: text, new_text: fc.string() })
      .map(input => ({ name: 'edit_file', input })),
    fc
      .record({ path: name, insert_line: fc.nat(), new_text: fc.string() })
      .map(input => ({ name: 'edit_file', input })),
    fc.record({ command: text }).map(input => ({ name: 'shell', input })),
    fc.record({ path: name }).map(input => ({ name: 'delete_file', input })),
    fc.record({ code: text }).map(input => ({ name: 'js', input })),
  );

  test('an abstract call survives the way to native and back', () => {
    fc.assert(
      fc.property(valid, call => {
        expect(all.toAbstract(all.toNative(call))).toEqual(call);
      }),
    );
  });

  const key = fc.constantFrom('path', 'file_text', 'content', 'old_str', 'new_str', 'old_text', 'new_text');
  const more = fc.constantFrom('view_range', 'offset', 'limit', 'insert_line', '__proto__', 'toString');
  const command = fc.oneof(fc.constantFrom('view', 'create', 'str_replace', 'insert'), fc.jsonValue());
  const hostile = fc
    .tuple(command, fc.dictionary(fc.oneof(key, more), fc.oneof(fc.string(), fc.jsonValue())))
    .map(([word, fields]): unknown => ({ command: word, ...fields }));
  test('nothing that a model sends throws, leaves the abstract vocabulary, or goes back as what the API refuses', () => {
    const native = fc.constantFrom(EDITOR, 'bash');
    fc.assert(
      fc.property(native, fc.oneof(hostile, fc.jsonValue()), (called, input) => {
        const call = all.toAbstract({ name: called, input });
        expect(everyName).toContain(call.name);
        expect(JSON.stringify(all.toNative(call).input)).toMatch(/^\{/);
      }),
    );
  });

  test('insert never replaces a text, and str_replace never inserts one, whatever else is sent along', async () => {
    const fields = fc.dictionary(fc.oneof(key, more), fc.oneof(fc.string(), fc.nat()), { maxKeys: 1 });
    const inserts = fc.record({ path: name, insert_line: fc.nat(), insert_text: fc.string() });
    const replaces = fc.record({ path: name, old_str: text, new_str: fc.string() });
    const accepted = { insert: 0, str_replace: 0 };
    const hold = async (command: keyof typeof accepted, own: object, also: object) => {
      const call = all.toAbstract({ name: EDITOR, input: { ...also, ...own, command } });
      if ((await refusal(call)) !== undefined) return;
      accepted[command] += 1;
      expect(Object.keys(call.input as Fields).sort()).toEqual(
        command === 'insert' ? ['insert_line', 'new_text', 'path'] : ['new_text', 'old_text', 'path'],
      );
    };
    await fc.assert(
      fc.asyncProperty(inserts, replaces, fields, async (insert, replace, also) => {
        await hold('insert', insert, also);
        await hold('str_replace', replace, also);
      }),
    );
    for (const [command, times] of Object.entries(accepted)) expect(times, command).toBeGreaterThan(10);
  });
});

describe('over HTTP', () => {
  const cache_control = { type: 'ephemeral' };
  const uncached = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (key, part) => (key === 'cache_control' ? undefined : part));

  test('native definitions go out, abstract calls come in, and the conversation goes on in native ones', async () => {
    const insert = { command: 'insert', path: 'a.ts', insert_line: 0, insert_text: '// x\n' };
    const view = { command: 'view', path: '/src/a.ts', view_range: [1, 40] };
    await using server = await messagesServer([
      stream([
        begin,
        ...toolBlock(0, EDITOR, JSON.stringify(view).slice(0, 20), JSON.stringify(view).slice(20)),
        ...toolBlock(1, EDITOR, JSON.stringify(insert)),
        ...toolBlock(2, 'bash', '{"command":"npm test"}'),
        ...toolBlock(3, 'js', '{"code":"1"}'),
        ...end('tool_use'),
      ]),
      stream([begin, ...end('end_turn')]),
    ]);
    const model = anthropicModel({ apiKey: 'k', baseUrl: server.url });
    const tools = specs(['read_file', 'write_file', 'edit_file', 'js', 'shell']);
    const first: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'go' }] };
    const events: ModelEvent[] = [];
    const reply = await model.call(request({ tools, messages: [first] }), event => events.push(event));

    const calls = [
      { id: 'toolu_0', name: 'read_file', input: { path: 'src/a.ts', offset: 1, limit: 40 } },
      { id: 'toolu_1', name: 'edit_file', input: { path: 'a.ts', insert_line: 0, new_text: '// x\n' } },
      { id: 'toolu_2', name: 'shell', input: { command: 'npm test' } },
      { id: 'toolu_3', name: 'js', input: { code: '1' } },
    ];
    expect(reply.tool_calls).toEqual(calls);
    expect(events.filter(event => event.type === 'tool_call')).toEqual(
      calls.map(call => ({ type: 'tool_call', ...call })),
    );

    const results = await Promise.all(
      reply.tool_calls.map(async call => {
        const error = await refusal(call);
        const outcome = error === undefined ? { content: 'done' } : { content: error, is_error: true };
        return { type: 'tool_result' as const, id: call.id, ...outcome };
      }),
    );
    const messages: ModelMessage[] = [
      first,
      { role: 'assistant', content: reply.tool_calls.map(call => ({ type: 'tool_call', ...call })) },
      { role: 'user', content: results },
    ];
    await model.call(request({ tools, messages }));

    const [one, two] = server.received.map(({ body }) => body);
    expect(one?.['tools']).toEqual([
      { type: 'text_editor_20250728', name: EDITOR },
      { name: 'js', description: 'does js', input_schema: { type: 'object', properties: {} } },
      { type: 'bash_20250124', name: 'bash', cache_control },
    ]);
    expect(one?.['system']).toEqual([
      {
        type: 'text',
        text: expect.stringMatching(
          /^You are the strategist\.\n\nPaths [\s\S]+folder\.\nA bash command: .+\.$/,
        ),
        cache_control,
      },
      { type: 'text', text: 'Open issues: 3' },
    ]);
    expect(one?.['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'go', cache_control }] },
    ]);
    expect(two?.['tools']).toEqual(one?.['tools']);
    expect(two?.['system']).toEqual(one?.['system']);
    expect(two?.['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'go', cache_control }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'toolu_0', name: EDITOR, input: { ...view, path: 'src/a.ts' } },
          { type: 'tool_use', id: 'toolu_1', name: EDITOR, input: insert },
          { type: 'tool_use', id: 'toolu_2', name: 'bash', input: { command: 'npm test' } },
          { type: 'tool_use', id: 'toolu_3', name: 'js', input: { code: '1' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_0', content: 'done' },
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: 'done' },
          { type: 'tool_result', tool_use_id: 'toolu_3', content: 'done', cache_control },
        ],
      },
    ]);
  });

  test('tools that may not write go out as function tools, and so does their part of the conversation', async () => {
    await using server = await messagesServer([stream([begin, ...end('end_turn')])]);
    const call = { name: 'read_file', input: { path: 'a', offset: 2 } };
    await anthropicModel({ apiKey: 'k', baseUrl: server.url }).call(
      request({
        tools: specs(['read_file', 'list_files', 'search']),
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Read.' }] },
          { role: 'assistant', content: [{ type: 'tool_call', id: 'c1', ...call }] },
          { role: 'user', content: [{ type: 'tool_result', id: 'c1', content: 'x' }] },
        ],
      }),
    );
    const body = server.received[0]!.body;
    expect(uncached(body['tools'])).toEqual(
      ['read_file', 'list_files', 'search'].map(name => ({
        name,
        description: `does ${name}`,
        input_schema: { type: 'object', properties: {} },
      })),
    );
    expect(body['system']).toEqual([
      { type: 'text', text: 'You are the strategist.', cache_control },
      { type: 'text', text: 'Open issues: 3' },
    ]);
    expect(body['messages']).toMatchObject([{}, { content: [{ type: 'tool_use', id: 'c1', ...call }] }, {}]);
  });
});
