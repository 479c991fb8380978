// A case says what a program is played with and what is to come of it: whatever is not so is a problem at its place.
import { expect, test } from 'vitest';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { modelNames } from '../../../src/engine/models/names.ts';
import { Case } from '../../../src/engine/runtime/cases/case.ts';
import { playCase } from '../../../src/engine/runtime/cases/play-case.ts';
import { usage } from '../reasoning/model.ts';
import { parsed } from '../tasks/surroundings.ts';
import { reasoning } from './reasoning.ts';

const { library } = createLibrary([
  {
    file: 'reparse.xml',
    text: '<task name="reparse" subtype="reparse"><inputs><input name="failed_task"/><input name="problems"/></inputs><description>{{failed_task}} {{problems}}</description></task>',
  },
]);

const played = async (source: string, given: object) =>
  await playCase(parsed(source), Case.parse(given), {
    ...{ library, models: modelNames({ models: {}, rows: {} }), settings: {} },
    ...{ reasoning, signal: new AbortController().signal },
  });

const note = `<task type="sequential" name="note">
  <inputs><input name="change"/></inputs>
  <steps>
    <task name="draft"><instructions>Be brief.</instructions><description>Write of {{change}}.</description></task>
    <task name="count"><description>Count: {{draft}}</description><output name="n" type="number"/></task>
  </steps>
</task>`;
const good = {
  inputs: { change: 'lists' },
  replies: { draft: 'A draft', count: '{"n": 2}' },
  result: { outputs: { n: 2 } },
};

const dear = { text: 'A', usage: { ...usage, cost_usd: 0.5 } };
const uses = '<task name="use"><description>Use it.</description><tools>read_file, ask</tools></task>';
const reads = { tool_calls: [{ name: 'read_file', input: { path: 'a' } }] };
const runs = `<task type="sequential"><steps>
  <task type="script" name="make"><command>make</command></task><task name="say"><description>{{make.stdout}}</description></task>
</steps></task>`;

test.each<[what: string, program: string, given: object]>([
  ['a result in part', note, good],
  [
    'prompts, exactly and in part',
    note,
    {
      ...good,
      asked: { draft: 'Write of lists.', count: [{ contains: ['Count: A draft', 'JSON'], lacks: 'lists' }] },
    },
  ],
  ['the instructions are among what is sent', note, { ...good, asked: { draft: { contains: 'Be brief.' } } }],
  [
    'calls and cost',
    note,
    { ...good, replies: { ...good.replies, draft: dear }, calls: 2, max_cost_usd: 0.5 },
  ],
  [
    'a failure of the provider that is tried again',
    note,
    {
      ...good,
      replies: { ...good.replies, draft: [{ error: { type: 'rate_limit', retry_after: 60 } }, 'A'] },
    },
  ],
  [
    'an error, whose recovery need not be told of',
    note,
    {
      ...good,
      result: undefined,
      replies: { draft: 'A', count: 'two' },
      error: { code: 'INVALID_OUTPUT', message: 'output "n"' },
      finished: ['draft'],
    },
  ],
  [
    'tools, and a person',
    uses,
    {
      replies: { use: [reads, { tool_calls: [{ name: 'ask', input: { question: 'Which?' } }] }, 'This.'] },
      tools: { read_file: 'text of a', ask: ['This.'] },
      asked: { use: ['Use it.', { contains: 'text of a' }, { contains: 'This.' }] },
    },
  ],
  [
    'commands',
    runs,
    { replies: { say: 'made' }, scripts: { make: { stdout: 'all' } }, asked: { say: ['all'] } },
  ],
])('%s', async (_, program, given) => {
  expect((await played(program, given)).problems).toEqual([]);
});

test.each<[message: string, path: (string | number)[], program: string, given: object]>([
  ['the input change is missing (test.xml:2:11 declares it)', ['inputs'], note, { ...good, inputs: {} }],
  ['expected 3, found 2', ['result', 'outputs', 'n'], note, { ...good, result: { outputs: { n: 3 } } }],
  ['expected "x", found nothing', ['result', 'nothing'], note, { ...good, result: { nothing: 'x' } }],
  [
    'there is no reply for call 1 of count, which is asked: "Count: A draft"',
    ['replies', 'count'],
    note,
    { ...good, replies: { draft: 'A draft' } },
  ],
  [
    'this reply of other was never played',
    ['replies', 'other'],
    note,
    { ...good, replies: { ...good.replies, other: 'x' } },
  ],
  [
    'this reply of draft was never played',
    ['replies', 'draft', 1],
    note,
    { ...good, replies: { ...good.replies, draft: ['A', 'B'] } },
  ],
  [
    'the prompt differs from character 10: expected "Write of cats.", found "Write of lists."',
    ['asked', 'draft', 0],
    note,
    { ...good, asked: { draft: ['Write of cats.'] } },
  ],
  [
    'expected 2 calls of draft, found 1',
    ['asked', 'draft'],
    note,
    { ...good, asked: { draft: ['Write of lists.', 'x'] } },
  ],
  [
    '"cats" is not in what is sent; the prompt begins: "Write of lists."',
    ['asked', 'draft', 0, 'contains'],
    note,
    { ...good, asked: { draft: [{ contains: 'cats' }] } },
  ],
  [
    'call 1: "lists" is in what is sent',
    ['asked', 'draft', 'lacks'],
    note,
    { ...good, asked: { draft: { lacks: 'lists' } } },
  ],
  ['never was never asked', ['asked', 'never'], note, { ...good, asked: { never: { contains: 'x' } } }],
  ['expected 1 model calls, found 2', ['calls'], note, { ...good, calls: 1 }],
  [
    'it cost $0.5',
    ['max_cost_usd'],
    note,
    { ...good, replies: { ...good.replies, draft: dear }, max_cost_usd: 0.4 },
  ],
  [
    'expected "INVALID_INPUT", found "INVALID_OUTPUT"',
    ['error', 'code'],
    note,
    { ...good, result: undefined, replies: { draft: 'A', count: 'two' }, error: { code: 'INVALID_INPUT' } },
  ],
  [
    'expected [], found ["draft"]',
    ['finished'],
    note,
    { ...good, result: undefined, replies: { draft: 'A', count: 'two' }, error: {}, finished: [] },
  ],
  [
    `it failed: INVALID_OUTPUT: the reply's output "n" is missing`,
    [],
    note,
    { ...good, replies: { draft: 'A', count: 'two' } },
  ],
  [
    'the case does not say what comes of the tool read_file with {"path":"a"}',
    [],
    uses,
    { replies: { use: [reads, 'x'] } },
  ],
  [
    'the case does not say what comes of the tool ask with {"question":"Which?"}',
    [],
    uses,
    { replies: { use: { tool_calls: [{ name: 'ask', input: { question: 'Which?' } }] } } },
  ],
  ['nobody asked for it', ['tools', 'ask'], uses, { replies: { use: 'x' }, tools: { ask: 'x' } }],
  [
    '1 of 2 were asked for',
    ['tools', 'read_file', 1],
    uses,
    { replies: { use: [reads, 'x'] }, tools: { read_file: ['x', 'y'] } },
  ],
  [
    'the case says only 1 times what comes of the tool read_file with {"path":"a"}',
    ['tools', 'read_file'],
    uses,
    { replies: { use: [reads, reads, 'x'] }, tools: { read_file: ['x'] } },
  ],
  [
    'nobody asked for it',
    ['scripts', 'test'],
    runs,
    { replies: { say: 'x' }, scripts: { make: {}, test: {} } },
  ],
])('%s', async (message, path, program, given) => {
  expect((await played(program, given)).problems).toEqual([{ path, message }]);
});

test('a command that the case does not know is not run', async () => {
  const { problems } = await played(runs, { replies: {} });
  expect(problems[0]).toEqual({
    path: [],
    message: 'the case does not say what comes of the command "make"',
  });
});
