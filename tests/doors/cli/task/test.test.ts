// `echelon task test` as a process: the product's own cases, and how what is not as expected is told.
import { afterEach, expect, test } from 'vitest';
import { endAll, root, runCli } from '../run-cli.ts';
import { taskFolder } from './fixture.ts';

afterEach(endAll);

const run = async (cwd: string, ...args: string[]) => await runCli(['task', 'test', ...args], { cwd });

const greet = `<task name="greet">
  <inputs><input name="who"/></inputs>
  <description>Greet {{who}}</description>
</task>
`;
const files = {
  'greet.xml': greet,
  'greet.test.json': `[
  {"name": "kind", "inputs": {"who": "Ada"}, "replies": {"greet": "Hello"}, "result": {"content": "Hello"}},
  {"name": "rude", "inputs": {"who": "Bo"}, "replies": {"greet": "Go"},
   "asked": {"greet": {"lacks": "Bo"}}, "result": {"content": "Hi"}}
]`,
  'more/count.task': '(task count (description "Count."))',
  'more/count.test.yaml': '# One case alone\nreplies: {count: two}\nresult: {content: two}\n',
};

test('the programs of the product do as their cases say', async () => {
  const ran = await run(root, 'prompts');
  expect(ran, ran.stdout).toMatchObject({ code: 0, stdout: '' });
  expect(ran.stderr).toMatch(/^\d\d cases, all as expected\n$/);
});

test('what is not as expected is told with its place; --filter and --json', async () => {
  using folder = await taskFolder(files);
  expect(await run(folder.path, '.')).toEqual({
    code: 1,
    stdout: [
      'greet.test.json:4:24 rude: asked.greet.lacks: call 1: "Bo" is in what is sent',
      'greet.test.json:4:52 rude: result.content: expected "Hi", found "Go"\n',
    ].join('\n'),
    stderr: '3 cases, 1 not as expected\n',
  });
  const { code, stdout } = await run(folder.path, 'greet.xml', '--filter', 'kind', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    cases: [{ file: 'greet.test.json', name: 'kind', passed: true, calls: 1, cost_usd: 0, problems: [] }],
    ...{ passed: 1, failed: 0 },
  });
});

test('a case file or a program that cannot be read is told with its place, and the others are played', async () => {
  using folder = await taskFolder({
    ...files,
    'greet.test.json': '{"replys": {}, "calls": "1"}',
    'bad.test.json': '{"replies": {]}',
    'lost.test.yml': 'replies: {}',
    'wrong.xml': '<task name="wrong"/>',
    'wrong.test.json': '{"replies": {}}',
  });
  expect(await run(folder.path, '.')).toEqual({
    code: 1,
    stdout: [
      'bad.test.json:1:14 Flow map in block collection must be sufficiently indented and end with a }',
      'greet.test.json:1:2 unknown key replys; did you mean "replies"?',
      'greet.test.json:1:16 calls: Invalid input: expected number, received string',
      'lost.test.yml:1:1 the program lost.xml, which its cases are of: not found',
      'wrong.xml:1:1 <task type="atomic"> needs <description> or <instructions>\n',
    ].join('\n'),
    stderr: '5 cases, 4 not as expected\n',
  });
});

test('called wrongly: no cases, none of the name, no program', async () => {
  using folder = await taskFolder({ ...files, 'alone.xml': greet });
  const { code, stderr } = await run(folder.path, 'alone.xml', 'gone.xml');
  expect(code).toBe(2);
  expect(stderr).toContain('alone.xml: has no cases; write them into alone.test.json\ngone.xml: not found\n');
  expect(await run(folder.path, '.', '--filter', 'none')).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('no case has none in its name') },
  });
});
