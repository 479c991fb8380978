// The run's record on a branch: what people do to it and to the run comment, and what the run makes of that.
import { expect, test } from 'vitest';
import { isBoard } from '../board.ts';
import { type Dialogue, openDialogue } from './fixture.ts';
import { playedOnce } from './played-once.ts';
import {
  branch,
  engineeringLead,
  issues,
  quietLeads,
  type Reply,
  strategist,
  teamLead,
  waiting,
} from './script.ts';

const config = 'record: branch\n';
const openWaiting = playedOnce({ ...waiting, config });
const app = 'echelon[bot]';
const record = 'echelon/record/1';
const hasBranch = async (d: Dialogue) => (await d.branches()).includes('left');
const head = async (d: Dialogue, of = record) =>
  (await d.call<{ object: { sha: string } }>('you', 'GET', `/git/ref/heads/${of}`)).object.sha;

/** The record's head, with another lease, committed in the App's own name. */
async function leaseTo(d: Dialogue, holder: string) {
  const at = `/contents/record.json?ref=${record}`;
  const { content } = await d.call<{ content: string }>('you', 'GET', at);
  const text = JSON.parse(Buffer.from(content, 'base64').toString()) as { commit: number };
  const changed = JSON.stringify({ ...text, commit: text.commit + 1, lease: { holder, seconds: 600 } });
  const mutation = `mutation ($input: CreateCommitOnBranchInput!) {
    createCommitOnBranch(input: $input) { commit { oid } } }`;
  const input = {
    branch: { repositoryNameWithOwner: 'you/shelf', branchName: record },
    expectedHeadOid: await head(d),
    message: { headline: 'Lease' },
    fileChanges: { additions: [{ path: 'record.json', contents: Buffer.from(changed).toString('base64') }] },
  };
  d.forge.setPermission('you', 'shelf', app, 'write');
  await fetch(`${d.forge.url}/api/graphql`, {
    method: 'POST',
    headers: { authorization: `token ${d.forge.tokenFor(app)}` },
    body: JSON.stringify({ query: mutation, variables: { input } }),
  });
}

test('the run waits, is approved and goes on as with its record in comments, in another process too', async () => {
  await using d = await openWaiting();
  expect(await d.branches()).toEqual([record]);
  expect(await d.status()).toBe('waiting: approval');
  await d.restart();
  await d.comment('wanda', '/approve');
  expect(await hasBranch(d)).toBe(true);
  expect((await d.comments()).filter(({ body }) => isBoard(body))).toHaveLength(1);
});

test('the run comment edited by a person: nothing changes, nothing is said, and the board is shown again', async () => {
  await using d = await openWaiting();
  const { id } = await d.board();
  await d.edit('mia', id, 'I tidied this up.');
  await d.comment('wanda', '/approve');
  expect(await hasBranch(d)).toBe(true);
  expect((await d.board()).id).toBe(id);
  expect(await d.story()).not.toContain('was edited');
});

test('the run comment deleted by a person: nothing changes, and the board is shown in another one', async () => {
  await using d = await openWaiting();
  const { id } = await d.board();
  await d.call('you', 'DELETE', `/issues/comments/${id}`);
  await d.comment('wanda', '/approve');
  expect(await hasBranch(d)).toBe(true);
  expect((await d.board()).id).not.toBe(id);
});

test('a person commits to the branch: nothing more is done, and the comment says why', async () => {
  await using d = await openWaiting();
  const content = Buffer.from('{}').toString('base64');
  await d.call('mia', 'PUT', '/contents/mine', { message: 'Mine', content, branch: record });
  await d.comment('wanda', '/approve');
  expect(await hasBranch(d)).toBe(false);
  expect(await d.last()).toMatchInlineSnapshot(
    `"The record of this run cannot be relied on: the newest commit of the branch echelon/record/1 is none that GitHub signed for echelon[bot]. Nothing more is done here. Remove the label and put it on again to begin a new run."`,
  );
});

test('the branch deleted: nothing more is done, and the label put on again begins a new run', async () => {
  await using d = await openWaiting();
  await d.call('you', 'DELETE', `/git/refs/heads/${record}`);
  await d.comment('wanda', '/approve');
  expect(await hasBranch(d)).toBe(false);
  expect(await d.last()).toMatchInlineSnapshot(
    `"The record of this run cannot be relied on: the branch echelon/record/1, on which it stands, was deleted. Nothing more is done here. Remove the label and put it on again to begin a new run."`,
  );
  await d.relabel();
  await d.comment('wanda', '/approve');
  expect(await hasBranch(d)).toBe(true);
});

test('the branch set back behind a rejection: nothing is approved', async () => {
  await using d = await openDialogue({
    config,
    replies: [
      strategist('As directed.'),
      engineeringLead('Two.', branch('left'), branch('right')),
      teamLead('Nothing to do.'),
      { ...engineeringLead('Then one.'), when: 'The person rejected' },
    ],
  });
  await d.label();
  const sha = await head(d);
  await d.comment('wanda', '/reject a1');
  await d.call('mia', 'PATCH', `/git/refs/heads/${record}`, { sha, force: true });
  await d.comment('wanda', '/approve a1');
  expect(await d.last()).toContain('was set back to an older commit');
  expect(await hasBranch(d)).toBe(false);
});

test('a run that another process has is left alone until it may be taken over', async () => {
  await using d = await openWaiting();
  await leaseTo(d, 'another process');
  const before = await head(d);
  await d.comment('wanda', '/approve');
  expect([await hasBranch(d), await head(d)]).toEqual([false, before]);
  const [context] = d.local.installations.repositories();
  const wait = (context?.kept.get('advance #1')?.until ?? 0) - Date.now();
  expect(wait).toBeGreaterThan(500_000);
  expect(wait).toBeLessThan(640_000);
  expect(d.logged).toEqual([]);
});

test('a run whose label was taken off is known to another one by its branch', async () => {
  const asks = (of: string, title: string, paths: string[]): Reply => ({
    ...teamLead('One issue.', issues({ title, paths, domain: 'backend' })),
    when: of,
  });
  const replies = [
    ...quietLeads,
    asks('Tidy the shelf', 'All of it', ['src/**']),
    asks('Mend the sum', 'One of it', ['src/sum.js']),
  ];
  await using d = await openDialogue({ config, replies });
  await d.label();
  await d.call('you', 'DELETE', `/issues/${d.issue}/labels/echelon`);
  for (const { views } of d.local.installations.repositories()) views.clear();
  const { number } = await d.call<{ number: number }>('you', 'POST', '/issues', {
    ...{ title: 'Mend the sum', body: 'It is wrong.', labels: ['echelon'] },
  });
  await d.settled();
  expect(await d.last(number)).toContain('- the run of #1: `src/sum.js` here and `src/**` there\n');
});
