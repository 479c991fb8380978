// `echelon init` in real clones: what it proposes, what it leaves to the person, and that twice is once.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const cli = join(import.meta.dirname, '../../../src/doors/cli/echelon.js');
let root: string;
let clone: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd: clone,
    encoding: 'utf8',
  }).trim();

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'echelon-init-test-'));
  clone = join(root, 'clone');
  mkdirSync(clone);
  git('init', '--quiet', '--initial-branch=trunk');
  writeFileSync(join(clone, 'go.mod'), 'module example\n');
  writeFileSync(join(clone, 'main.go'), 'package main\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'First');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function init(
  args: string[] = [],
  { cwd = clone, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'init', ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', HOME: root, GH_CONFIG_DIR: join(root, 'gh'), ...env },
  });
  return { status, stdout, stderr };
}

describe('without gh logged in', () => {
  test('the files are on a branch of their own, the work tree and the branches are as they were', () => {
    const head = git('rev-parse', 'HEAD');
    const { status, stdout } = init();
    expect([status, git('status', '--porcelain'), git('rev-parse', 'HEAD')]).toEqual([0, '', head]);
    expect(git('diff', '--name-status', 'trunk', 'echelon/init')).toBe(
      'A\t.github/echelon.yml\nA\t.github/workflows/echelon.yml',
    );
    expect(stdout).toMatch(/default branch trunk, Go, tests: go test/);
    for (const typed of [
      'git push origin echelon/init',
      'gh label create echelon',
      'gh secret set ANTHROPIC_API_KEY',
    ])
      expect(stdout).toContain(typed);
    expect(stdout).toContain('gh auth login');
  });

  test('the secret is the one that the configured models need', () => {
    mkdirSync(join(clone, '.github'));
    const row = '{ provider: openai, price: { input: 1, output: 2, cache_read: 1, cache_write: 1 } }';
    const models = `models: { default: openai/small, openai/small: ${row} }\n`;
    writeFileSync(join(clone, '.github/echelon.yml'), models);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Configure');
    const { stdout } = init();
    expect(stdout).toContain('gh secret set OPENAI_API_KEY');
    expect(stdout).not.toContain('ANTHROPIC_API_KEY');
  });

  test('a branch that was pushed since is not to be pushed again', () => {
    execFileSync('git', ['init', '--quiet', '--bare', join(root, 'server.git')]);
    git('remote', 'add', 'origin', join(root, 'server.git'));
    expect(init().stdout).toContain('git push origin echelon/init');
    git('push', '--quiet', 'origin', 'echelon/init');
    const { stdout } = init();
    expect(stdout).toContain("on origin's branch echelon/init: open a pull request of it");
    expect(stdout).not.toContain('git push');
  });

  test('twice is once', () => {
    init();
    const made = git('rev-parse', 'echelon/init');
    expect([init().status, git('rev-parse', 'echelon/init')]).toEqual([0, made]);
  });

  test('--dry-run prints the files and makes nothing', () => {
    const { stdout } = init(['--dry-run']);
    expect(stdout).toContain('uses: echelon-org/echelon/.github/workflows/run.yml@v0');
    expect(git('branch', '--list', 'echelon/*')).toBe('');
  });

  test('files with a text of their own are left alone', () => {
    mkdirSync(join(clone, '.github'));
    writeFileSync(join(clone, '.github/echelon.yml'), 'label: robot\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Own');
    const { stdout } = init();
    expect(stdout).toMatch(/there +\.github\/echelon\.yml: with a text of your own/);
    expect(git('diff', '--name-status', 'trunk', 'echelon/init')).toBe('A\t.github/workflows/echelon.yml');
  });

  test.each(['robot', "it's on: #1 $& now"])(
    'the workflow starts at the label %s of a configuration',
    label => {
      mkdirSync(join(clone, '.github'));
      writeFileSync(join(clone, '.github/echelon.yml'), `label: ${JSON.stringify(label)}\n`);
      git('add', '--all');
      git('commit', '--quiet', '--message', 'Own');
      const { stdout } = init();
      const jobs = parse(git('show', 'echelon/init:.github/workflows/echelon.yml')).jobs;
      expect(jobs.run.if).toContain(`github.event.label.name == '${label.replaceAll("'", "''")}')`);
      expect(stdout).toContain(`label ${label}: gh label create`);
    },
  );

  test.each([
    ['https://github.example.com/you/thing.git', 'workflows on github.example.com'],
    ['git@github.example.com:you/thing.git', 'workflows on github.example.com'],
    ['ssh://git@github.example.com:2222/you/thing', 'workflows on github.example.com'],
    ['https://github.example.com:8443/you/thing.git', 'workflows on github.example.com:8443'],
    ['http://localhost:3000/you/thing.git', 'workflows on localhost:3000'],
    ['git@github.com:you/thing.git', undefined],
    ['https://you:word@github.com/you/thing', undefined],
    ['ssh://git@ssh.github.com:443/you/thing.git', undefined],
    ['git@github.com-work:you/thing.git', undefined],
    ['git@work:you/thing.git', undefined],
  ])('of %s is said what another server needs: %s', (url, what) => {
    git('remote', 'add', 'origin', url);
    const told = JSON.parse(init(['--dry-run', '--json']).stdout) as {
      repository: string;
      steps: { what: string; detail: string }[];
    };
    expect(told.repository).toBe('you/thing');
    const steps = told.steps.filter(step => step.what.startsWith('workflows on'));
    expect(steps.map(step => step.what)).toEqual(what ? [what] : []);
    for (const { detail } of steps)
      expect(detail).toContain('echelon-org/echelon/<path>@v0 for each $/<path>');
  });

  test('the App needs nothing of another server', () => {
    git('remote', 'add', 'origin', 'https://github.example.com/you/thing.git');
    expect(init(['--app', '--dry-run']).stdout).not.toContain('workflows on');
  });

  test('a branch of that name with something else is left alone, with the remedy', () => {
    git('branch', 'echelon/init');
    const before = git('rev-parse', 'echelon/init');
    expect(init().stdout).toContain('git branch -D echelon/init');
    expect(git('rev-parse', 'echelon/init')).toBe(before);
  });

  test('--app needs no workflow and no secrets', () => {
    const { stdout } = init(['--app']);
    expect(git('diff', '--name-status', 'trunk', 'echelon/init')).toBe('A\t.github/echelon.yml');
    expect(stdout).not.toContain('secret');
  });

  test('--app where the configuration has its jobs on Actions: a workflow that only the App starts', () => {
    mkdirSync(join(clone, '.github'), { recursive: true });
    writeFileSync(join(clone, '.github/echelon.yml'), 'execution: actions\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Jobs on Actions');
    init(['--app']);
    expect(git('diff', '--name-status', 'trunk', 'echelon/init')).toBe('A\t.github/workflows/echelon.yml');
    const text = git('show', 'echelon/init:.github/workflows/echelon.yml');
    expect(Object.keys(parse(text).on)).toEqual(['workflow_dispatch']);
  });

  test('--json is one object', () => {
    const told = JSON.parse(init(['--json']).stdout) as { branch: string; steps: { state: string }[] };
    expect([told.branch, told.steps.map(({ state }) => state)]).toEqual([
      'trunk',
      ['left', 'left', 'left', 'left'],
    ]);
  });
});

test.for<[name: string, make: () => void, why: RegExp]>([
  ['no repository', () => rmSync(join(clone, '.git'), { recursive: true }), /is not in a git repository/],
  [
    'an empty one',
    () => {
      rmSync(join(clone, '.git'), { recursive: true });
      git('init', '--quiet', '--initial-branch=trunk');
    },
    /has no commit yet/,
  ],
  [
    'a commit without a branch',
    () => void git('checkout', '--quiet', '--detach'),
    /no branch is checked out/,
  ],
])('%s: exit 2, one sentence', ([, make, why]) => {
  make();
  expect(init()).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(why) });
});

describe('with gh logged in', () => {
  /** Stands for GitHub's command line: knows what is there, and writes down what it is asked, with its input. */
  function gh(known: { label?: boolean; secrets?: string; pull?: string }): void {
    mkdirSync(join(root, 'bin'));
    const file = join(root, 'bin/gh');
    const log = join(root, 'gh.log');
    writeFileSync(
      file,
      `#!/bin/sh
case "$1 $2" in
  "auth status") exit 0 ;;
  "secret list") [ $# = 2 ] && printf '%s' '${known.secrets ?? ''}' || { echo 'unknown flag: --json' >&2; exit 1; } ;;
  "pr list") printf '%s' '${known.pull ?? ''}' ;;
  "pr create") echo https://github.example/pull/1 ;;
  "label create") ${known.label ? 'echo "label with name already exists" >&2; exit 1' : 'true'} ;;
esac
printf '%s <%s>\\n' "$*" "$(if [ "$1 $2" = "secret set" ]; then cat; fi)" >> ${log}
`,
    );
    chmodSync(file, 0o755);
  }
  const asked = () => readFileSync(join(root, 'gh.log'), 'utf8');
  const path = () => ({
    env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, ANTHROPIC_API_KEY: 'sk-the-key' },
  });

  beforeEach(() => {
    execFileSync('git', ['init', '--quiet', '--bare', join(root, 'server.git')]);
    git('remote', 'add', 'origin', 'git@github.com:you/thing.git');
    git('config', `url.${join(root, 'server.git')}.pushInsteadOf`, 'git@github.com:you/thing.git');
  });

  test('pushes, opens the pull request, makes the label, sets the secrets by standard input', () => {
    gh({});
    const { status, stdout } = init([], path());
    expect(status).toBe(0);
    expect(stdout).toContain('proposed in https://github.example/pull/1');
    expect(
      execFileSync('git', ['branch', '--list'], { cwd: join(root, 'server.git'), encoding: 'utf8' }),
    ).toContain('echelon/init');
    expect(asked()).toMatch(/^secret set ANTHROPIC_API_KEY <sk-the-key>$/m);
    expect(asked()).toMatch(/^secret set ECHELON_STATE_KEY <[\w-]{43}>$/m);
    expect(stdout).not.toContain('sk-the-key');
    expect(stdout).not.toContain('gh auth login');
  });

  test('what is there is not made again; the key of the record never changes', () => {
    gh({
      label: true,
      secrets: 'ANTHROPIC_API_KEY\t2026-11-22T10:00:00Z\nECHELON_STATE_KEY\t2026-11-22T10:00:00Z\n',
      pull: 'https://github.example/pull/1',
    });
    const { stdout } = init([], path());
    expect(asked()).not.toMatch(/secret set|pr create/);
    expect(stdout.match(/^there/gm)).toHaveLength(4);
    expect(stdout).toContain('nothing to do');
  });
});
