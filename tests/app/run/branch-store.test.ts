// The record on a branch: what it costs, who may have written it, and what others do to branch and run comment.
import { expect, test } from 'vitest';
import { marked, operationKey } from '../../../src/app/github/marker.ts';
import { newRunStore } from '../../../src/app/run/read-record.ts';
import { bot, heavy, openPlace, type Place, small } from './record-place.ts';

const onBranch = (kind: 'on a branch' | 'on a branch, without a key' = 'on a branch') => openPlace(kind);

/** Writes files to the branch by a commit that GitHub signs, in the name of a login. */
async function commitAs(p: Place, login: string, files: Record<string, string>) {
  const mutation = `mutation ($input: CreateCommitOnBranchInput!) {
    createCommitOnBranch(input: $input) { commit { oid } } }`;
  const input = {
    branch: { repositoryNameWithOwner: 'olga/work', branchName: p.branch },
    expectedHeadOid: await p.head(),
    message: { headline: 'Other' },
    fileChanges: {
      additions: Object.entries(files).map(([path, text]) => ({
        path,
        contents: Buffer.from(text).toString('base64'),
      })),
    },
  };
  const answer = await fetch(`${p.forge.url}/api/graphql`, {
    method: 'POST',
    headers: { authorization: `token ${p.forge.tokenFor(login)}` },
    body: JSON.stringify({ query: mutation, variables: { input } }),
  });
  expect(await answer.json()).not.toHaveProperty('errors');
}

const fileOf = async (p: Place, name: string, ref = p.branch) => {
  const { body } = await p.call('GET', `/contents/${name}?ref=${ref}`);
  return Buffer.from((body as { content: string }).content, 'base64').toString();
};

test('a run begins in three writes and its comment; each write after it is one commit, and one edit where the board changed', async () => {
  await using p = await onBranch();
  const store = await p.start();
  expect(await p.calls(() => store.append([small(1)], 'board'))).toEqual({ read: 1, write: 4 });
  expect(await p.calls(() => store.append([small(2)], 'board'))).toEqual({ read: 0, write: 1 });
  expect(await p.calls(() => store.append([small(3)], 'board 2'))).toEqual({ read: 0, write: 2 });
});

test('a record of any size is read in two calls, and an issue without one in one', async () => {
  await using p = await onBranch();
  expect(await p.calls(() => p.load())).toEqual({ read: 1, write: 0 });
  const store = await p.start();
  for (let n = 0; n < 7; n++) await store.append(heavy(n, 1, 17_000), 'board');
  expect(await p.calls(() => p.load())).toEqual({ read: 2, write: 0 });
});

test('its branch holds nothing of the repository, and no commit names the issue', async () => {
  await using p = await onBranch();
  const store = await p.start();
  await store.append([small(1)], 'board');
  const { body } = await p.call('GET', `/contents/?ref=${p.branch}`);
  expect((body as { name: string }[]).map(({ name }) => name)).toEqual(['record.json', 'segment-1']);
  const commits = (await p.call('GET', `/commits?sha=${p.branch}`)).body as { commit: { message: string } }[];
  for (const { commit } of commits) expect(commit.message).toMatch(/^[^#@]+ \[skip ci\]$/);
});

test('a new run leaves nothing of the one before but its commits', async () => {
  await using p = await onBranch();
  const first = await p.start();
  for (let n = 0; n < 5; n++) await first.append(heavy(n, 1, 17_000), 'board');
  await (await p.start('def')).append([small(9)], 'board');
  const { body } = await p.call('GET', `/contents/?ref=${p.branch}`);
  expect((body as { name: string }[]).map(({ name }) => name)).toEqual(['record.json', 'segment-1']);
});

test('a commit that somebody else makes through the API, and GitHub signs, is not taken', async () => {
  await using p = await onBranch('on a branch, without a key');
  await (await p.start()).append([small(1)], 'board');
  await commitAs(p, 'olga', { 'segment-1': await fileOf(p, 'segment-1') });
  expect(await p.load()).toMatchObject({
    kind: 'trouble',
    message: expect.stringContaining(`is none that GitHub signed for ${bot}`),
  });
});

test('a commit in the name of the bot that GitHub did not sign is not taken', async () => {
  await using p = await onBranch('on a branch, without a key');
  await (await p.start()).append([small(1)], 'board');
  const content = Buffer.from(await fileOf(p, 'segment-1')).toString('base64');
  const author = { name: bot, email: `1+${bot}@users.noreply.github.com` };
  const made = await p.call('PUT', '/contents/other', { message: 'x', content, author, branch: p.branch });
  expect(made.status).toBe(201);
  expect(await p.load()).toMatchObject({ kind: 'trouble' });
});

test('with a key, what the bot itself wrote without it is not taken', async () => {
  await using p = await onBranch('on a branch, without a key');
  await (await p.start()).append([small(1)], 'board');
  const keyed = { ...p.access, keys: [new TextEncoder().encode('another key of thirty-two letters')] };
  expect(await p.load(keyed)).toMatchObject({
    kind: 'trouble',
    message: 'the record was not written by this installation, or was changed',
  });
});

test.for([
  ['a segment of another place in the chain', 'segment-2', 'segment-1', 'part 2 of the record is missing'],
  ['a head that is none', 'record.json', undefined, 'record.json cannot be read'],
] as const)('%s, in the name of the bot: a sentence', async ([, name, from, message]) => {
  await using p = await onBranch();
  const store = await p.start();
  for (let n = 0; n < 5; n++) await store.append(heavy(n, 1, 17_000), 'board');
  await commitAs(p, bot, { [name]: from ? await fileOf(p, from) : '{"version":1}' });
  expect(await p.load()).toMatchObject({ kind: 'trouble', message });
});

test('a record of a newer version is left alone, and says so', async () => {
  await using p = await onBranch();
  await (await p.start()).append([small(1)], 'board');
  await commitAs(p, bot, { 'record.json': '{"version":2}' });
  expect(await p.load()).toMatchObject({
    kind: 'trouble',
    message: 'the record has version 2; this version of Echelon reads 1',
  });
});

test('the run comment deleted: the record is whole, and the board is shown in another one', async () => {
  await using p = await onBranch();
  await (await p.start()).append([small(1)], 'board');
  await p.remove((await p.comments())[0]!.id);
  const store = await p.store();
  expect(store.entries).toEqual([small(1)]);
  await store.redraw('board');
  expect((await p.comments()).map(({ body }) => body.split('\n')[0])).toEqual(['board']);
});

test('the run comment deleted while a process has it open: shown anew', async () => {
  await using p = await onBranch();
  const store = await p.start();
  await store.append([small(1)], 'board');
  await p.remove((await p.comments())[0]!.id);
  await store.append([small(2)], 'board 2');
  expect((await p.comments()).map(({ body }) => body.split('\n')[0])).toEqual(['board 2']);
});

test('set back, and its run comment edited so that it names the older commit: a sentence', async () => {
  await using p = await onBranch();
  const store = await p.start();
  await store.append([small(1)], 'board');
  const [{ id, body } = { id: 0, body: '' }] = await p.comments();
  const sha = await p.head();
  await store.append([small(2)], 'board 2');
  await p.call('PATCH', `/git/refs/heads/${p.branch}`, { sha, force: true });
  await p.call('PATCH', `/issues/comments/${id}`, { body });
  expect(await p.load()).toMatchObject({ message: `the branch ${p.branch} was set back to an older commit` });
});

test('set back behind what the run said since, and its run comment deleted: a sentence', async () => {
  await using p = await onBranch();
  const store = await p.start();
  const start = { t: 'step' as const, key: 'start', at: 1, result: { ...started, since: 0 } };
  await store.append([start], 'board');
  const sha = await p.head();
  await store.append([{ t: 'intent', key: 'say' }], 'board');
  await p.github.comment(p.identity.issue, marked('Done.', operationKey(p.identity, 'say')));
  await p.call('PATCH', `/git/refs/heads/${p.branch}`, { sha, force: true });
  await p.remove(store.comment!);
  expect(await p.load()).toMatchObject({ message: `the branch ${p.branch} was set back to an older commit` });
});

/** As much of a start as its schema asks for. */
const started = {
  ...{ program: 1, by: 'olga', trigger: 1, scripted: true, first_call_usd: 0, isolation: 'none', test: '' },
  base: { branch: 'main', commit: 'c' },
  directive: { title: 'Work', body: '' },
  config: { budget: { total: 1 } },
  models: {},
};

test('while a process has it open and the branch is set back: its next write is refused', async () => {
  await using p = await onBranch();
  const store = await p.start();
  await store.append([small(1)], 'board');
  const sha = await p.head();
  await store.append([small(2)], 'board');
  await p.call('PATCH', `/git/refs/heads/${p.branch}`, { sha, force: true });
  await expect(store.append([small(3)], 'board')).rejects.toThrow('another process writes');
});

test('what somebody put on the branch before: the first run begins on top of it, without it', async () => {
  await using p = await onBranch();
  const content = Buffer.from('x').toString('base64');
  await p.call('PUT', '/contents/mine', { message: 'Mine', content });
  const { body } = await p.call('GET', '/git/ref/heads/main');
  const { sha } = (body as { object: { sha: string } }).object;
  await p.call('POST', '/git/refs', { ref: `refs/heads/${p.branch}`, sha });
  await (await p.start()).append([small(1)], 'board');
  expect((await p.store()).entries).toEqual([small(1)]);
  const files = (await p.call('GET', `/contents/?ref=${p.branch}`)).body as { name: string }[];
  expect(files.map(({ name }) => name)).toEqual(['record.json', 'segment-1']);
});

test.for([
  ['a run that begins', false],
  ['a run that goes on', true],
] as const)('without the right to write, %s says what it takes', async ([, goesOn]) => {
  await using p = await onBranch();
  const store = await p.start();
  if (goesOn) await store.append([small(1)], 'board');
  p.forge.setPermission('olga', 'work', bot, 'read');
  await expect(store.append([small(2)], 'board')).rejects.toThrow(
    /^the record of this run is to stand on the branch echelon\/record\/1, which cannot be written: .*contents: write/,
  );
});

test('two processes begin the same run: one is refused', async () => {
  await using p = await onBranch();
  const stores = [await p.start(), await p.start('abc', { ...p.access, holder: 'other' })];
  const ends = await Promise.allSettled(stores.map(store => store.append([small(1)], 'board')));
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { name: 'WrittenElsewhere' },
  });
  expect((await p.store()).entries).toEqual([small(1)]);
});

test('a run in comments after one on the branch counts, and one on the branch after that', async () => {
  await using p = await onBranch();
  await (await p.start()).append([small(1)], 'board');
  const thread = await p.github.thread(p.identity.issue);
  const second = newRunStore(thread, p.access, { ...p.identity, run: 'def' }, 'comment');
  await second.append([small(2)], 'board');
  expect((await p.store()).entries).toEqual([small(2)]);
  await (await p.start('fed')).append([small(3)], 'board');
  expect((await p.store()).entries).toEqual([small(3)]);
});

test('the branches of all records are found in one call', async () => {
  await using p = await onBranch();
  expect(await p.github.recordBranches()).toEqual([]);
  await (await p.start()).append([small(1)], 'board');
  expect(
    await p.calls(async () => expect(await p.github.recordBranches()).toEqual([p.identity.issue])),
  ).toEqual({
    read: 1,
    write: 0,
  });
});

/** In comments the second would write over the first: the queue of an issue keeps them apart there. */
test('two processes at once: the second is refused, and reads anew', async () => {
  await using p = await openPlace('on a branch');
  await (await p.start()).append([small(1)], 'board');
  const [one, other] = [await p.store(), await p.store()];
  await one.append([small(2)], 'board 2');
  await expect(other.append([small(3)], 'board 3')).rejects.toMatchObject({
    name: 'WrittenElsewhere',
    until: undefined,
  });
  expect((await p.comments())[0]!.body).toMatch(/^board 2\n/);
  await (await p.store()).append([small(3)], 'board 3');
  expect((await p.store()).entries).toEqual([small(1), small(2), small(3)]);
});
