// What the evaluator of a job sees: all of the change, or the files with tools that open them, and nothing that changes them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { director, evaluator, type Reply } from '../../dialogue/script.ts';
import { repository } from '../../workspace/fixture.ts';
import { playJob } from './play-job.ts';

const file = 'prompts/programs/implement-issue.xml';
const program = readFileSync(file, 'utf8');

async function play(replies: Reply[], text = program) {
  await using repo = await repository({ 'a.txt': 'a\n' });
  return await playJob(repo, 'job', replies, {
    library: [[{ file, text }]],
    settings: { test_command: '', rounds: '1' },
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

test.for<[name: string, input: Record<string, string>]>([
  ['write_file', { path: 'a.txt', content: 'b\n' }],
  ['edit_file', { path: 'a.txt', old_text: 'a', new_text: 'b' }],
  ['delete_file', { path: 'a.txt' }],
  ['shell', { command: 'rm a.txt' }],
])('an evaluator has no %s, even where its program names it', async ([name, input]) => {
  const every = program.replace('search, diff</tools>', `search, diff, ${name}</tools>`);
  expect(every).not.toBe(program);
  const refusal = `There is no tool "${name}". The tools are: read_file, list_files, search, diff.`;
  const { report } = await play(
    [...writes({ 'b.txt': 'b\n' }), calls(name, input), evaluator(refusal, true)],
    every,
  );
  expect(report).toMatchObject({ kind: 'bundle' });
});
