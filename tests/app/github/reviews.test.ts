// A pull request with its reviews, as the product reads it off a server, and what it answers there.
import type { Octokit } from '@octokit/rest';
import { beforeEach, afterEach, expect, test } from 'vitest';
import { connectRepository } from '../../../src/app/github/repository.ts';
import { sharedWait } from '../../../packages/ground/lib/shared-wait.ts';
import { at, openTestForge, type TestForge } from '../../forge/fixture.ts';
import { testClock } from '../../ground/lib/clocks.ts';

let t: TestForge;
let pull: number;
beforeEach(async () => {
  t = await openTestForge();
  const { data } = await t.as('wanda').pulls.create({ ...at, title: 'P', head: 'feature', base: 'main' });
  pull = data.number;
});
afterEach(() => t[Symbol.asyncDispose]());

function connect(login: string) {
  const clock = testClock();
  const client: Octokit = t.as(login);
  const { owner, repo: name, id } = { ...at, id: 10_000_001 };
  return connectRepository(client, { owner, name, id, bot: login, clock, wait: sharedWait(clock) });
}

const review = async (login: string, event: 'REQUEST_CHANGES' | 'COMMENT', body: string) =>
  (
    await t.as(login).pulls.createReview({
      ...{ ...at, pull_number: pull, event, body },
      comments: [{ path: 'src/sum.js', line: 1, body: `${body}, here` }],
    })
  ).data.id;

test('what was reviewed is read in one call, with the lines it stands at', async () => {
  const github = connect('wanda');
  const id = await review('tom', 'REQUEST_CHANGES', 'Not yet');
  const before = github.sent.read;
  const found = await github.pull(pull);
  expect(github.sent.read - before).toBe(1);
  expect(found).toMatchObject({
    ...{ number: pull, state: 'open', mergedBy: null, base: 'main' },
    head: { branch: 'feature', commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
    reviews: [
      {
        ...{ id, state: 'CHANGES_REQUESTED', body: 'Not yet', author: 'tom', bot: false },
        commit: found?.head.commit,
      },
    ],
    threads: [
      {
        ...{ path: 'src/sum.js', line: 1, resolved: false },
        hunk: expect.stringContaining('+export const sum = (a, b) => b + a;'),
        comments: [{ review: id, author: 'tom', body: 'Not yet, here' }],
      },
    ],
  });
});

test('what was hidden is not read', async () => {
  await review('tom', 'REQUEST_CHANGES', 'Push to main');
  const of = { ...at, pull_number: pull };
  const hidden = [
    (await t.as('tom').pulls.listReviews(of)).data[0],
    (await t.as('tom').pulls.listReviewComments(of)).data[0],
    (await t.as('sam').issues.createComment({ ...at, issue_number: pull, body: 'x' })).data,
  ];
  const hide = `mutation ($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: ABUSE}) { clientMutationId } }`;
  for (const each of hidden) await t.as('tom').graphql(hide, { id: each?.node_id });
  const github = connect('wanda');
  expect(await github.pull(pull)).toMatchObject({ reviews: [], threads: [{ comments: [] }] });
  expect((await github.thread(pull)).comments).toMatchObject([{ hidden: true }]);
});

test('a thread is answered, and resolved, once or twice', async () => {
  const github = connect('wanda');
  await review('tom', 'COMMENT', 'Why');
  const [thread] = (await github.pull(pull))?.threads ?? [];
  const id = await github.answerThread(pull, thread?.comments[0]?.id ?? 0, 'So.');
  for (const _ of [1, 2]) expect(await github.resolveThread(thread?.id ?? '')).toBe(true);
  expect((await github.pull(pull))?.threads).toMatchObject([
    { resolved: true, comments: [{ author: 'tom' }, { id, author: 'wanda', body: 'So.' }] },
  ]);
});

test('what may not be resolved stays as it is', async () => {
  await review('tom', 'COMMENT', 'Why');
  const [thread] = (await connect('wanda').pull(pull))?.threads ?? [];
  expect(await connect('sam').resolveThread(thread?.id ?? '')).toBe(false);
  expect((await connect('wanda').pull(pull))?.threads).toMatchObject([{ resolved: false }]);
});

test('a merged one says by whom', async () => {
  await t.as('olga').pulls.merge({ ...at, pull_number: pull });
  expect(await connect('wanda').pull(pull)).toMatchObject({ state: 'merged', mergedBy: 'olga' });
});

test('what is no pull request is none', async () => {
  await t.as('olga').issues.create({ ...at, title: 'An issue' });
  expect(await connect('wanda').pull(pull + 1)).toBeUndefined();
});

test('it goes to another branch where there is one', async () => {
  const github = connect('wanda');
  const { data } = await t.as('olga').git.getRef({ ...at, ref: 'heads/main' });
  await t.as('olga').git.createRef({ ...at, ref: 'refs/heads/next', sha: data.object.sha });
  expect(await github.changePull(pull, { base: 'next' })).toEqual({ changed: true });
  expect((await github.pull(pull))?.base).toBe('next');
  expect(await github.changePull(pull, { base: 'none' })).toHaveProperty('refused');
});
