// Programs of others as directors, played by a small fake of one: in what order they are used, what they may spend, and
// what they can see. The real ones: tests/doors/cli/engines.test.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JobSpec } from '../../../../src/app/engineer/jobs/job-spec.ts';
import { bubblewrapFault } from '../../../../packages/ground/workspace/isolation.ts';
import { costing, director, evaluator, type Reply } from '../../../dialogue/script.ts';
import { repository, temporary } from '../../../ground/workspace/fixture.ts';
import { fakeEngine } from '../fake-engine.ts';
import { playJob } from '../play-job.ts';

const program = 'prompts/programs/implement-issue.xml';
const library = [[{ file: program, text: readFileSync(program, 'utf8') }]];
const system = '/usr/bin:/bin';
const fault = await bubblewrapFault();

const uses = (name: string, input: Record<string, string>): Reply => ({
  for: 'engineer.director',
  tool_calls: [{ name, input }],
});
const says = (text: string): Reply => ({ for: 'engineer.director', text });
const writes = uses('Write', { file_path: 'made.txt', content: 'made\n' });

type Given = Partial<JobSpec> & { installed?: string[]; old?: string };

/** A job with these engines, where the fake stands for those that `installed` names. */
async function work(engines: JobSpec['engines'], replies: readonly Reply[], more: Given = {}) {
  const { installed = ['claude'], old, ...changes } = more;
  await using folder = await temporary();
  await using repo = await repository({ 'a.txt': 'a\n' });
  for (const each of installed) fakeEngine(folder.path, each);
  const refuses = `[ "$1" = --version ] && echo 2.0.1 || { echo "${old}" >&2; exit 1; }\n`;
  if (old) writeFileSync(join(folder.path, 'bin', 'claude'), `#!/bin/sh\n${refuses}`, { mode: 0o755 });
  // A missing engine must not be found on the real machine either.
  const hostPath = installed.length > 0 ? `${join(folder.path, 'bin')}:${system}` : folder.path;
  const watched = { calls: [], spent: [], hostPath };
  return await playJob(repo, 'job', replies, { library, engines, ...changes }, watched);
}

test('a program works the issue: what it did is judged, its calls are paid from the job, and it is named', async () => {
  const { report, files } = await work(
    ['claude-code'],
    [costing(writes, 0.2), costing(says('It is made.'), 0.1), costing(evaluator('made.txt', true), 0.01)],
  );
  expect(report).toMatchObject({
    kind: 'bundle',
    engine: 'claude-code 9.9.9',
    summary: 'It is made.',
    model_calls: 3,
    sessions: [{ task: 'engineer.director', status: 'completed', operations: 1, iterations: 2 }, {}],
  });
  expect(report.cost_usd).toBeCloseTo(0.31);
  expect(files).toEqual(['made.txt']);
});

test.for<[string, JobSpec['engines'], Given, string]>([
  [
    'is missing',
    ['aider', 'native'],
    { installed: [] },
    'aider: `aider` is not on PATH where engineers work (`pipx install aider-chat` puts it there)',
  ],
  [
    'is too old',
    ['claude-code', 'native'],
    { old: "error: unknown option '--permission-prompts'" },
    '--permission-prompts',
  ],
])('a program that %s: the next engine works, and why is told', async ([, engines, given, why]) => {
  const replies = [...director('Add a mark', { 'made.txt': 'made\n' }), evaluator('made.txt', true)];
  const { report } = await work(engines, replies, given);
  expect(report).toMatchObject({
    kind: 'bundle',
    engine: expect.stringMatching(/^native; (aider|claude-code): /),
  });
  expect(JSON.stringify(report)).toContain(why);
});

test('a program whose provider wants a long pause: the next engine works', async () => {
  const { report } = await work(
    ['claude-code', 'native'],
    [
      { for: 'engineer.director', error: { type: 'rate_limit', retry_after: 600 } },
      ...director('Add a mark', { 'made.txt': 'made\n' }),
      evaluator('made.txt', true),
    ],
  );
  expect(report).toMatchObject({
    kind: 'bundle',
    engine: expect.stringMatching(/^native; claude-code: the model is not/),
  });
});

test('all of them held back: the job fails with the longest wait, and says what became of each', async () => {
  const pause: Reply = { for: 'engineer.director', error: { type: 'rate_limit', retry_after: 600 } };
  const { report } = await work(['aider', 'claude-code'], [pause]);
  expect(report).toMatchObject({ kind: 'failed', class: 'rate_limit', until: expect.any(Number) });
  expect(report.feedback).toMatch(
    /no engine could work: aider: `aider` is not .*; claude-code: the model is/,
  );
});

test('none of them installed: the job fails once and for all, and says how to install them', async () => {
  const { report } = await work(['claude-code', 'aider'], [], { installed: [] });
  expect(report).toMatchObject({ kind: 'failed', class: 'no_engine', model_calls: 0 });
  expect(report.feedback).toContain('npm install --global @anthropic-ai/claude-code');
});

test("the job's budget ends a program in the middle; what it changed is kept", async () => {
  const { report, handed } = await work(['claude-code', 'native'], [costing(writes, 2), says('More.')]);
  expect(report).toMatchObject({
    kind: 'failed',
    class: 'budget',
    model_calls: 1,
    cost_usd: 2,
    partial: true,
  });
  expect(handed).toBe(true);
});

test('calls that a program makes at once are made one after the other: none is made beyond the budget', async () => {
  const { report } = await work(
    ['claude-code'],
    [uses('Twice', {}), { ...costing(says('One.'), 2), delay_ms: 300 }, says('Two.')],
  );
  expect(report).toMatchObject({ class: 'budget', model_calls: 2, cost_usd: 2 });
});

test('a program has the turns of a session and no more', async () => {
  const limits = { attempt_ms: 60_000, stuck_ms: 1000, budget_usd: 1, turns: 1 };
  const { report } = await work(['claude-code'], [writes, says('More.')], { limits });
  expect(report).toMatchObject({ kind: 'failed', class: 'turns_exhausted', model_calls: 1, partial: true });
});

test('a program that breaks: the attempt fails with what it printed, and no other engine is asked', async () => {
  const { report } = await work(['claude-code', 'native'], [uses('Break', {})]);
  expect(report).toMatchObject({ kind: 'failed', class: 'tool_failed', model_calls: 1 });
  expect(report.feedback).toContain('claude-code failed (exit code 3): it broke');
});

test.skipIf(fault !== undefined)(
  'a program sees its checkout, an empty home and the way to its model; nothing else answers (skipped without bubblewrap)',
  async () => {
    await using outside = await temporary();
    writeFileSync(join(outside.path, 'secret'), 'a key');
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const places = `${join(outside.path, 'secret')} ${process.cwd()}/package.json ../job.json /run/echelon/0`;
    const { report, patch } = await work(
      ['claude-code'],
      [
        uses('Look', { file_path: 'seen.txt', places, port: String(port) }),
        says('Seen.'),
        evaluator('seen.txt', true),
      ],
      { isolation: 'bubblewrap' },
    ).finally(() => server.close());
    expect(report).toMatchObject({ kind: 'bundle', isolation: 'bubblewrap' });
    const { env, ...seen } = JSON.parse(/^\+(\{.*)$/m.exec(patch ?? '')?.[1] ?? '{}');
    expect(seen).toEqual({ home: [], there: ['/run/echelon/0'], reached: false });
    expect(Object.keys(env).filter(name => /(KEY|TOKEN|SECRET)$/.test(name))).toEqual(['ANTHROPIC_API_KEY']);
    expect(env['ANTHROPIC_API_KEY']).toMatch(/^[\w-]{32}$/);
  },
);
