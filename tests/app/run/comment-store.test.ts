// The record in comments of a real issue: growing, over several parts, and after a crash at any moment.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Octokit } from '@octokit/rest';
import { expect, test } from 'vitest';
import { type Forge, openForge } from '../../../src/forge/forge.ts';
import { sharedWait } from '../../../src/lib/shared-wait.ts';
import { connectRepository, type Repository } from '../../../src/app/github/repository.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { partComment } from '../../../src/app/comments/record.ts';
import { encodeSegment, segmentDigest } from '../../../src/journal/codec.ts';
import type { Entry, RunIdentity } from '../../../src/journal/journal.ts';
import { marked, operationKey } from '../../../src/app/github/marker.ts';
import { newRunStore, type RunStore } from '../../../src/app/run/comment-store.ts';
import { loadRun } from '../../../src/app/run/read-record.ts';

const keys = [new TextEncoder().encode('a key that is 32 characters long')];
const bot = 'echelon[bot]';

async function openPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-store-'));
  let cut: { phase: 'received' | 'applied'; method: string | undefined } | undefined;
  const forge: Forge = await openForge({
    folder,
    onCall(call, phase) {
      // The next write is cut off: before it is applied, or after, when only its answer is lost.
      if (call.kind !== 'write' || phase !== cut?.phase) return;
      if (cut.method !== undefined && call.method !== cut.method) return;
      cut = undefined;
      throw new Error('cut off');
    },
  });
  forge.addUser('olga');
  forge.addUser(bot, { type: 'Bot' });
  const { id } = await forge.addRepository({ owner: 'olga', name: 'work' });
  const issues = '/repos/olga/work/issues';
  const { body } = await forge.call('olga', 'POST', issues, { title: 'Work' });
  const { number } = body as { number: number };
  const client = new Octokit({
    baseUrl: forge.api,
    auth: forge.tokenFor(bot),
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const github: Repository = connectRepository(client, {
    owner: 'olga',
    name: 'work',
    id,
    bot,
    clock: systemClock,
    wait: sharedWait(systemClock),
  });
  const identity = { repository: id, issue: number, run: 'abc' };
  return {
    client,
    github,
    forge,
    identity,
    start: () => newRunStore({ github, keys }, identity),
    /** What another process finds. */
    async load() {
      return await loadRun(await github.thread(number), { github, keys });
    },
    async store(): Promise<RunStore> {
      const found = await loadRun(await github.thread(number), { github, keys });
      if (found.kind !== 'run') throw new Error(`no run: ${JSON.stringify(found)}`);
      return found.store;
    },
    comments: async () =>
      (await forge.call('olga', 'GET', `${issues}/${number}/comments?per_page=100`)).body as {
        id: number;
        body: string;
      }[],
    remove: (comment: number) => forge.call('olga', 'DELETE', `${issues}/comments/${comment}`),
    cutNextWrite(phase: 'received' | 'applied', method?: 'PATCH') {
      cut = { phase, method };
    },
    async [Symbol.asyncDispose]() {
      await forge.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Entries of about `size` characters that do not pack. */
function heavy(from: number, count: number, size: number): Entry[] {
  return Array.from({ length: count }, (_, at) => {
    let result = '';
    for (let n = 0; result.length < size; n++)
      result += createHash('sha256')
        .update(`${from + at}.${n}`)
        .digest('base64');
    return { t: 'step', key: `step ${from + at}`, result, at: from + at };
  });
}
const small = (n: number): Entry => ({ t: 'step', key: `small ${n}`, result: n, at: n });

test('no run: nothing is found', async () => {
  await using p = await openPlace();
  await p.github.comment(p.identity.issue, 'Hello.');
  expect(await p.load()).toEqual({ kind: 'none' });
});

test('what was appended is found by another process, in its order', async () => {
  await using p = await openPlace();
  const store = p.start();
  await store.append([small(1)], 'board 1');
  await store.append([small(2), small(3)], 'board 2');
  const found = await p.store();
  expect(found.entries).toEqual([small(1), small(2), small(3)]);
  expect(found.identity).toEqual(p.identity);
  const comments = await p.comments();
  expect(comments).toHaveLength(1);
  expect(comments[0]!.body).toMatch(/^board 2\n\n<!-- echelon:record /);
});

test('the board drawn anew leaves the record as it is', async () => {
  await using p = await openPlace();
  const store = p.start();
  await store.append([small(1)], 'board 1');
  await store.redraw('board 2');
  expect((await p.comments())[0]!.body).toMatch(/^board 2\n/);
  expect((await p.store()).entries).toEqual([small(1)]);
});

test('a record that grows goes on over several comments; each process goes on from the last', async () => {
  await using p = await openPlace();
  const all: Entry[] = [];
  await p.start().append([small(0)], 'board');
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

test('a board that is too long gives way to the record', async () => {
  await using p = await openPlace();
  const store = p.start();
  await store.append(heavy(1, 3, 17_000), 'b'.repeat(60_000));
  expect((await p.comments())[0]!.body.length).toBeLessThanOrEqual(65_536);
  expect((await p.store()).entries).toHaveLength(3);
});

test.for(['received', 'applied'] as const)(
  'a part whose posting was cut off (%s), then another process: nothing lost, nothing doubled',
  async phase => {
    await using p = await openPlace();
    const store = p.start();
    const first = heavy(1, 3, 17_000);
    await store.append(first, 'board');
    p.cutNextWrite(phase);
    await expect(store.append(heavy(4, 1, 17_000), 'board')).rejects.toThrow();
    expect((await p.store()).entries).toEqual(first);
    const again = await p.store();
    await again.append(heavy(4, 1, 17_000), 'board');
    expect((await p.store()).entries).toEqual([...first, ...heavy(4, 1, 17_000)]);
    for (let n = 5; n < 9; n++) await (await p.store()).append(heavy(n, 1, 17_000), 'board');
    expect((await p.store()).entries).toEqual(heavy(1, 8, 17_000));
  },
);

test('a part was posted, then the same process tries again: nothing lost, nothing doubled', async () => {
  await using p = await openPlace();
  const store = p.start();
  await store.append(heavy(1, 3, 17_000), 'board');
  p.cutNextWrite('applied');
  await expect(store.append(heavy(4, 1, 17_000), 'board')).rejects.toThrow();
  await store.append(heavy(4, 1, 17_000), 'board');
  expect((await p.store()).entries).toEqual(heavy(1, 4, 17_000));
});

test('a part was posted, then the same process writes less: nothing lost, nothing doubled', async () => {
  await using p = await openPlace();
  const store = p.start();
  await store.append(heavy(1, 3, 17_000), 'board');
  p.cutNextWrite('applied');
  await expect(store.append(heavy(4, 1, 17_000), 'board')).rejects.toThrow();
  await store.append([small(5)], 'board');
  expect((await p.store()).entries).toEqual([...heavy(1, 3, 17_000), small(5)]);
});

const passing = (n: number, size: number): Entry => ({
  t: 'checkpoint',
  key: 'turn',
  state: heavy(n, 1, size).map(entry => (entry.t === 'step' ? entry.result : null)),
  at: 1,
});

test('a checkpoint that does not fit beside what is open closes nothing, and goes', async () => {
  await using p = await openPlace();
  const store = p.start();
  await store.append([...heavy(1, 2, 17_000), passing(8, 9_000)], 'board');
  expect((await p.store()).entries).toHaveLength(3);
  await store.append([passing(9, 40_000)], 'board');
  expect(await p.comments()).toHaveLength(1);
  await store.append([small(3)], 'board');
  expect((await p.store()).entries).toEqual([...heavy(1, 2, 17_000), small(3)]);
});

test('a part that is closed holds no checkpoint, and the newest alone is kept', async () => {
  await using p = await openPlace();
  const store = p.start();
  await store.append([...heavy(1, 2, 17_000), passing(8, 5_000)], 'board');
  await store.append([passing(9, 5_000)], 'board');
  expect((await p.store()).entries.filter(({ t }) => t === 'checkpoint')).toEqual([passing(9, 5_000)]);
  await store.append(heavy(3, 1, 17_000), 'board');
  expect((await p.store()).entries).toEqual(heavy(1, 3, 17_000));
});

test('a crash between the part and the run comment: what the new one held is not there, the rest is', async () => {
  await using p = await openPlace();
  const store = p.start();
  await store.append(heavy(1, 3, 17_000), 'board');
  p.cutNextWrite('received', 'PATCH');
  await expect(store.append(heavy(4, 1, 17_000), 'board')).rejects.toThrow();
  expect((await p.comments()).length).toBe(2);
  expect((await p.store()).entries).toEqual(heavy(1, 3, 17_000));
  await (await p.store()).append(heavy(4, 1, 17_000), 'board');
  expect((await p.store()).entries).toEqual(heavy(1, 4, 17_000));
});

test('the first write lost its answer: the run comment is found, and no second one is made', async () => {
  await using p = await openPlace();
  p.cutNextWrite('applied');
  await expect(p.start().append([small(1)], 'board')).rejects.toThrow();
  expect((await p.store()).entries).toEqual([small(1)]);
  expect(await p.comments()).toHaveLength(1);
});

test.for([
  ['the first part', 1, 'part 1 of the record is missing'],
  ['the last part', 3, 'part 3 of the record is missing'],
] as const)('%s deleted: trouble, not a shorter record', async ([, index, why]) => {
  await using p = await openPlace();
  const store = p.start();
  for (let n = 0; n < 12; n++) await store.append(heavy(n, 1, 17_000), 'board');
  await p.remove((await p.comments())[index]!.id);
  expect(await p.load()).toMatchObject({ kind: 'trouble', message: why });
});

test('the run comment deleted while parts stand: trouble', async () => {
  await using p = await openPlace();
  const store = p.start();
  for (let n = 0; n < 5; n++) await store.append(heavy(n, 1, 17_000), 'board');
  await p.remove((await p.comments())[0]!.id);
  expect(await p.load()).toMatchObject({
    kind: 'trouble',
    message: 'the run comment was deleted',
  });
});

test('a result larger than a comment: refused, and the record stays whole', async () => {
  await using p = await openPlace();
  const store = p.start();
  await store.append([small(1)], 'board');
  await expect(store.append(heavy(2, 1, 70_000), 'board')).rejects.toThrow('too large for the record');
  await store.append([small(3)], 'board');
  expect((await p.store()).entries).toEqual([small(1), small(3)]);
});

test('a result that packs well but that no reader would unpack: refused, and the record stays whole', async () => {
  await using p = await openPlace();
  const store = p.start();
  const wide = (n: number, length: number): Entry => ({
    t: 'step',
    key: `wide-${n}`,
    result: '\u5b57'.repeat(length),
    at: n,
  });
  await store.append([small(1)], 'board');
  await expect(store.append([wide(2, 400_000)], 'board')).rejects.toThrow('too large for the record');
  expect(await p.comments()).toHaveLength(1);
  // 600,000 bytes each: no two of them in one segment.
  await store.append([wide(3, 200_000), wide(4, 200_000)], 'board');
  await store.append([wide(5, 200_000)], 'board');
  expect((await p.store()).entries).toEqual([small(1), ...[3, 4, 5].map(n => wide(n, 200_000))]);
});

test('many entries at once that are larger than a comment together', async () => {
  await using p = await openPlace();
  const store = p.start();
  await store.append(heavy(1, 8, 17_000), 'board');
  expect((await p.store()).entries).toEqual(heavy(1, 8, 17_000));
});

test('two runs on one issue: the newest counts, the older parts are left alone', async () => {
  await using p = await openPlace();
  const first = p.start();
  for (let n = 0; n < 5; n++) await first.append(heavy(n, 1, 17_000), 'board');
  const second = newRunStore({ github: p.github, keys }, { ...p.identity, run: 'def' });
  await second.append([small(1)], 'board');
  const found = await p.store();
  expect([found.identity.run, found.entries]).toEqual(['def', [small(1)]]);
});

test('a valid record pasted by somebody else is none', async () => {
  await using p = await openPlace();
  const store = p.start();
  await store.append([small(1)], 'board');
  const [old] = await p.comments();
  await store.append([small(2)], 'board');
  await p.forge.call('olga', 'POST', `/repos/olga/work/issues/${p.identity.issue}/comments`, {
    body: old!.body,
  });
  const found = await p.store();
  expect([found.comment, found.entries]).toEqual([old!.id, [small(1), small(2)]]);
});

test('revisions of one second, in whatever order they come: the newest record is put back', async () => {
  await using p = await openPlace();
  const store = p.start();
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

/** What GitHub answers of a comment's revisions. */
function revisionsIn(answer: unknown) {
  type Revision = { diff: string | null; editedAt: string };
  const { data } = answer as { data?: { node?: { userContentEdits?: { nodes: Revision[] } } } };
  return data?.node?.userContentEdits?.nodes ?? [];
}

test('the newest revision deleted by a person, and an old record in its place: trouble', async () => {
  await using p = await openPlace();
  const store = p.start();
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
async function post(
  p: Awaited<ReturnType<typeof openPlace>>,
  segments: readonly { seq: number; prev: string; entries: Entry[] }[],
) {
  for (const [index, segment] of segments.entries()) {
    const encoded = encodeSegment({ identity: p.identity, ...segment }, keys);
    const isPart = index < segments.length - 1;
    await p.github.comment(
      p.identity.issue,
      isPart ? partComment(segment.seq, encoded) : `board\n\n${encoded}`,
    );
  }
}
const digestOf = (p: { identity: RunIdentity }, segment: { seq: number; prev: string; entries: Entry[] }) =>
  segmentDigest(encodeSegment({ identity: p.identity, ...segment }, keys));

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
