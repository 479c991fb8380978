// The record in comments of a real issue: over several parts, after a crash at any moment, and after other hands.
import { expect, test } from 'vitest';
import { partComment } from '../../../src/app/comments/board.ts';
import { marked, operationKey } from '../../../src/app/github/once.ts';
import { encodeSegment, segmentDigest } from '../../../packages/ground/journal/codec.ts';
import type { Entry, RunIdentity } from '../../../packages/ground/journal/journal.ts';
import { heavy, key, openPlace, type Place, small } from './record-place.ts';

test('a record that grows goes on over several comments; each process goes on from the last', async () => {
  await using p = await openPlace();
  const all: Entry[] = [];
  await (await p.start()).append([small(0)], 'board');
  all.push(small(0));
  for (let n = 1; n <= 12; n++) {
    const more = heavy(n, 1, 15_000);
    await (await p.store()).append(more, `board ${n}`);
    all.push(...more);
  }
  const comments = await p.comments();
  expect(comments.map(({ body }) => /seq=(\d+)/.exec(body)?.[1])).toEqual(['4', '1', '2', '3']);
  for (const { body } of comments) expect(body.length).toBeLessThanOrEqual(65_536);
  expect((await p.store()).entries).toEqual(all);
});

test('a part was posted, then the same process tries again: nothing lost, nothing doubled', async () => {
  await using p = await openPlace();
  const store = await p.start();
  await store.append(heavy(1, 3, 17_000), 'board');
  p.cutNextWrite('applied');
  await expect(store.append(heavy(4, 1, 17_000), 'board')).rejects.toThrow();
  await store.append(heavy(4, 1, 17_000), 'board');
  expect((await p.store()).entries).toEqual(heavy(1, 4, 17_000));
});

test('a part was posted, then the same process writes less: nothing lost, nothing doubled', async () => {
  await using p = await openPlace();
  const store = await p.start();
  await store.append(heavy(1, 3, 17_000), 'board');
  p.cutNextWrite('applied');
  await expect(store.append(heavy(4, 1, 17_000), 'board')).rejects.toThrow();
  await store.append([small(5)], 'board');
  expect((await p.store()).entries).toEqual([...heavy(1, 3, 17_000), small(5)]);
});

test.for([
  ['the first part', 1, 'part 1 of the record is missing'],
  ['the last part', 3, 'part 3 of the record is missing'],
] as const)('%s deleted: trouble, not a shorter record', async ([, index, why]) => {
  await using p = await openPlace();
  const store = await p.start();
  for (let n = 0; n < 12; n++) await store.append(heavy(n, 1, 17_000), 'board');
  await p.remove((await p.comments())[index]!.id);
  expect(await p.load()).toMatchObject({ kind: 'trouble', message: why });
});

test('revisions of one second, in whatever order they come: the newest record is put back', async () => {
  await using p = await openPlace();
  const store = await p.start();
  await store.append([small(1)], 'board');
  await store.append([small(2)], 'board');
  const [own] = await p.comments();
  await p.forge.call('olga', 'PATCH', `/repos/olga/work/issues/comments/${own!.id}`, { body: 'Mine.' });
  p.client.hook.after('request', response => {
    const nodes = revisionsIn(response.data);
    for (const edit of nodes) edit.editedAt = '2026-01-01T00:00:00Z';
    nodes.reverse();
  });
  expect((await p.store()).entries).toEqual([small(1), small(2)]);
});

/** Parses GitHub's answer about a comment's revisions. */
function revisionsIn(answer: unknown) {
  type Revision = { diff: string | null; editedAt: string };
  const { data } = answer as { data?: { node?: { userContentEdits?: { nodes: Revision[] } } } };
  return data?.node?.userContentEdits?.nodes ?? [];
}

test('the newest revision deleted by a person, and an old record in its place: trouble', async () => {
  await using p = await openPlace();
  const store = await p.start();
  await store.append([small(1)], 'board');
  const [old] = await p.comments();
  await store.append([small(2)], 'board');
  const issues = '/repos/olga/work/issues';
  const spoken = marked('Done.', operationKey(p.identity, 'small 2'));
  await p.github.comment(p.identity.issue, spoken);
  await p.forge.call('olga', 'PATCH', `${issues}/comments/${old!.id}`, { body: old!.body });
  // GitHub lets who may write delete a revision; its text is null from then on.
  p.client.hook.after('request', response => {
    for (const edit of revisionsIn(response.data)) if (edit.diff !== old!.body) edit.diff = null;
  });
  expect(await p.load()).toMatchObject({
    kind: 'trouble',
    message: 'what could be put back is older than what the run did since',
  });
});

/** Posts segments as the bot, whatever they say, as parts but the last; answers what each is known by. */
async function post(p: Place, segments: readonly { seq: number; prev: string; entries: Entry[] }[]) {
  for (const [index, segment] of segments.entries()) {
    const encoded = encodeSegment({ identity: p.identity, ...segment }, [key]);
    const isPart = index < segments.length - 1;
    await p.github.comment(
      p.identity.issue,
      isPart ? partComment(segment.seq, encoded) : `board\n\n${encoded}`,
    );
  }
}
const digestOf = (p: { identity: RunIdentity }, segment: { seq: number; prev: string; entries: Entry[] }) =>
  segmentDigest(encodeSegment({ identity: p.identity, ...segment }, [key]));

test('parts are read in the order of their numbers, not of their comments', async () => {
  await using p = await openPlace();
  const one = { seq: 1, prev: '-', entries: [small(1)] };
  const two = { seq: 2, prev: digestOf(p, one), entries: [small(2)] };
  await post(p, [two, one, { seq: 3, prev: digestOf(p, two), entries: [small(3)] }]);
  expect((await p.store()).entries).toEqual([small(1), small(2), small(3)]);
});

test('a part of another number is not taken in its place', async () => {
  await using p = await openPlace();
  const two = { seq: 2, prev: '-', entries: [small(2)] };
  await post(p, [two, { seq: 2, prev: digestOf(p, two), entries: [small(3)] }]);
  expect(await p.load()).toMatchObject({ kind: 'trouble', message: 'part 1 of the record is missing' });
});

test('of two parts of one number the one that follows the part before counts', async () => {
  await using p = await openPlace();
  const one = { seq: 1, prev: '-', entries: [small(1)] };
  const stray = { seq: 2, prev: 'e'.repeat(32), entries: [small(9)] };
  const two = { seq: 2, prev: digestOf(p, one), entries: [small(2)] };
  await post(p, [one, stray, two, { seq: 3, prev: digestOf(p, two), entries: [small(3)] }]);
  expect((await p.store()).entries).toEqual([small(1), small(2), small(3)]);
});

test('a run comment that follows another part than the one that stands there: trouble', async () => {
  await using p = await openPlace();
  const one = { seq: 1, prev: '-', entries: [small(1)] };
  await post(p, [one, { seq: 2, prev: 'e'.repeat(32), entries: [small(2)] }]);
  expect(await p.load()).toMatchObject({ kind: 'trouble', message: 'part 2 of the record is missing' });
});
