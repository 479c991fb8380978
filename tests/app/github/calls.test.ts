// One call: what is tried again, and what counts as a limit and until when.
import { expect, test } from 'vitest';
import { RateLimited } from '../../../src/app/github/octokit.ts';
import * as remedies from '../../../src/app/comments/replies.ts';
import { connectRepository } from '../../../src/app/github/repository.ts';
import { tokenClient } from '../../../src/app/github/token-client.ts';
import { sharedWait } from '../../../packages/ground/lib/shared-wait.ts';
import { testClock } from '../../ground/lib/clocks.ts';
import { type Given, place } from './place.ts';

const branch = { body: { default_branch: 'main', id: 1 } };

/** Answers one after another; the last one again and again. */
function answering(...given: Given[]) {
  let n = 0;
  return place(() => given[Math.min(n++, given.length - 1)] ?? {});
}

test.each<[string, Given[], number]>([
  ['an answer', [branch], 1],
  ['one that comes at the second try', [{ status: 502 }, branch], 2],
  ['one that comes at the third', [{ status: 500 }, { status: 503 }, branch], 3],
  ['one after a connection that was cut', [{ cut: true }, branch], 2],
])('a read: %s', async (_what, given, sent) => {
  const { github } = answering(...given);
  expect(await github.defaultBranch()).toBe('main');
  expect(github.sent).toEqual({ read: sent, write: 0 });
});

test.each<[string, Given, number]>([
  ['that stays broken is given up after three tries', { status: 502 }, 3],
  ['that GitHub will never answer is sent once', { status: 501 }, 1],
  ['of what is not there is sent once', { status: 404 }, 1],
  ['that is refused is sent once', { status: 403, body: { message: 'Resource not accessible' } }, 1],
])('a read %s', async (_what, given, sent) => {
  const { github } = answering(given);
  await expect(github.defaultBranch()).rejects.toMatchObject({ status: given.status });
  expect(github.sent.read).toBe(sent);
});

test('a query that GraphQL refuses is sent once', async () => {
  const errors = [{ type: 'NOT_FOUND', message: 'Could not resolve' }];
  const { github } = answering({ body: { data: null, errors } });
  await expect(github.thread(1)).rejects.toThrow('Could not resolve');
  expect(github.sent.read).toBe(1);
});

test('a write is sent once, whatever becomes of it', async () => {
  const { github } = answering({ status: 502 }, { body: { id: 1 } });
  await expect(github.comment(1, 'Text')).rejects.toMatchObject({ status: 502 });
  expect(github.sent).toEqual({ read: 0, write: 1 });
});

test('a write whose connection is cut is sent once', async () => {
  const { github, asked } = answering({ cut: true }, { body: { id: 1 } });
  await expect(github.comment(1, 'Text')).rejects.toThrow('socket hang up');
  expect(asked).toEqual(['/repos/olga/work/issues/1/comments']);
});

const minute = 60_000;
/** Reset time in the header (seconds). The clock of these tests is in 2026. */
const reset = Date.UTC(2026, 0, 1, 0, 40) / 1000;
test.each<[string, Given, (now: number) => number]>([
  ['403 with retry-after', { status: 403, headers: { 'retry-after': '200' } }, now => now + 200_000],
  ['429 with retry-after', { status: 429, headers: { 'retry-after': '5' } }, now => now + 5_000],
  ['429 without a hint', { status: 429 }, now => now + minute],
  ['429 with a date', { status: 429, headers: { 'retry-after': 'Wed, 21 Oct 2026' } }, now => now + minute],
  [
    '403 with nothing left',
    { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) } },
    () => reset * 1000,
  ],
  [
    '403 with nothing left, and no word until when',
    { status: 403, headers: { 'x-ratelimit-remaining': '0' } },
    now => now + minute,
  ],
  [
    '403 for a secondary limit',
    { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } },
    now => now + minute,
  ],
])('a limit: %s', async (_what, given, until) => {
  const { github, clock } = answering(given);
  const now = clock.now();
  for (const call of [() => github.defaultBranch(), () => github.comment(1, 'Text')]) {
    const error = await call().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimited);
    expect((error as RateLimited).until).toBe(until(now));
  }
});

test('a limit: GraphQL answers 200 with nothing left', async () => {
  const { github } = answering({
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) },
    body: { data: null, errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] },
  });
  await expect(github.thread(1)).rejects.toEqual(new RateLimited(reset * 1000));
  expect(github.sent.read).toBe(1);
});

test.each([
  [{ permission: 'admin', role_name: 'admin' }, 'admin'],
  [{ permission: 'write', role_name: 'maintain' }, 'maintain'],
  [{ permission: 'read', role_name: 'triage' }, 'triage'],
  [{ permission: 'write', role_name: 'release-captain' }, 'write'],
  [{ permission: 'read', role_name: 'auditor' }, 'read'],
  [{ permission: 'none', role_name: '' }, 'none'],
  // Unknown future roles grant no rights.
  [{ permission: 'owner', role_name: 'owner' }, 'none'],
  [{ permission: 'Admin', role_name: 'superuser' }, 'none'],
  [{ permission: 'toString', role_name: 'constructor' }, 'none'],
  [{}, 'none'],
])('the permission of %o is %s', async (body, permission) => {
  const { github } = place(() => ({ body }));
  expect(await github.permission('someone')).toBe(permission);
});

test('somebody whom GitHub does not know has no permission', async () => {
  const { github } = place(() => ({ status: 404 }));
  expect(await github.permission('nobody')).toBe('none');
});

test.each([
  [
    'GitHub Actions is not permitted to create or approve pull requests.',
    'this repository does not let GitHub Actions open pull requests. Turn on "Allow GitHub Actions to create and approve pull requests" under Settings > Actions > General > Workflow permissions',
  ],
  [
    'Resource not accessible by integration',
    'the token of the workflow may not do that, which takes pull_requests: write. Give the workflow the permissions that echelon init writes, and have it begin again',
  ],
])('a workflow is refused a pull request (%s): the reason says what to do', async (message, reason) => {
  place(() => ({
    status: 403,
    body: { message },
    headers: { 'x-accepted-github-permissions': 'pull_requests=write' },
  }));
  const clock = testClock();
  const github = connectRepository(tokenClient('ghs_x', 'https://api.github.com', remedies), {
    ...{ owner: 'olga', name: 'work', id: 1, bot: 'github-actions[bot]', clock, wait: sharedWait(clock) },
  });
  const pull = { title: 'Add a mark', body: '', head: 'echelon/a', base: 'main', draft: true };
  expect(await github.createPull(pull)).toEqual({ refused: reason });
});
