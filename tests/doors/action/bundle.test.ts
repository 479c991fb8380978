// The Action's files: they work a job on their own, copied away from everything else, and refuse what they cannot do.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { JobReport } from '../../../src/app/engineer/jobs/report-spec.ts';
import type { JobSpec } from '../../../src/app/engineer/jobs/job-spec.ts';
import { inputNames } from '../../../src/doors/action/task-plan.ts';
import { defaultTaskConfig } from '../../../src/doors/folder-library.ts';
import { openMirror } from '../../../packages/ground/workspace/mirror.ts';
import { loadsOf, tellingLoads } from '../loads.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'echelon-action-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const git = (cwd: string, ...args: string[]) => {
  const who = ['-c', 'user.name=you', '-c', 'user.email=you@users.noreply.github.com'];
  const { stdout, status, stderr } = spawnSync('git', [...who, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
};

const built = globSync('action/*.{mjs,wasm}', { cwd: root });

/** The bundle's files alone in a folder, run with this environment and nothing else. */
function action(env: Record<string, string>, ...options: string[]) {
  for (const file of built) cpSync(join(root, file), join(folder, 'alone', file));
  return spawnSync(process.execPath, [...options, join(folder, 'alone/action/index.mjs')], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
  });
}

test('works a job: a patch bundle and a report, the tests run, nothing of the checkout left', {
  timeout: 60_000,
}, async () => {
  const source = join(folder, 'source');
  mkdirSync(source);
  writeFileSync(join(source, 'test.sh'), 'test -f made.txt\n');
  git(source, 'init', '--quiet', '--initial-branch=main');
  git(source, 'add', '--all');
  git(source, 'commit', '--quiet', '-m', 'Begin');
  const mirror = await openMirror({ folder: join(folder, 'mirror.git'), url: source });
  await mirror.fetch();
  const job = join(folder, 'jobs', '0123456789abcdef0123');
  mkdirSync(job, { recursive: true });
  const verdict =
    '<result status="COMPLETE"><content>Good.</content><output name="success">true</output><output name="feedback"></output></result>';
  const program = 'prompts/programs/implement-issue.xml';
  const spec: JobSpec = {
    version: 1,
    op: '0123456789abcdef0123',
    repository: 'you/work',
    directive: 1,
    issue: { number: 2, title: 'Make a file', body: 'made.txt must exist' },
    attempt: 1,
    base: (await mirror.resolve('main'))!,
    mirror: mirror.path,
    library: [[{ file: program, text: readFileSync(join(root, program), 'utf8') }]],
    settings: { test_command: 'sh test.sh', rounds: '3' },
    model: {
      provider: 'scripted',
      script: JSON.stringify({
        version: 1,
        replies: [
          {
            for: 'engineer.director',
            tool_calls: [{ name: 'write_file', input: { path: 'made.txt', content: 'made\n' } }],
          },
          { for: 'engineer.director', text: 'The file is there.' },
          { for: 'engineer.evaluator', text: verdict },
        ],
      }),
    },
    models: { default: 'scripted' },
    limits: { attempt_ms: 30_000, stuck_ms: 120_000, budget_usd: 1, turns: 10 },
    engines: ['native'],
    isolation: 'none',
    network: 'none',
    reasoning: defaultTaskConfig().reasoning,
    previous: null,
  };
  writeFileSync(join(job, 'job.json'), JSON.stringify(spec));

  const ran = action({ INPUT_MODE: 'engineer', INPUT_JOB: job });
  expect(ran.status, ran.stderr).toBe(0);
  const report = JobReport.parse(JSON.parse(readFileSync(join(job, 'report.json'), 'utf8')));
  expect(report).toMatchObject({
    kind: 'bundle',
    rounds: 1,
    model_calls: 3,
    tests: { command: 'sh test.sh', exit_code: 0 },
  });
  expect(readFileSync(join(job, 'changes.patch'), 'utf8')).toContain('+made');
  expect(existsSync(join(job, 'tree'))).toBe(false);
});

test('no HTTP client is loaded to speak to the runner', () => {
  const code = built.map(file => readFileSync(join(root, file), 'latin1')).join('\n');
  // Its name stands in messages of a model's SDK; the channel is its own.
  expect(code).not.toMatch(/undici:request|tunneling socket/);
});

test('nothing of a mode is loaded before it is asked for', () => {
  const ran = action({ INPUT_MODE: 'plan' }, '--import', tellingLoads);
  const loaded = loadsOf(ran.stderr).map(file => readFileSync(file).length);
  expect(loaded).not.toEqual([]);
  expect(Math.max(...loaded)).toBeLessThan(5000);
});

test('a mode that there is none of is refused by name', () => {
  const ran = action({ INPUT_MODE: 'plan', INPUT_JOB: folder });
  expect(ran.status).toBe(2);
  expect(ran.stderr).toContain('mode: "plan" is none of run, fetch, engineer, deliver, task');
});

test('the mode engineer without a job says what is missing', () => {
  const ran = action({ INPUT_MODE: 'engineer' });
  expect(ran.status).toBe(2);
  expect(ran.stderr).toContain('mode: engineer needs job: the folder of a job');
});

test('a folder that is no job says so', () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const ran = action({ INPUT_MODE: 'engineer', INPUT_JOB: empty });
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain('job.json is missing');
});

test('action.yml names the bundle, and its inputs and outputs are those of the code', () => {
  const { runs, inputs, outputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
  expect(runs).toEqual({ using: 'node24', main: 'action/index.mjs' });
  const code = globSync('src/doors/action/**/*.ts', { cwd: root })
    .map(file => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const read = [...code.matchAll(/\binput\('(\w+)'\)|INPUT_([A-Z]+)\b/g)].map(([, name, variable]) =>
    (name ?? variable ?? '').toLowerCase(),
  );
  // Settings for jobs on the run's own machine are no inputs of a workflow.
  const asked = new Set([...inputNames, ...read.filter(name => !['debug', 'record'].includes(name))]);
  expect(Object.keys(inputs).toSorted()).toEqual([...asked].toSorted());
  const given = code
    .split('setOutputs({')
    .slice(1)
    .map(text => text.split('});')[0]);
  for (const name of Object.keys(outputs)) expect(given.join()).toMatch(new RegExp(`\\b${name}(:|,)`));
});
