// `echelon init` in real clones: what it proposes, what it leaves to the person, and that twice is once.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { lookAt } from '../../../src/doors/cli/init/look.ts';
import { git as gitAsync } from '../../../packages/forge/repositories/git.ts';
import { at, commit, openTestForge, type TestForge } from '../../forge/fixture.ts';
import { ghMissing } from '../../forge/gh/gh.ts';
import { type Ran, runCli } from './run-cli.ts';

/** A forge with a release of Echelon under v0, an annotated tag. */
let t: TestForge;
let release: string;
let product: string;
let root: string;
let clone: string;
const gitIn = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();
const git = (...args: string[]) => gitIn(clone, ...args);

beforeAll(async () => {
  t = await openTestForge();
  product = join(t.root, 'product');
  mkdirSync(product);
  gitIn(product, 'init', '--quiet', '--initial-branch=main');
  release = await commit(
    product,
    { 'action/index.mjs': '', '.github/workflows/run-identity.yml': '' },
    'Release',
  );
  gitIn(product, 'tag', '--annotate', '--message', 'Release', 'v0');
  gitIn(product, 'rm', '--quiet', 'action/index.mjs');
  gitIn(product, 'commit', '--quiet', '--message', 'Source');
  for (const owner of ['echelon-org', 'acme'])
    await t.forge.addRepository({ owner, name: 'echelon', from: product });
});
afterAll(() => t[Symbol.asyncDispose]());

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

const init = (args: string[] = [], env: Record<string, string> = {}): Promise<Ran> =>
  runCli(['init', ...args], {
    cwd: clone,
    env: { HOME: root, GH_CONFIG_DIR: join(root, 'gh'), GITHUB_API_URL: t.forge.api, ...env },
  });

/** Commits files on the default branch. */
const add = (files: Record<string, string>) => commit(clone, files, 'Change');

describe('without gh logged in', () => {
  test('the files are on a branch of their own, the work tree and the branches are as they were', async () => {
    const head = git('rev-parse', 'HEAD');
    const { code, stdout } = await init();
    expect([code, git('status', '--porcelain'), git('rev-parse', 'HEAD')]).toEqual([0, '', head]);
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

  test('the secret is the one that the configured models need', async () => {
    mkdirSync(join(clone, '.github'));
    const row = '{ provider: openai, price: { input: 1, output: 2, cache_read: 1, cache_write: 1 } }';
    const models = `models: { default: openai/small, openai/small: ${row} }\n`;
    writeFileSync(join(clone, '.github/echelon.yml'), models);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Configure');
    const { stdout } = await init();
    expect(stdout).toContain('gh secret set OPENAI_API_KEY');
    expect(stdout).not.toContain('ANTHROPIC_API_KEY');
  });

  test('a branch that was pushed since is not to be pushed again', async () => {
    execFileSync('git', ['init', '--quiet', '--bare', join(root, 'server.git')]);
    git('remote', 'add', 'origin', join(root, 'server.git'));
    expect((await init()).stdout).toContain('git push origin echelon/init');
    git('push', '--quiet', 'origin', 'echelon/init');
    const { stdout } = await init();
    expect(stdout).toContain("on origin's branch echelon/init: open a pull request of it");
    expect(stdout).not.toContain('git push');
  });

  test('twice is once', async () => {
    await init();
    const made = git('rev-parse', 'echelon/init');
    expect([(await init()).code, git('rev-parse', 'echelon/init')]).toEqual([0, made]);
  });

  test('--dry-run prints the files and makes nothing', async () => {
    const { stdout } = await init(['--dry-run']);
    expect(stdout).toContain(`uses: echelon-org/echelon/.github/workflows/run.yml@${release} # v0\n`);
    expect(stdout).not.toContain('zizmor: ignore[unpinned-uses]');
    expect(git('branch', '--list', 'echelon/*')).toBe('');
  });

  test('--identity proposes workflows that may show whose they are, and asks for ids in the place of a key', async () => {
    const { stdout } = await init(['--identity'], { ANTHROPIC_API_KEY: 'sk-of-mine' });
    const { jobs } = parse(git('show', 'echelon/init:.github/workflows/echelon.yml'));
    for (const name of ['run', 'jobs', 'check']) {
      expect(jobs[name].uses).toMatch(`/${name}-identity.yml@${release}`);
      expect(jobs[name].permissions).toMatchObject({ 'id-token': 'write' });
    }
    expect(stdout).toMatch(/left +identity for anthropic: gh variable set NAME/);
    git('merge', '--quiet', 'echelon/init');
    expect((await init()).stdout).toMatch(/there +\.github\/workflows\/echelon\.yml/);
    expect((await init()).stdout).toMatch(/left +identity for anthropic/);
  });

  test('files with a text of their own are left alone', async () => {
    mkdirSync(join(clone, '.github'));
    writeFileSync(join(clone, '.github/echelon.yml'), 'label: robot\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Own');
    const { stdout } = await init();
    expect(stdout).toMatch(/there +\.github\/echelon\.yml: with a text of your own/);
    expect(git('diff', '--name-status', 'trunk', 'echelon/init')).toBe('A\t.github/workflows/echelon.yml');
  });

  test.each(['robot', "it's on: #1 $& now"])(
    'the workflow starts at the label %s of a configuration',
    async label => {
      mkdirSync(join(clone, '.github'));
      writeFileSync(join(clone, '.github/echelon.yml'), `label: ${JSON.stringify(label)}\n`);
      git('add', '--all');
      git('commit', '--quiet', '--message', 'Own');
      const { stdout } = await init();
      const jobs = parse(git('show', 'echelon/init:.github/workflows/echelon.yml')).jobs;
      expect(jobs.run.if).toContain(`github.event.label.name == '${label.replaceAll("'", "''")}')`);
      expect(stdout).toContain(`label ${label}: gh label create`);
    },
  );

  test('on GitHub Enterprise Server, which cannot run the workflows, it says to use the App', async () => {
    git('remote', 'add', 'origin', 'https://github.example.com/you/thing.git');
    const { code, stdout } = await init();
    expect([code, git('branch', '--list', 'echelon/*')]).toEqual([1, '']);
    expect(stdout).toMatch(
      /not well +workflows on github\.example\.com: .*\n +fix: npx .*echelon init --app\n/,
    );
  });

  test('the App needs nothing of another server', async () => {
    git('remote', 'add', 'origin', 'https://github.example.com/you/thing.git');
    expect((await init(['--app', '--dry-run'])).stdout).not.toContain('workflows on');
  });

  test('a branch of that name with something else is left alone, with the remedy', async () => {
    git('switch', '--quiet', '--create', 'echelon/init');
    await add({ 'other.go': 'package main\n' });
    git('switch', '--quiet', 'trunk');
    const before = git('rev-parse', 'echelon/init');
    expect((await init()).stdout).toContain('git branch -D echelon/init');
    expect(git('rev-parse', 'echelon/init')).toBe(before);
  });

  test('--app needs no workflow and no secrets', async () => {
    const { stdout } = await init(['--app']);
    expect(git('diff', '--name-status', 'trunk', 'echelon/init')).toBe('A\t.github/echelon.yml');
    expect(stdout).not.toContain('secret');
  });

  test('--app where the configuration has its jobs on Actions: a workflow that only the App starts', async () => {
    mkdirSync(join(clone, '.github'), { recursive: true });
    writeFileSync(join(clone, '.github/echelon.yml'), 'execution: actions\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Jobs on Actions');
    await init(['--app']);
    expect(git('diff', '--name-status', 'trunk', 'echelon/init')).toBe('A\t.github/workflows/echelon.yml');
    const text = git('show', 'echelon/init:.github/workflows/echelon.yml');
    expect(Object.keys(parse(text).on)).toEqual(['workflow_dispatch']);
  });

  test('--json is one object', async () => {
    const told = JSON.parse((await init(['--json'])).stdout) as {
      branch: string;
      steps: { state: string }[];
    };
    expect([told.branch, told.steps.map(({ state }) => state)]).toEqual([
      'trunk',
      ['left', 'left', 'left', 'left', 'left'],
    ]);
  });
});

test.each([
  ['https://github.example.com/you/thing.git', 'server', 'github.example.com'],
  ['git@github.example.com:you/thing.git', 'server', 'github.example.com'],
  ['ssh://git@github.example.com:2222/you/thing', 'server', 'github.example.com'],
  ['https://github.example.com:8443/you/thing.git', 'server', 'github.example.com:8443'],
  ['https://acme.ghe.com/you/thing.git', 'cloud', 'acme.ghe.com'],
  ['http://localhost:3000/you/thing.git', 'local', 'localhost:3000'],
  ['http://github.localhost/you/thing.git', 'local', 'github.localhost'],
  ['git@github.com:you/thing.git', undefined, undefined],
  ['https://you:word@github.com/you/thing', undefined, undefined],
  ['ssh://git@ssh.github.com:443/you/thing.git', undefined, undefined],
  ['git@github.com-work:you/thing.git', undefined, undefined],
  ['git@work:you/thing.git', undefined, undefined],
])('a clone of %s is on a server of the kind %s', async (url, kind, host) => {
  git('remote', 'add', 'origin', url);
  const found = await lookAt(clone);
  if ('problem' in found) throw new Error(found.problem);
  expect([found.repository, found.enterprise?.kind, found.enterprise?.host]).toEqual([
    'you/thing',
    kind,
    host,
  ]);
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
])('%s: exit 2, one sentence', async ([, make, why]) => {
  make();
  expect(await init()).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(why) });
});

describe.skipIf(ghMissing !== '')(`with gh logged in${ghMissing}`, () => {
  let count = 0;
  let name = '';
  let R = '';
  const api = (method: string, path: string, body?: object) => t.forge.call('olga', method, R + path, body);
  const mayOpenPulls = async (may: boolean) =>
    await api('PUT', '/actions/permissions/workflow', { can_approve_pull_request_reviews: may });

  /** A repository of its own on the forge, with GitHub's defaults, and a clone that names it as gh knows it. */
  beforeEach(async () => {
    name = `work-${++count}`;
    R = `/repos/olga/${name}`;
    await t.forge.addRepository({ owner: at.owner, name, from: clone });
    await mayOpenPulls(false);
    git('remote', 'add', 'origin', `http://github.localhost/olga/${name}.git`);
    const helper = '!f() { echo username=x-access-token; echo "password=$GH_TOKEN"; }; f';
    writeFileSync(
      join(root, '.gitconfig'),
      `[credential "http://github.localhost"]\n\thelper = ${JSON.stringify(helper)}\n`,
    );
  });

  const asOlga = (args: string[] = [], env: Record<string, string> = {}) =>
    init(args, {
      GH_HOST: 'github.localhost',
      GH_TOKEN: t.forge.tokenFor('olga'),
      http_proxy: t.forge.url,
      ANTHROPIC_API_KEY: 'sk-the-key',
      ...env,
    });
  const lines = (stdout: string) => stdout.split('\n').filter(Boolean);

  test('pushes, opens the pull request, lets Actions open pull requests, makes the label, sets the secrets', async () => {
    const { code, stdout, stderr } = await asOlga(['--yes']);
    expect([code, stderr]).toEqual([0, '']);
    expect(lines(stdout)).toEqual([
      `olga/${name}: default branch trunk, Go, tests: go test ./...`,
      expect.stringMatching(
        /^done +\.github\/workflows\/echelon\.yml, \.github\/echelon\.yml: proposed in http.*\/pull\/1$/,
      ),
      expect.stringMatching(/^done +pull requests by Actions: allowed$/),
      expect.stringMatching(/^done +label echelon: made$/),
      expect.stringMatching(/^done +secret ANTHROPIC_API_KEY: set$/),
      expect.stringMatching(/^done +secret ECHELON_STATE_KEY: set$/),
      expect.stringMatching(
        /^Next: merge the pull request, run `npx .* doctor --on-github`, and put the label echelon on/,
      ),
    ]);
    expect((await api('GET', '/actions/permissions/workflow')).body).toMatchObject({
      can_approve_pull_request_reviews: true,
    });
    const written = (await t.as('olga').repos.getContent({
      ...{ owner: 'olga', repo: name, path: '.github/workflows/echelon.yml', ref: 'echelon/init' },
      mediaType: { format: 'raw' },
    })) as unknown as { data: string };
    expect(written.data).toContain(`/run.yml@${release} # v0\n`);
    expect(written.data).not.toContain('allow_fork');
  });

  test('twice is once: what is there is not made again, and the key of the record never changes', async () => {
    await asOlga(['--yes']);
    const { code, stdout } = await asOlga();
    expect([code, lines(stdout).filter(line => line.startsWith('there'))]).toEqual([
      0,
      expect.objectContaining({ length: 5 }),
    ]);
    expect(stdout).toContain('Nothing to do.');
  });

  test('without a terminal nothing is allowed that was not said yes to: the command is printed', async () => {
    const { code, stdout } = await asOlga();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^left +pull requests by Actions: not allowed yet: gh api --method PUT repos\/olga\/work-\d+\/actions\/permissions\/workflow -F can_approve_pull_request_reviews=true, or run this again with --yes$/m,
    );
  });

  test('all that blocks is told together, each with its fix, and nothing is written', async () => {
    await api('PUT', '/actions/permissions', { enabled: false });
    const { code, stdout } = await asOlga(['--from', 'nobody/echelon@v9', '--yes']);
    expect([code, lines(stdout)]).toEqual([
      1,
      [
        `olga/${name}: nothing was written.`,
        'not well  Echelon: nobody/echelon has no v9, or this login may not read it',
        expect.stringMatching(
          /^ +fix: npm run release -- v\d+\.\d+\.\d+ --push, .* init --from owner\/repo@ref$/,
        ),
        'not well  Actions: switched off',
        expect.stringMatching(
          /^ +fix: gh api --method PUT repos\/olga\/work-\d+\/actions\/permissions -F enabled=true/,
        ),
        'Fix these 2, then run this again.',
      ],
    ]);
    expect(git('branch', '--list', 'echelon/*')).toBe('');
    expect((await api('GET', '/pulls')).body).toEqual([]);
    expect((await api('GET', '/labels')).body).toEqual([]);
  });

  test('a release elsewhere is called by its commit; a commit that was not built is refused', async () => {
    expect((await asOlga(['--from', 'acme/echelon@main'])).stdout).toContain(
      'acme/echelon@main is no release of Echelon: it has no action/index.mjs',
    );
    await asOlga(['--from', 'acme/echelon@v0']);
    expect(git('show', 'echelon/init:.github/workflows/echelon.yml')).toContain(
      `uses: acme/echelon/.github/workflows/run.yml@${release} # v0\n`,
    );
  });

  test('a newer release is proposed in a workflow of one’s own, and nothing else of it is touched', async () => {
    await asOlga(['--yes']);
    git('merge', '--quiet', '--ff-only', 'echelon/init');
    const own = git('show', 'HEAD:.github/workflows/echelon.yml').replace(release, 'a'.repeat(40));
    await add({ '.github/workflows/echelon.yml': `${own}\n# Mine.\n` });
    const url = `${t.forge.url.replace('//', `//x:${t.forge.tokenFor('olga')}@`)}/olga/${name}.git`;
    // Not in step: the forge is in this process.
    await gitAsync(clone, ['push', '--quiet', url, 'trunk']);
    const { code } = await asOlga();
    expect([code, git('diff', '--unified=0', 'trunk', 'echelon/init').match(/^[-+] .*/gm)]).toEqual([
      0,
      [expect.stringContaining('a'.repeat(40)), expect.stringContaining(`${release} # v0`)],
    ]);
  });
});
