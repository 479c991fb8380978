// `npm run demo` as a user runs it: the sample's story, another project, every wrong option, Ctrl-C.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { standsSo } from '../../../src/doors/cli/demo-acts.ts';
import { before, sum } from '../../bench/tokens-baseline.ts';
import { sampleRun } from '../../bench/tokens-run.ts';
import { commit } from '../../committed.ts';
import { playsAll } from '../../crash/sample.ts';
import { Outcome } from './demo-outcome.ts';
import { root, runCli } from './run-cli.ts';

const temporary = mkdtempSync(join(tmpdir(), 'echelon-demo-test-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** A folder's files as a git repository with one commit. */
function repository(from: string, name: string): string {
  const path = join(temporary, name);
  cpSync(from, path, { recursive: true });
  commit(path);
  return path;
}

/** Of the tokens that it cost before, raw and priced. */
const HELD = 0.6;

describe('the sample', () => {
  // By the real model's wire, whose server here plays the script: so what it is sent is counted as well.
  test('ends with a draft pull request for every issue, one of them in the second round, for six tenths of the tokens of before', {
    timeout: 120_000,
  }, async () => {
    const { roles, stdout, stderr } = await sampleRun(root, temporary);
    const lines = stdout.split('\n');
    expect(lines.at(-1)).toBe('');
    const outcome = Outcome.parse(JSON.parse(lines.at(-2)!));
    expect(outcome.run).toMatchObject({ status: 'completed', phase: 'done' });
    expect(outcome.issues.length).toBeGreaterThanOrEqual(3);
    expect(new Set(outcome.issues.map(issue => issue.domain)).size).toBeGreaterThanOrEqual(3);
    expect(outcome.issues.every(issue => issue.state === 'done' && issue.pull !== null)).toBe(true);
    expect(outcome.pulls.every(pull => pull.draft && pull.tests?.exit_code === 0)).toBe(true);
    expect(outcome.pulls.map(pull => pull.rounds).sort()).toEqual([1, 1, 1, 2]);
    expect(outcome.pulls.some(pull => pull.base !== 'main')).toBe(true);
    expect(stderr).toContain('of all together: green');
    expect(readdirSync(temporary).filter(name => name.startsWith('echelon-'))).toEqual([]);

    for (const kind of ['raw', 'priced'] as const)
      expect(sum(roles)[kind], kind).toBeLessThanOrEqual(HELD * sum(before.fourIssues)[kind]);
  });
});

test('trouble: red tests, spent money, a conflict and a run that is cancelled are each told, and come to their end', {
  timeout: 120_000,
}, async () => {
  const ran = await runCli(['demo', '--json', '--story', 'trouble'], { env: { TMPDIR: temporary } });
  expect(ran.code, ran.stderr).toBe(0);
  const outcome = Outcome.parse(JSON.parse(ran.stdout.trim().split('\n').at(-1)!));
  expect(outcome.run.status).toBe('completed');
  expect(outcome.issues.map(({ merged }) => merged)).toEqual([true, true, true]);
  const told = [...ran.stderr.matchAll(/ s {2}(?:story|you|run) +(.*)/g)].map(([, text = '']) => text);
  const places = [
    /^The run waits: .* \/budget/,
    /^a test was red before/,
    /^comments: \/budget 3/,
    /two branches change the same line/,
    /^comments: \/fix #\d+ keep both/,
    /together they pass the tests/,
    /^comments: \/merge/,
    /changes their mind/,
    /^comments: \/cancel/,
    /^Cancelled by you/,
  ].map(text => told.findIndex(each => text.test(each)));
  expect(places, ran.stderr).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

// By workflows it is played by hand and weekly: a minute more.
test.each(playsAll ? ['app', 'actions'] : ['app'])(
  'merge, via %s: four drafts, three comments, all merged',
  {
    timeout: 300_000,
  },
  async via => {
    const ran = await runCli(['demo', '--json', '--story', 'merge', '--via', via], {
      env: { TMPDIR: temporary },
    });
    expect(ran.code, ran.stderr).toBe(0);
    const outcome = Outcome.parse(JSON.parse(ran.stdout.trim().split('\n').at(-1)!));
    expect(outcome.issues.map(({ merged }) => merged)).toEqual([true, true, true, true]);
    expect(Array.from(ran.stderr.matchAll(/ you +comments: (.*)/g), ([, text]) => text)).toEqual([
      '/approve',
      expect.stringMatching(/^\/fix #\d+ The pipeline/),
      '/merge',
    ]);
  },
);

test('a part of how a run stands: at any depth, null for what is absent', () => {
  const view = { status: 'waiting', issues: [{ state: 'running', pull: 1 }, { state: 'done' }] };
  for (const part of [{}, { status: 'waiting' }, { issues: [{ state: 'running' }] }, { together: null }])
    expect(standsSo(view, part)).toBe(true);
  for (const part of [
    { status: 'done' },
    { issues: [{ state: 'done' }] },
    { together: {} },
    { status: null },
  ])
    expect(standsSo(view, part)).toBe(false);
});

const make = spawnSync('make', ['--version']).status === 0;

describe('another project', () => {
  test.skipIf(!make)(
    `its own tests run, and it is not touched${make ? '' : ' (skipped: make is not installed)'}`,
    { timeout: 60_000 },
    async () => {
      const other = join(root, 'tests/sample/other');
      const repo = repository(join(other, 'project'), 'other');
      const before = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: repo, encoding: 'utf8' });
      const directive = execFileSync('cat', [join(other, 'directive.md')], { encoding: 'utf8' });
      const ran = await runCli([
        ...['demo', '--json', '--repo', repo, '--directive', directive],
        ...['--script', join(other, 'script.json'), '--keep', join(temporary, 'kept')],
      ]);
      expect(ran.code, ran.stderr).toBe(0);
      const outcome = Outcome.parse(JSON.parse(ran.stdout.trim().split('\n').at(-1)!));
      expect(outcome.pulls).toHaveLength(1);
      expect(outcome.pulls[0]).toMatchObject({
        draft: true,
        base: 'main',
        tests: { command: 'make test', exit_code: 0 },
      });
      expect(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: repo, encoding: 'utf8' })).toBe(before);
      expect(execFileSync('git', ['status', '--porcelain'], { cwd: repo, encoding: 'utf8' })).toBe('');
      expect(readdirSync(join(temporary, 'kept')).sort()).toEqual(['forge', 'jobs', 'mirrors']);
    },
  );
});

describe('what is asked for wrongly', () => {
  const empty = join(temporary, 'empty');
  const full = join(temporary, 'full');
  const none = join(temporary, 'none');
  mkdirSync(empty);
  mkdirSync(full);
  writeFileSync(join(full, 'a'), '');
  mkdirSync(none);
  execFileSync('git', ['init', '--quiet'], { cwd: none });
  const broken = join(temporary, 'broken.json');
  writeFileSync(broken, '{"version": 1,\n  "replies": [}');
  const odd = join(temporary, 'odd.json');
  writeFileSync(odd, '{"version": 1, "replies": [{"for": "2ic", "txt": "a"}]}');

  test.each([
    {
      args: ['--story', 'trouble', '--title', 'x'],
      says: ["--story trouble: it fits the sample's own repository, directive and script only"],
    },
    {
      args: ['--repo', '/no/such/folder', '--title', 'x', '--script', odd],
      says: ['--repo /no/such/folder: not found'],
    },
    { args: ['--repo', empty, '--title', 'x', '--model', 'anthropic'], says: ['not a git repository'] },
    {
      args: ['--repo', none, '--title', 'x', '--script', broken],
      says: ['has no commit yet', `${broken}:2:`],
    },
    { args: ['--jsn'], says: ['unknown option --jsn; did you mean --json?'] },
    { args: ['--model', 'gpt'], says: ['unknown model gpt; it is one of anthropic, scripted'] },
    { args: ['--approve', 'never'], says: ['--approve cannot be never; it is one of auto, ask'] },
    { args: ['--approve', 'ask'], says: ['--approve ask needs a terminal'] },
    { args: ['--script', odd], says: ['txt'] },
    {
      args: ['--story', 'none'],
      says: ['--story none: there is no story none; there is merge, review, trouble'],
    },
    { args: ['--keep', full], says: ['exists and is not an empty folder'] },
    { args: ['--body', 'x'], says: ['--body needs --title'] },
    { args: ['--directive', 'a', '--title', 'b'], says: ['--directive goes without --title and --body'] },
    { args: ['--title'], says: ['--title needs a value'] },
    { args: ['--json=1'], says: ['--json takes no value'] },
    {
      args: ['extra', '--nope', '--model', 'x', '--repo', '/no'],
      says: ['unexpected argument extra', '--nope', 'unknown model x', '/no: not found'],
    },
    { args: ['--model', 'anthropic'], says: ['ANTHROPIC_API_KEY'] },
  ])('$args', async ({ args, says }) => {
    const ran = await runCli(['demo', ...args], { refused: true });
    expect(ran.code).toBe(2);
    expect(ran.stdout).toEqual(args.includes('--json=1') ? expect.stringMatching(/^\{"error":.*\}\n$/) : '');
    for (const text of says) expect(ran.stderr).toContain(text);
  });

  test('a script that does not fit fails the run, names the layer, and the exit code says so', async () => {
    const script = join(temporary, 'short.json');
    writeFileSync(script, JSON.stringify({ version: 1, replies: [{ for: 'team-lead', text: 'x' }] }));
    const ran = await runCli(['demo', '--json', '--script', script]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('The Strategist failed: no reply of the script fits 2ic');
    expect(JSON.parse(ran.stdout.trim())).toMatchObject({ run: { status: 'failed' }, issues: [], pulls: [] });
  });
});

test('Ctrl-C ends the jobs, removes the folder, and exits with 130', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(temporary, 'interrupted-'));
  let sent = false;
  const ran = await runCli(['demo'], {
    env: { TMPDIR: folder },
    onLine: (line, kill) => {
      // Once: a second Ctrl-C ends the process where it stands, as people expect.
      if (!sent && line.includes('pending -> running')) kill('SIGINT');
      sent ||= line.includes('pending -> running');
    },
  });
  expect(ran.code).toBe(130);
  expect(readdirSync(folder)).toEqual([]);
  const left = spawnSync('pgrep', ['-f', folder], { encoding: 'utf8' });
  expect(left.stdout ?? '').toBe('');
});
