// The evaluator of a job sees the whole change, or the files with tools that open them, and no tool that changes them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allCriteria } from '../../../src/app/engineer/slots/criteria.ts';
import { shownTokens } from '../../../src/app/engineer/attempt/evaluation.ts';
import { ModelRow } from '../../../src/engine/models/table.ts';
import { director, evaluator, type Reply } from '../../dialogue/script.ts';
import { repository } from '../../ground/workspace/fixture.ts';
import { playJob } from './play-job.ts';
import { jobSpec } from './spec.ts';

const file = 'prompts/programs/implement-issue.xml';
const program = readFileSync(file, 'utf8');

async function play(replies: Reply[], text = program, body = '') {
  await using repo = await repository({ 'a.txt': 'a\n' });
  return await playJob(repo, 'job', replies, {
    library: [[{ file, text }]],
    settings: { test_command: '', rounds: '1' },
    issue: { number: 7, title: 'Add a mark', body },
  });
}

const writes = (files: Record<string, string>) => director('Add a mark', files);
const calls = (name: string, input: Record<string, string | number>, when = 'Add a mark'): Reply => ({
  ...{ for: 'engineer.evaluator', when },
  tool_calls: [{ name, input }],
});

/** So many tokens of lines, and a risky one behind them. */
const long = (tokens: number) => `${'A line that is as long as it is\n'.repeat(tokens / 8)}risky()\n`;

test('a new file of 3,000 tokens is seen to its risky end', async () => {
  const { report } = await play([...writes({ 'b.txt': long(3000) }), evaluator('+risky()', true)]);
  expect(report).toMatchObject({ kind: 'bundle' });
});

test('of a change that is too long for the window the files are listed, and a diff is opened', async () => {
  const { report } = await play([
    ...writes({ 'b.txt': long(24_000), 'c.txt': 'c\n' }),
    calls('diff', { path: 'b.txt', offset: 2990 }, 'b.txt (new) +3001 -0\nc.txt (new) +1 -0'),
    evaluator('+risky()', true),
  ]);
  expect(report).toMatchObject({ kind: 'bundle' });
});

const row = (window?: number) =>
  ModelRow.parse({
    provider: 'openai',
    ...(window !== undefined && { window }),
    price: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
  });
const rows = { narrow: row(8000), unknown: row(), wide: row(1_000_000) };

test.for<[name: string, models: string | string[], tokens: number]>([
  ['a quarter of its window', 'narrow', 2000],
  ['a quarter of 80,000 where its window is not known', 'unknown', 20_000],
  ['50,000 at most', 'wide', 50_000],
  ['what the one that takes its place holds as well', ['wide', 'narrow'], 2000],
])('an evaluator is shown %s', ([, evaluator, tokens]) => {
  const spec = {
    ...jobSpec(1000, '', ''),
    model: { provider: 'served' as const, rows },
    models: { 'engineer.evaluator': evaluator },
  };
  const model = { provider: 'none', call: () => expect.fail('nobody asks it') };
  expect(shownTokens({ spec, model })).toBe(tokens);
});

const misses = (missing: string, when = 'Add a mark'): Reply => ({
  ...{ for: 'engineer.evaluator', when },
  text: JSON.stringify({ success: false, feedback: null, missing }),
});

test.for<[what: string, missing: string, shown: string]>([
  ['the diff of a lock file, which was only named', 'the lines of "go.sum"?', '+sum\n'],
  ['a file that was not changed', 'How does `a.txt` begin?', '## a.txt\n```\na\n```'],
  ['all of a file that was changed', 'b.txt', '## b.txt\n```\nb\n```'],
  ['the files that there are, for one that there is not', 'nowhere.txt', 'There is no file of that name'],
])('an evaluator that could not see is shown %s, and judges', async ([, missing, shown]) => {
  const change = writes({ 'b.txt': 'b\n', 'go.sum': 'sum\n' });
  const { report } = await play([...change, misses(missing), evaluator(shown, true)]);
  expect(report).toMatchObject({ kind: 'bundle', rounds: 1, model_calls: 4 });
});

test('what the evaluator cannot see even then is not accepted, though it says success', async () => {
  const again = { success: true, feedback: 'Fine else.', missing: 'the colour' };
  const { report } = await play([
    ...writes({ 'b.txt': 'b\n' }),
    misses('the colour'),
    { ...misses('', '# What you could not see before (data): "the colour"'), text: JSON.stringify(again) },
  ]);
  const feedback = 'Not accepted: the evaluator could not see "the colour". Fine else.';
  expect(report).toMatchObject({ class: 'rejected', feedback, rounds: 1, model_calls: 4 });
});

test('an evaluator that shortens and leaves out criteria is asked once more, and each is judged once', async () => {
  const [first, second] = ['a mark stands at the end of the file', 'whatever else is in it stays'];
  const body = `- [ ] ${first}\n- [ ] ${second}`;
  const shortened = [
    { text: 'a mark stands at the end', met: true, evidence: 'b.txt' },
    { text: 'nothing else', met: true, evidence: 'b.txt' },
  ];
  const { report } = await play(
    [
      ...writes({ 'b.txt': 'b\n' }),
      evaluator('Add a mark', true, '', shortened),
      evaluator('# Your last verdict leaves out criteria: 2.', true, '', [
        ...shortened.slice(0, 1),
        { of: 2, text: 'nothing else', met: true, evidence: 'b.txt' },
      ]),
    ],
    program,
    body,
  );
  const criteria = [first, second].map(text => ({ text, met: true, evidence: 'b.txt' }));
  expect(report).toMatchObject({ kind: 'bundle', criteria, model_calls: 4 });
  expect(allCriteria(criteria, body)).toEqual(criteria);
});

test.for<[name: string, input: Record<string, string>]>([
  ['write_file', { path: 'a.txt', content: 'b\n' }],
  ['edit_file', { path: 'a.txt', old_text: 'a', new_text: 'b' }],
  ['delete_file', { path: 'a.txt' }],
  ['shell', { command: 'rm a.txt' }],
])('an evaluator has no %s, even where its program names it', async ([name, input]) => {
  const every = program.replace('search, diff</tools>', `search, diff, ${name}</tools>`);
  expect(every).not.toBe(program);
  const refusal = `There is no tool "${name}". The tools are: read_file, search, diff.`;
  const { report } = await play(
    [...writes({ 'b.txt': 'b\n' }), calls(name, input), evaluator(refusal, true)],
    every,
  );
  expect(report).toMatchObject({ kind: 'bundle' });
});
