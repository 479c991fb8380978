// actions/create-github-app-token: a token of an App that may do only what the step asks for, and dies with the job.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Octokit } from '@octokit/rest';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { RegisteredApp } from '../../../packages/forge/operator.ts';
import { at, openTestForge, type TestForge } from '../fixture.ts';
import { openRunner, type TestRunner } from './lone-runner.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

let t: TestForge;
let app: RegisteredApp;
beforeAll(async () => {
  t = await openTestForge();
  const settings = { slug: 'opener', name: 'opener', webhookUrl: '', events: [] };
  app = t.forge.registerApp({
    ...settings,
    permissions: { contents: 'write', pull_requests: 'write', issues: 'write' },
  });
  t.forge.installApp('opener', at.owner, at.repo);
  await t.as('olga').issues.create({ ...at, title: 'One' });
});
afterAll(() => t[Symbol.asyncDispose]());

let runner: TestRunner | undefined;
afterEach(async () => {
  await runner?.[Symbol.asyncDispose]();
  runner = undefined;
});

/** A call to the forge's API by the token that the step answered; writes its status. */
const call = (method: string, path: string, body = '{}') =>
  `curl -s -o answer -w '${method} ${path} %{http_code}\\n' -X ${method} -H "Authorization: Bearer $TOKEN" -d '${body}' "$GITHUB_API_URL${path}"; grep -o '"login":"opener[^"]*"' answer | head -n 1`;

function run(given: Record<string, string>, ...scripts: string[]) {
  runner = openRunner();
  const { url: site, api } = t.forge;
  const make = {
    id: 'app',
    uses: 'actions/create-github-app-token@1b10c78c7865c340bc4f6099eb2f838309f1e8c3',
    with: { 'client-id': String(app.id), 'private-key': app.privateKey, ...given },
  };
  const env = { TOKEN: '${{ steps.app.outputs.token }}' };
  return runner.run([make, ...scripts.map(run => ({ run, env }))], {}, { site, api });
}

test('may do what the step asks for, as the App, and nothing else that the App may', async () => {
  const { log, conclusion } = await run(
    { 'permission-pull-requests': 'write', 'permission-contents': 'read' },
    call('POST', '/repos/olga/work/pulls'),
    call('POST', '/repos/olga/work/issues', '{"title":"x"}'),
    call('POST', '/repos/olga/work/git/refs'),
    'echo "slug ${{ steps.app.outputs.app-slug }}, token $TOKEN"',
  );
  expect(conclusion).toBe('success');
  expect(log.filter(line => /^(POST|slug)/.test(line))).toEqual([
    'POST /repos/olga/work/pulls 422',
    'POST /repos/olga/work/issues 403',
    'POST /repos/olga/work/git/refs 403',
    'slug opener, token ***',
  ]);
});

test('writes as the App', async () => {
  const comment = call('POST', '/repos/olga/work/issues/1/comments', '{"body":"x"}');
  const { log } = await run({ 'permission-issues': 'write' }, comment);
  expect(log).toContain('"login":"opener[bot]"');
});

test('is none any more when the job has ended', async () => {
  const kept = join(t.root, 'token');
  const client = () =>
    new Octokit({ baseUrl: t.forge.api, log: silent, auth: readFileSync(kept, 'utf8').trim() }).request(
      'GET /installation/repositories',
    );
  const { log } = await run({}, `echo "$TOKEN" > ${kept}`, call('GET', '/installation/repositories'));
  expect(log).toContain('GET /installation/repositories 200');
  await expect(client()).rejects.toMatchObject({ status: 401 });
});

test.each([
  ['an App that is not installed here', { 'client-id': '999999' }, /.+/],
  ['a key that is none', { 'private-key': 'x' }, /.+/],
  ['a permission that the App lacks', { 'permission-actions': 'write' }, /not granted to this installation/],
  ['no key', { 'private-key': '' }, /private-key/],
])('fails its step: %s', async (_what, given, why) => {
  const { conclusion, remarks } = await run(given);
  expect([conclusion, remarks[0]?.message]).toEqual(['failure', expect.stringMatching(why)]);
});
