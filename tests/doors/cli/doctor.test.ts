// `echelon doctor` against a forge: a repository that lacks nothing, then each thing taken away, and the App's side.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { bubblewrapFault } from '../../../packages/ground/workspace/isolation.ts';
import { filesFor } from '../../../src/doors/cli/init/files.ts';
import { byIdentity } from '../../../src/doors/cli/init/identity.ts';
import { product as echelon } from '../../../src/doors/cli/product-repository.ts';
import { openForge } from '../../../packages/forge/forge.ts';
import { git } from '../../../packages/forge/repositories/git.ts';
import type { Finding } from '../../../src/doors/finding.ts';
import { fakeEngine } from '../../app/engineer/fake-engine.ts';
import { at, commit, openReceiver, openTestForge, TestForge } from '../../forge/fixture.ts';
import { type Ran, root, runCli } from './run-cli.ts';

const workflowPath = '.github/workflows/echelon.yml';
const temporary = mkdtempSync(join(tmpdir(), 'echelon-doctor-'));
/** As `echelon init` writes it. */
let workflow: string;
/** The commit of the release that it calls. */
let release: string;
let t: TestForge;
let clone: string;

let begun: TestForge;

/** A forge with the product, and a repository that lacks nothing: each test has a copy. */
beforeAll(async () => {
  await git(temporary, ['init', '--quiet', '--initial-branch=main', 'product']);
  const product = join(temporary, 'product');
  const files = { '.github/workflows/run.yml': 'on: workflow_call\njobs: {}\n', 'action/index.mjs': '' };
  release = await commit(product, files, 'Release');
  await git(product, ['tag', 'v0']);
  const wanted = { way: 'actions', release: { ...echelon, commit: release } } as const;
  workflow = filesFor({ test: '', label: 'echelon' }, wanted)[0]?.text ?? '';
  t = begun = await openTestForge();
  await t.forge.addRepository({ ...echelon, from: product });
  await openPulls(true);
  clone = await t.clone('olga');
  await push({ [workflowPath]: workflow, '.github/echelon.yml': 'test: make check\n' });
  for (const name of ['ANTHROPIC_API_KEY', 'ECHELON_STATE_KEY'])
    t.forge.setActionValue('olga', 'work', 'secret', name, 'x');
  await t.as('olga').issues.createLabel({ ...at, name: 'echelon' });
  const mayOpenPulls = { can_approve_pull_request_reviews: true };
  await t.as('olga').actions.setGithubActionsDefaultWorkflowPermissionsRepository({ ...at, ...mayOpenPulls });
  await t.forge.close();
});
afterAll(async () => {
  await begun[Symbol.asyncDispose]();
  rmSync(temporary, { recursive: true, force: true });
});
beforeEach(async () => {
  const folder = mkdtempSync(join(temporary, 'forge-'));
  cpSync(begun.root, folder, { recursive: true, preserveTimestamps: true });
  t = new TestForge(folder, await openForge({ folder: join(folder, 'forge') }), {});
  clone = join(folder, 'clone');
  await git(clone, ['remote', 'set-url', 'origin', t.remote('olga')]);
});
afterEach(() => t[Symbol.asyncDispose]());

async function push(files: Record<string, string>): Promise<void> {
  await commit(clone, files, 'Change');
  await git(clone, ['push', '--quiet', 'origin', 'main']);
}

/** A configuration that names a model of another provider. */
const own = `test: make check
models:
  default: openai/small
  openai/small: { provider: openai, window: 32000, price: { input: 1, output: 2, cache_read: 1, cache_write: 1 } }
`;

const look = (args: string[] = [], env: Record<string, string> = {}) =>
  runCli(['doctor', '--repo', 'olga/work', '--json', ...args], {
    env: { GITHUB_TOKEN: t.forge.tokenFor('olga'), GITHUB_API_URL: t.forge.api, ...env },
  });
/** Problem and remedy in one text. */
const said = ({ detail, fix }: Finding) => `${detail} > ${fix ?? ''}`;
const found = ({ stdout }: Ran): Finding[] => JSON.parse(stdout).findings;
const not = (findings: Finding[], state: string) => findings.filter(each => each.state !== state);

test('a repository that lacks nothing: exit code 0', async () => {
  const ran = await look();
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(not(found(ran), 'well')).toEqual([]);
  expect(found(ran).length).toBeGreaterThanOrEqual(10);
  expect(t.forge.missing).toEqual([]);
});

test('a workflow by identity needs no stored key', async () => {
  await api('DELETE', `${R}/actions/secrets/ANTHROPIC_API_KEY`);
  await push({ [workflowPath]: byIdentity(workflow) ?? '' });
  expect(not(found(await look()), 'well')).toEqual([
    expect.objectContaining({ what: 'identity for anthropic', state: 'unknown' }),
  ]);
});

const api = (method: string, path: string, body?: object) => t.forge.call('olga', method, path, body);
const R = '/repos/olga/work';
const openPulls = (may: boolean) =>
  api('PUT', `${R}/actions/permissions/workflow`, { can_approve_pull_request_reviews: may });

describe('one thing is missing', () => {
  test.for<[what: string, make: () => Promise<unknown>, remedy: RegExp]>([
    [
      'Actions',
      () => api('PUT', `${R}/actions/permissions`, { enabled: false }),
      /^switched off > gh api --method PUT repos\/olga\/work\/actions\/permissions -F enabled=true/,
    ],
    [
      'pull requests by Actions',
      () => openPulls(false),
      /^GitHub refuses them.* > gh api --method PUT repos\/olga\/work\/actions\/permissions\/workflow -F can_approve_pull_request_reviews=true$/,
    ],
    [
      'workflow: version',
      () => push({ [workflowPath]: workflow.replace(release, 'v9') }),
      /^echelon-org\/echelon has no v9, or this login may not read it > npx .*echelon init, and merge its pull request$/,
    ],
    [
      'workflow: permissions',
      () => push({ [workflowPath]: workflow.replace(/ {6}issues: write.*\n/, '') }),
      /^lacks issues: write > in \.github\/workflows\/echelon\.yml add to `permissions` of each job that calls Echelon: issues: write$/,
    ],
    [
      'workflow: events',
      () => push({ [workflowPath]: workflow.replace(/ {2}issue_comment:.*\n.*\n/, '') }),
      /add to `on`: issue_comment$/,
    ],
    [
      'workflow: secrets',
      () => push({ [workflowPath]: workflow.replace(/ {6}ECHELON_STATE_KEY:.*\n/, '') }),
      /ECHELON_STATE_KEY: \$\{\{ secrets\.ECHELON_STATE_KEY \}\}$/,
    ],
    [
      'secret ECHELON_APP_PRIVATE_KEY',
      async () => t.forge.setActionValue('olga', 'work', 'secret', 'ECHELON_APP_ID', '12'),
      /^ECHELON_APP_ID is set without it, so the App opens no pull request > gh secret set ECHELON_APP_PRIVATE_KEY --repo olga\/work < key\.pem$/,
    ],
    [
      'secret ECHELON_APP_ID',
      async () => t.forge.setActionValue('olga', 'work', 'secret', 'ECHELON_APP_PRIVATE_KEY', 'x'),
      /^ECHELON_APP_PRIVATE_KEY is set without it.* > gh secret set ECHELON_APP_ID --repo olga\/work$/,
    ],
    [
      'workflow: secrets',
      async () => {
        for (const name of ['ECHELON_APP_ID', 'ECHELON_APP_PRIVATE_KEY'])
          t.forge.setActionValue('olga', 'work', 'secret', name, 'x');
        await push({ [workflowPath]: workflow.replace(/ {6}ECHELON_APP_PRIVATE_KEY:.*\n/, '') });
      },
      /add to `secrets` of the job: ECHELON_APP_PRIVATE_KEY: \$\{\{ secrets\.ECHELON_APP_PRIVATE_KEY \}\}$/,
    ],
    [
      'workflow: label',
      () => push({ [workflowPath]: workflow.replace("'echelon'", "'robot'") }),
      /another label than echelon/,
    ],
    [
      'workflow',
      () => push({ [workflowPath]: 'on: push\njobs: {}\n' }),
      /no job calls the shared workflow run\.yml > git rm .* echelon init/,
    ],
    [
      'label echelon',
      () => api('DELETE', `${R}/labels/echelon`),
      /^does not exist > gh api repos\/olga\/work\/labels -f name=echelon$/,
    ],
    [
      'configuration',
      () => push({ '.github/echelon.yml': 'test: make check\nlable: x\n' }),
      /^\.github\/echelon\.yml:2:1 unknown key lable/,
    ],
    [
      'models',
      () => push({ '.github/echelon.yml': 'test: make check\nmodels: { default: openai/small }\n' }),
      /^no price for model openai\/small: add prices\.openai\/small/,
    ],
    [
      'secret OPENAI_API_KEY',
      () => push({ '.github/echelon.yml': own }),
      /^not set > gh secret set OPENAI_API_KEY --repo olga\/work$/,
    ],
    [
      'workflow: secrets',
      async () => {
        t.forge.setActionValue('olga', 'work', 'secret', 'OPENAI_API_KEY', 'x');
        await push({
          '.github/echelon.yml': own,
          [workflowPath]: workflow.replace(/ {6}OPENAI_API_KEY:.*\n/, ''),
        });
      },
      /add to `secrets` of the job: OPENAI_API_KEY: \$\{\{ secrets\.OPENAI_API_KEY \}\}$/,
    ],
    [
      'variable ECHELON_NETWORK',
      () => push({ '.github/echelon.yml': 'test: make check\nnetwork: all\n' }),
      /asks for the whole network.* > gh api repos\/olga\/work\/actions\/variables -f name=ECHELON_NETWORK -f value=all$/,
    ],
    [
      'lock file',
      () => push({ '.github/echelon.yml': 'test: make check\nsetup: npm ci\n' }),
      /needs package-lock\.json .* > npm install --package-lock-only/,
    ],
    [
      'test command',
      () => push({ '.github/echelon.yml': 'budget: { total: 5 }\n' }),
      /write `test: <command>`/,
    ],
  ])('%s', async ([what, make, remedy]) => {
    await make();
    const ran = await look();
    expect(ran.code).toBe(1);
    // Of a broken configuration no command is known; what is guessed instead is another thing.
    const told = not(found(ran), 'well').filter(each => each.what === what || each.what !== 'test command');
    expect(told.map(each => [each.what, each.state])).toEqual([[what, 'missing']]);
    expect(told.map(said)[0]?.replace(/ > $/, '')).toMatch(remedy);
  });

  test('the workflow, of an untouched repository', async () => {
    await git(clone, ['rm', '--quiet', '-r', '.github']);
    await push({ Makefile: 'test:\n\ttrue\n' });
    const told = found(await look());
    expect(not(told, 'well').map(each => each.what)).toEqual(['workflow']);
    expect(told.find(each => each.what === 'test command')?.detail).toBe(
      '`make test`, guessed from Makefile',
    );
  });

  test('a secret, by its name', async () => {
    t.forge.addUser('ann');
    await t.forge.addRepository({ owner: 'ann', name: 'bare', from: clone });
    const token = t.forge.tokenFor('ann');
    const ran = await runCli(['doctor', '--repo', 'ann/bare'], {
      env: { GITHUB_TOKEN: token, GITHUB_API_URL: t.forge.api },
    });
    expect(ran.stdout).toMatch(
      /^not well +secret ANTHROPIC_API_KEY: not set\n +fix: gh secret set ANTHROPIC_API_KEY --repo ann\/bare$/m,
    );
    expect(ran.stdout).toMatch(/\n\d not well\.\n$/);
  });
});

test('a tag that has moved on since the workflow was pinned is well, with the command that proposes it', async () => {
  const product = mkdtempSync(join(temporary, 'newer-'));
  // Its owner's token: olga may only read it.
  const url = new URL(t.remote('olga'));
  url.pathname = '/echelon-org/echelon.git';
  url.password = t.forge.tokenFor('echelon-org');
  await git(product, ['clone', '--quiet', url.href, '.']);
  const newer = await commit(product, { 'action/index.mjs': '// 2\n' }, 'Release 2');
  await git(product, ['tag', '--force', 'v0']);
  await git(product, ['push', '--quiet', '--force', 'origin', 'v0']);
  const told = found(await look());
  expect(not(told, 'well')).toEqual([]);
  expect(told.find(each => each.what === 'workflow: version')).toEqual({
    what: 'workflow: version',
    state: 'well',
    detail: expect.stringContaining(`v0 has moved on to ${newer.slice(0, 12)}`),
    fix: expect.stringMatching(/^npx .*echelon init, which proposes the newer one$/),
  });
});

test('a workflow from before an App could open pull requests lacks nothing where there is none', async () => {
  await push({ [workflowPath]: workflow.replace(/ {6}ECHELON_APP_.*\n/g, '') });
  expect(not(found(await look()), 'well')).toEqual([]);
});

test('the models that the configuration names, what they can do, and the secrets that they need alone', async () => {
  await push({
    '.github/echelon.yml': own,
    [workflowPath]: workflow.replace(/ {6}ANTHROPIC_API_KEY:.*\n/, ''),
  });
  t.forge.setActionValue('olga', 'work', 'secret', 'OPENAI_API_KEY', 'x');
  const told = found(await look());
  expect(not(told, 'well')).toEqual([]);
  expect(told.find(({ what }) => what === 'models')?.detail).toBe(
    'openai/small (openai, window 32,000, reply unknown, functions tools, no effort, $1 in, $2 out a million)',
  );
  expect(told.map(({ what }) => what)).not.toContain('secret ANTHROPIC_API_KEY');
});

test('nothing in a file of the repository steers the terminal', async () => {
  await push({ [workflowPath]: workflow.replace(/uses: (\S+)@.*/, 'uses: "$1@\\e[2Jv9"') });
  const { stdout } = await runCli(['doctor', '--repo', 'olga/work'], {
    env: { GITHUB_TOKEN: t.forge.tokenFor('olga'), GITHUB_API_URL: t.forge.api },
  });
  expect(stdout).toContain('echelon-org/echelon has no  [2Jv9');
  expect(stdout).not.toContain('\u001b');
});

test('what a token may not see is unknown, and no failure', async () => {
  const ran = await look([], { GITHUB_TOKEN: t.forge.tokenFor('sam') });
  expect(ran.code).toBe(0);
  expect(not(found(ran), 'well').map(({ what, state }) => `${state} ${what}`)).toEqual([
    'unknown Actions',
    'unknown pull requests by Actions',
    'unknown secret ANTHROPIC_API_KEY',
    'unknown secret ECHELON_STATE_KEY',
    'unknown variable ECHELON_NETWORK',
    'unknown variable ECHELON_RUNNER',
  ]);
});

test('a runner of one’s own: what to install there', async () => {
  t.forge.setActionValue('olga', 'work', 'variable', 'ECHELON_RUNNER', 'big-machine');
  expect(found(await look()).find(({ what }) => what === 'variable ECHELON_RUNNER')).toMatchObject({
    state: 'unknown',
    fix: expect.stringContaining('apt-get install bubblewrap'),
  });
});

test('a repository that is not there is the one finding', async () => {
  const ran = await runCli(['doctor', '--repo', 'olga/none', '--json'], {
    env: { GITHUB_TOKEN: t.forge.tokenFor('olga'), GITHUB_API_URL: t.forge.api },
  });
  expect([ran.code, found(ran).map(each => each.what)]).toEqual([1, ['repository']]);
});

test('a clone names its repository by origin, and the server that is asked, with its port', async () => {
  const env = { GITHUB_TOKEN: t.forge.tokenFor('olga'), GITHUB_API_URL: '' };
  const ran = await runCli(['doctor', '--json'], { cwd: clone, env });
  expect([ran.code, JSON.parse(ran.stdout).repository]).toEqual([0, 'olga/work']);
});

test.for<[string[], Record<string, string>, RegExp]>([
  [['--repo', 'nonsense'], {}, /--repo needs owner\/name/],
  [['--wrong'], {}, /unknown option --wrong/],
  [[], {}, /is not in a git repository: .*--repo owner\/name/],
  [
    ['--repo', 'a/b'],
    { GITHUB_TOKEN: '', PATH: '/nowhere' },
    /no token: set GITHUB_TOKEN, or log in by gh auth login/,
  ],
  [['--repo', 'a/b', '--app'], {}, /--app needs APP_ID, PRIVATE_KEY and WEBHOOK_SECRET/],
])('called wrongly, %s: exit code 2, one sentence', async ([args, env, why]) => {
  const ran = await runCli(['doctor', ...args], { cwd: temporary, env });
  expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(why) });
});

describe('--app', () => {
  const manifest = parse(readFileSync(join(root, 'app.yml'), 'utf8'));
  function register(webhookUrl = '', events = manifest.default_events) {
    const { default_permissions: permissions } = manifest;
    return t.forge.registerApp({ slug: 'echelon', name: 'Echelon', webhookUrl, events, permissions });
  }
  const asApp = (app: ReturnType<typeof register>, env: Record<string, string> = {}) =>
    look(['--app'], {
      GHE_HOST: new URL(t.forge.url).host,
      GHE_PROTOCOL: 'http',
      APP_ID: String(app.id),
      PRIVATE_KEY: app.privateKey,
      WEBHOOK_SECRET: app.webhookSecret,
      ...env,
    });
  /** Without what depends on the machine. */
  const lacks = (ran: Ran) => not(found(ran), 'well').filter(each => !each.what.startsWith('isolation'));

  test('an installation that lacks nothing, and the isolation of this machine as it is', async () => {
    await using receiver = await openReceiver();
    const app = register(receiver.url);
    t.forge.installApp('echelon', 'olga', 'work');
    await t.as('olga').issues.create({ ...at, title: 'One' });
    await t.forge.webhooksSettled();
    const ran = await asApp(app);
    expect(lacks(ran)).toEqual([]);
    const isolated = (await bubblewrapFault()) === undefined;
    expect(found(ran).at(-1)).toMatchObject({
      what: 'isolation on this machine',
      state: isolated ? 'well' : 'missing',
    });
    expect(ran.code).toBe(isolated ? 0 : 1);
  });

  test('one that is not installed', async () => {
    expect(lacks(await asApp(register()))).toEqual([
      {
        what: 'installation',
        state: 'missing',
        detail: 'it is not installed on this repository',
        fix: expect.stringMatching(/\/installations\/new$/),
      },
    ]);
  });

  test('the workflow that its jobs need, where they are to be worked on Actions', async () => {
    await push({ '.github/echelon.yml': 'test: make check\nexecution: actions\n' });
    const app = register();
    t.forge.installApp('echelon', 'olga', 'work');
    expect(lacks(await asApp(app))).toEqual([
      {
        what: 'workflow for jobs',
        state: 'missing',
        detail: expect.stringContaining('`execution: actions` needs another'),
        fix: expect.stringMatching(/echelon init --app, and merge its pull request$/),
      },
    ]);
    const text = readFileSync(join(root, 'src/doors/cli/init/echelon-app.yml'), 'utf8');
    await push({ [workflowPath]: text });
    expect(lacks(await asApp(app))).toEqual([]);
  });

  test('the programs that `engines` names, with their versions', async () => {
    await push({ '.github/echelon.yml': 'test: make check\nengines: [claude-code, aider]\n' });
    const app = register();
    t.forge.installApp('echelon', 'olga', 'work');
    const bin = fakeEngine(temporary);
    const ran = await asApp(app, { PATH: `${bin}:/usr/bin:/bin` });
    expect(found(ran).filter(({ what }) => what.startsWith('engine '))).toEqual([
      { what: 'engine claude-code', state: 'well', detail: `${bin}/claude, 9.9.9 (a fake)` },
      { what: 'engine aider', state: 'missing', detail: expect.stringContaining('pipx install aider-chat') },
    ]);
  });

  test('events that app.yml has and the App has not', async () => {
    const app = register('', ['issues']);
    t.forge.installApp('echelon', 'olga', 'work');
    const told = lacks(await asApp(app));
    expect(told.map(each => each.what)).toEqual(['App', 'installation']);
    expect(told[0]?.detail).toContain('add the event issue_comment');
  });

  test('deliveries that failed, until the same was delivered', async () => {
    await using receiver = await openReceiver(500);
    const app = register(receiver.url);
    t.forge.installApp('echelon', 'olga', 'work');
    await t.as('olga').issues.create({ ...at, title: 'One' });
    await t.forge.webhooksSettled();
    expect(lacks(await asApp(app))).toEqual([
      {
        what: 'webhook deliveries',
        state: 'missing',
        detail: expect.stringMatching(/^1 of the newest failed, last issues\.opened at \S+: 500/),
      },
    ]);
    receiver.status = 200;
    await t.forge.redeliver(t.forge.deliveries()[0]?.id ?? 0);
    expect(lacks(await asApp(app))).toEqual([]);
  });

  test('a key that is not the App’s', async () => {
    const other = t.forge.registerApp({
      slug: 'other',
      name: 'o',
      webhookUrl: '',
      events: [],
      permissions: {},
    });
    const ran = await asApp(register(), { PRIVATE_KEY: other.privateKey });
    expect(lacks(ran)).toEqual([
      { what: 'App', state: 'missing', detail: expect.stringContaining('look at APP_ID and PRIVATE_KEY') },
    ]);
  });
});
