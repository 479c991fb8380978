// Steps with `uses`: where their action comes from, what it is told, what it does before and after; and the checkout.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { StepSpec } from '../../../packages/forge/actions/planned-job.ts';
import { git } from '../../../packages/forge/repositories/git.ts';
import { commit, openTestForge, type TestForge } from '../fixture.ts';
import { github, openRunner, type TestRunner } from './lone-runner.ts';

let runner: TestRunner | undefined;
afterEach(async () => {
  await runner?.[Symbol.asyncDispose]();
  runner = undefined;
});

/** An action that tells what it was given. */
const manifest = `name: Tell
inputs:
  who: { description: whom, default: nobody }
  Some Thing: { description: a, required: true }
  sha: { description: c, default: '\${{ github.sha }}' }
outputs:
  greeting: { description: d }
runs: { using: node24, pre: pre.cjs, main: main.cjs, post: post.cjs }
`;
const main = `const fs = require('fs');
console.log('hello ' + process.env.INPUT_WHO + ', ' + process.env.INPUT_SOME_THING + ', ' + process.env.INPUT_SHA.length);
console.log('state ' + process.env.STATE_from);
console.log('action ' + process.env.GITHUB_ACTION_REPOSITORY + ' ' + process.cwd().endsWith('/work/work'));
console.log('decoy ' + /^(\\S+)\\.(\\S+)\\.(\\S+)$/.test(process.env.ACTIONS_RUNTIME_TOKEN) + ' ' + process.env.ACTIONS_RESULTS_URL.startsWith('http'));
console.log('token ' + process.env.ACTIONS_RUNTIME_TOKEN);
fs.appendFileSync(process.env.GITHUB_OUTPUT, 'greeting=hi\\n');
fs.appendFileSync(process.env.GITHUB_STATE, 'later=main\\n');
`;
const files = {
  'tell/action.yml': manifest,
  'tell/pre.cjs':
    "console.log('before'); require('fs').appendFileSync(process.env.GITHUB_STATE, 'from=pre\\n');",
  'tell/main.cjs': main,
  'tell/post.cjs': "console.log('after ' + process.env.STATE_from + ' ' + process.env.STATE_later);",
  'fails/action.yaml': 'name: F\nruns: { using: node20, main: main.cjs }\n',
  'fails/main.cjs': 'process.exitCode = 2;',
  'composite/action.yml': 'name: C\nruns: { using: composite, steps: [] }\n',
  'docker/action.yml': 'name: D\nruns: { using: docker, image: x }\n',
  'wrong/action.yml': 'name: [\n',
};

let t: TestForge;
let sha: string;
beforeAll(async () => {
  t = await openTestForge();
  const clone = await t.clone('olga');
  sha = await commit(clone, files, 'Actions');
  await git(clone, ['push', '--quiet']);
  await git(clone, ['tag', 'v1']);
  await git(clone, ['push', '--quiet', 'origin', 'v1']);
});
afterAll(() => t[Symbol.asyncDispose]());

/** Runs steps for olga/work at the commit with the actions above. */
function run(steps: Partial<StepSpec>[], { ref = 'refs/heads/main', token = t.forge.tokenFor('olga') } = {}) {
  runner = openRunner();
  const origin = { repository: 'olga/work', sha, path: '.github/workflows/work.yml' };
  const contexts = { github: github({ sha, ref }), secrets: {} };
  const { url: site, api, folder } = t.forge;
  const actionRepository = (name: string) => {
    const bare = join(folder, 'git', `${name}.git`);
    return existsSync(bare) ? bare : undefined;
  };
  return runner.run({ steps, origin, contexts }, { token }, { site, api, token, actionRepository });
}

const inputs = { 'some thing': 'x' };
const names = (steps: { name: string; conclusion: string | null }[]) =>
  steps.map(({ name, conclusion }) => `${name}: ${conclusion}`);

describe('an action', () => {
  test.each([
    ['$/tell', 'before'],
    ['olga/work/tell@v1', 'before'],
    ['olga/work/tell@main', 'before'],
  ])('%s runs before, in and after its step', async (uses, first) => {
    const ran = await run([
      { run: 'echo start' },
      { id: 'tell', uses, with: { who: '${{ github.actor }}', ...inputs } },
      { run: 'echo "got ${{ steps.tell.outputs.greeting }}"' },
    ]);
    expect(
      ran.log.filter(line => /^(before|start|hello|state|action|decoy|token|got|after)/.test(line)),
    ).toEqual([
      first,
      'start',
      'hello olga, x, 40',
      'state pre',
      'action olga/work true',
      'decoy true true',
      'token ***',
      'got hi',
      'after pre main',
    ]);
    expect(names(ran.steps)).toEqual([
      'Set up job: success',
      `Pre Run ${uses}: success`,
      'Run echo start: success',
      `Run ${uses}: success`,
      'Run echo "got hi": success',
      `Post Run ${uses}: success`,
      'Complete job: success',
    ]);
  });

  test("of the job's own checkout is found when its step comes, and runs nothing before", async () => {
    const { log, remarks } = await run([{ uses: 'actions/checkout@v6' }, { uses: './tell', with: inputs }]);
    expect(log).toEqual(
      expect.arrayContaining(['hello nobody, x, 40', 'state undefined', 'after undefined main']),
    );
    expect(remarks.map(each => each.message)).toEqual([
      '`pre` execution is not supported for local actions.',
    ]);
  });

  test('that fails, fails its step; an input that it does not know is a warning', async () => {
    const { conclusion, remarks } = await run([{ uses: '$/fails', with: { what: 'x' } }]);
    expect([conclusion, remarks.map(each => each.message)]).toEqual([
      'failure',
      [expect.stringMatching(/Unexpected input\(s\) 'what'/), 'The action ended with exit code 2.'],
    ]);
  });

  test('setup-node answers that Node is there', async () => {
    const uses = 'actions/setup-node@v6';
    const { log, conclusion } = await run([
      { uses, with: { 'node-version': '24.x' } },
      { run: 'node --version' },
    ]);
    expect([conclusion, log.includes(process.version)]).toEqual(['success', true]);
    expect((await run([{ uses, with: { 'node-version': '18' } }])).conclusion).toBe('failure');
  });
});

test.each<[uses: Partial<StepSpec>, reason: RegExp]>([
  [{ uses: 'docker://alpine' }, /containers are not supported/],
  [{ uses: 'actions/cache@v4' }, /"actions\/cache@v4" is not built in/],
  [{ uses: 'olga/work/tell' }, /is no action/],
  [{ uses: 'olga/work/../x@v1' }, /is no action/],
  [{ uses: './../x' }, /leads out of its repository/],
  [{ uses: 'olga/none@v1' }, /no repository olga\/none/],
  [{ uses: 'olga/work/tell@v9' }, /olga\/work has no v9/],
  [{ uses: 'olga/work/none@v1' }, /has no action\.yml/],
  [{ uses: '$/composite' }, /runs with "composite", which is not supported/],
  [{ uses: '$/docker' }, /runs with "docker", which is not supported/],
  [{ uses: '$/wrong' }, /cannot be read/],
  [{ run: 'true', shell: 'pwsh' }, /The shell "pwsh" is not supported/],
])('%j is refused with file and line before anything runs', async (step, reason) => {
  const { conclusion, steps, remarks } = await run([{ run: 'echo first' }, step]);
  expect([conclusion, names(steps)]).toEqual(['failure', ['Set up job: failure', 'Complete job: success']]);
  expect(remarks[0]?.message).toMatch(reason);
  expect(remarks[0]?.message).toMatch(/^\.github\/workflows\/work\.yml:11: /);
});

describe('a checkout', () => {
  const checkout = (inputs: Record<string, string> = {}) => ({ uses: 'actions/checkout@v6', with: inputs });
  const look = {
    run: 'git log --oneline | wc -l; git rev-parse --abbrev-ref HEAD; git rev-parse HEAD; git config --list',
  };

  test('of the event: its branch at its commit, one commit deep', async () => {
    const { log } = await run([checkout(), look]);
    expect(log).toEqual(expect.arrayContaining(['1', 'main', sha]));
  });

  test('of all history, under another path', async () => {
    const { log } = await run([
      checkout({ path: 'sub', 'fetch-depth': '0' }),
      { ...look, 'working-directory': 'sub' },
      { run: 'git branch --remotes --list origin/feature', 'working-directory': 'sub' },
    ]);
    expect(log).toEqual(expect.arrayContaining(['2', 'main', '  origin/feature']));
  });

  test.each([
    ['feature', 'feature'],
    ['refs/heads/feature', 'feature'],
    ['v1', 'HEAD'],
  ])('of the ref %s', async (ref, branch) => {
    const { log, conclusion } = await run([checkout({ ref }), look]);
    expect([conclusion, log.includes(branch)]).toEqual(['success', true]);
  });

  test('of a commit, and of one that there is not', async () => {
    const { log } = await run([checkout({ ref: sha }), look]);
    expect(log).toEqual(expect.arrayContaining(['HEAD', sha]));
    expect((await run([checkout({ ref: '1'.repeat(40) })])).conclusion).toBe('failure');
    expect((await run([checkout({ ref: 'none' })])).remarks[0]?.message).toMatch(/'none' could not be found/);
  });

  test('keeps its credentials for the steps after it, and not beyond the job', async () => {
    const push = {
      run: 'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git push -q origin HEAD:refs/heads/pushed',
    };
    const { conclusion, log } = await run([checkout(), push]);
    expect([conclusion, log.includes('Removed the credentials of the checkout.')]).toEqual(['success', true]);
  });

  test('without credentials leaves none: nothing can be pushed, no file holds the token', async () => {
    const find = {
      run: 'grep -rqF "$T" "$GITHUB_WORKSPACE" "$RUNNER_TEMP" && exit 1; grep -rqF "$B" "$GITHUB_WORKSPACE" "$RUNNER_TEMP" && exit 1; env | grep -i extraheader && exit 1; true',
    };
    const token = t.forge.tokenFor('olga');
    const env = { T: token, B: Buffer.from(`x-access-token:${token}`).toString('base64') };
    const push = {
      name: 'push',
      run: 'git push -q origin HEAD:refs/heads/pushed-too',
      env: { GIT_TERMINAL_PROMPT: '0' },
    };
    const { steps } = await run([
      checkout({ 'persist-credentials': 'false' }),
      { ...find, name: 'find', env },
      push,
    ]);
    expect(names(steps)).toEqual(expect.arrayContaining(['find: success', 'push: failure']));
  });

  test('of a repository that the token may not read fails', async () => {
    await t.forge.addRepository({ owner: 'olga', name: 'closed', private: true });
    const token = t.forge.tokenFor('sam');
    expect((await run([checkout({ repository: 'olga/closed', ref: 'main' })], { token })).conclusion).toBe(
      'failure',
    );
  });

  test('cleans the folder of what was there', async () => {
    const { log } = await run([
      { run: 'mkdir -p a && touch a/left' },
      checkout(),
      { run: 'ls; git status --short | wc -l' },
    ]);
    expect(log).not.toContain('a');
    expect(log).toContain('0');
  });
});

test('a manifest that leads elsewhere is not read', async () => {
  const local = { run: 'mkdir x && ln -s /etc/passwd x/action.yml' };
  const { remarks } = await run([local, { uses: './x' }]);
  expect(remarks[0]?.message).toMatch(/It is a symbolic link/);
});
