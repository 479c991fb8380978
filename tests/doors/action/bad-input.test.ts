// A workflow that lacks something, or was started by what is none of ours: one sentence says what to do, and nothing is half done.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, commit, openTestForge } from '../../forge/fixture.ts';
import { git } from '../../../packages/forge/repositories/git.ts';
import { actionHere } from '../../action-here.ts';

type Permissions = Record<string, 'read' | 'write'>;
const all: Permissions = { issues: 'write', pull_requests: 'write', contents: 'read', actions: 'write' };

interface Started {
  event?: string;
  /** Into the event's payload. */
  payload?: object;
  env?: Record<string, string>;
  fork?: boolean;
}

/** A forge with issue 1, which wanda has put the label on, and the token that jobs of a workflow have on it. */
async function openWork(permissions = all) {
  const t = await openTestForge();
  const olga = t.as('olga');
  await olga.issues.create({ ...at, title: 'Add a mark' });
  await t.as('wanda').issues.addLabels({ ...at, issue_number: 1, labels: ['echelon'] });
  const app = t.forge.registerApp({
    ...{ slug: 'acts', name: 'acts', webhookUrl: 'http://127.0.0.1:9/', events: [], permissions },
  });
  const octokit = t.asApp(app, t.forge.installApp('acts', at.owner, at.repo));
  const { token } = (await octokit.auth({ type: 'installation' })) as { token: string };
  const { data: repository } = await olga.repos.get(at);
  const file = (name: string, content: string) => {
    writeFileSync(join(t.root, name), content);
    return join(t.root, name);
  };
  return {
    /** Sets the repository's configuration. */
    async configure(text: string) {
      const clone = await t.clone('olga');
      await commit(clone, { '.github/echelon.yml': text }, 'Configure');
      await git(clone, ['push', '--quiet', 'origin', 'main']);
    },
    /** The bot's comments on the issue. */
    async said() {
      const { data } = await olga.issues.listComments({ ...at, issue_number: 1 });
      return data.filter(({ user }) => user?.login === 'acts[bot]').map(({ body }) => body ?? '');
    },
    /** Carries `mode: run` out as the job of a workflow would. */
    async advance({ event = 'issues', payload = {}, env = {}, fork = false }: Started) {
      const labelled = { action: 'labeled', label: { name: 'echelon' } };
      const sender = { login: 'wanda', type: 'User' };
      const told = {
        ...labelled,
        issue: { number: 1 },
        repository: { ...repository, fork },
        sender,
        ...payload,
      };
      const [output, summary] = [file('output', ''), file('summary', '')];
      const wrote = { stdout: '', stderr: '' };
      const code = await actionHere({
        write: (text, stream) => void (wrote[stream] += text),
        env: {
          PATH: process.env['PATH'],
          INPUT_MODE: 'run',
          INPUT_TOKEN: token,
          INPUT_BOT: 'acts[bot]',
          ECHELON_STATE_KEY: 'k'.repeat(32),
          ANTHROPIC_API_KEY: 'sk-none-at-all',
          GITHUB_ACTIONS: 'true',
          GITHUB_EVENT_NAME: event,
          GITHUB_EVENT_PATH: file('event.json', JSON.stringify(told)),
          GITHUB_OUTPUT: output,
          GITHUB_STEP_SUMMARY: summary,
          GITHUB_RUN_ID: '7',
          GITHUB_WORKFLOW_REF: 'olga/work/.github/workflows/echelon.yml@refs/heads/main',
          GITHUB_API_URL: t.forge.api,
          GITHUB_SERVER_URL: t.forge.url,
          RUNNER_TEMP: t.root,
          ...env,
        },
      });
      return {
        ...{ code, ...wrote },
        annotations: wrote.stdout.split('\n').filter(line => line.startsWith('::error')),
        summary: readFileSync(summary, 'utf8'),
        output: readFileSync(output, 'utf8'),
      };
    },
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  };
}

const dispatched = (directive: string): Started => ({
  event: 'workflow_dispatch',
  payload: { action: undefined, inputs: { directive } },
});
const commented = (user: object): Started => ({
  event: 'issue_comment',
  payload: {
    action: 'created',
    sender: user,
    comment: { id: 5, body: '/status', user, created_at: '2026-01-01T00:00:00Z' },
  },
});
const sam = { login: 'sam', type: 'User' };

test.for<[what: string, started: Started, why: RegExp]>([
  [
    'no model key',
    { env: { ANTHROPIC_API_KEY: '' } },
    /no secret has a model's key.* gh secret set ANTHROPIC_API_KEY, or gh secret set OPENAI_API_KEY/,
  ],
  [
    'no state key',
    { env: { ECHELON_STATE_KEY: '' } },
    /secret ECHELON_STATE_KEY.* is not set.* gh secret set ECHELON_STATE_KEY/,
  ],
  [
    'a state key that is too short',
    { env: { ECHELON_STATE_KEY: 'short' } },
    /ECHELON_STATE_KEY: each key needs at least 32 characters/,
  ],
  ['a fork', { fork: true }, /is a fork, .* add `allow_fork: true` below `with:`.*: gh workflow disable/],
  [
    'no model key, started by hand',
    { ...dispatched('1'), env: { ANTHROPIC_API_KEY: '' } },
    /no secret has a model's key/,
  ],
])(
  '%s: said on the issue, once, in the summary and as an annotation; nothing begins',
  async ([, started, why]) => {
    await using work = await openWork();
    const { code, annotations, summary, output } = await work.advance(started);
    expect(annotations).toEqual([expect.stringMatching(why)]);
    expect(summary).toMatch(why);
    expect([code, output]).toEqual([1, '']);
    await work.advance(started);
    const said = await work.said();
    expect(said).toEqual([expect.stringMatching(why)]);
    expect(said[0]).toMatch(/^The run does not begin: .*Then take the label off and put it on again\.$/m);
  },
);

/** For what leaves nothing there. */
let work: Awaited<ReturnType<typeof openWork>>;
beforeAll(async () => void (work = await openWork()));
afterAll(() => work[Symbol.asyncDispose]());

test.for<[what: string, started: Started, why: RegExp, code: number]>([
  [
    'a comment, where a secret is missing',
    { ...commented(sam), env: { ECHELON_STATE_KEY: '' } },
    /ECHELON_STATE_KEY/,
    1,
  ],
  ['a directive that is no number', dispatched('twelve'), /Type its digits alone, as in 12/, 1],
  ["another repository's directive", dispatched('other/work#1'), /Type its digits alone, as in 12/, 1],
  ['a directive that is not there', dispatched('99'), /#99 is no issue of this repository/, 1],
  ['no token', { env: { INPUT_TOKEN: '' } }, /token is empty/, 2],
])(
  '%s: said in the summary and as an annotation, and nothing on the issue',
  async ([, started, why, code]) => {
    const ran = await work.advance(started);
    expect(ran.annotations).toEqual([expect.stringMatching(why)]);
    expect(ran.summary).toMatch(why);
    expect([ran.code, ran.output, await work.said()]).toEqual([code, '', []]);
  },
);

test("a bot's comment: the summary says why nothing comes of it", async () => {
  const ran = await work.advance(commented({ login: 'helper[bot]', type: 'Bot' }));
  expect([ran.code, ran.annotations, await work.said()]).toEqual([0, [], []]);
  expect(ran.summary).toBe('Nothing to do here: helper[bot] is a bot.\n');
});

test('a token that may not write to issues: an annotation and the summary say what the workflow needs', async () => {
  await using work = await openWork({ ...all, issues: 'read', pull_requests: 'read' });
  const ran = await work.advance({ env: { ANTHROPIC_API_KEY: '' } });
  const why =
    /token of the workflow may not do that.* Give the workflow the permissions that echelon init writes/;
  expect(ran.annotations).toContainEqual(expect.stringMatching(why));
  expect(ran.summary).toMatch(why);
  expect([ran.code, ran.output, await work.said()]).toEqual([1, '', []]);
});

test('what others wrote commands the runner nowhere, not in an error either', async () => {
  const hostile = 'x\n::set-env name=A::b\n::error::forged';
  const ran = await work.advance({ env: { GITHUB_EVENT_PATH: hostile } });
  expect(ran.code).toBe(1);
  const [begin = '', ...rest] = ran.stdout.split('\n').filter(line => !line.startsWith('::add-mask::'));
  const word = /^::stop-commands::(\S+)$/.exec(begin)?.[1] ?? '';
  const after = rest.slice(rest.indexOf(`::${word}::`) + 1);
  expect(after.filter(Boolean)).toEqual([expect.stringMatching(/^::error::ENOENT.*%0A::error::forged/)]);
  expect(ran.stderr).not.toContain('::');
});
