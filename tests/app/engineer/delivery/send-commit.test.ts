// Commits of the mirror made over the API of the local GitHub: every kind of change, merges, crashes, and what is pushed.
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findSent, noteSent, sendCommit } from '../../../../src/app/engineer/delivery/send-commit.ts';
import { connectRepository } from '../../../../src/app/github/repository.ts';
import { ApiError } from '../../../../packages/forge/errors.ts';
import type { ForgeOptions } from '../../../../packages/forge/forge.ts';
import { git } from '../../../../packages/forge/repositories/git.ts';
import { sharedWait } from '../../../../packages/ground/lib/shared-wait.ts';
import { openMirror } from '../../../../packages/ground/workspace/mirror.ts';
import { openTestForge } from '../../../forge/fixture.ts';
import { testClock } from '../../../ground/lib/clocks.ts';

const fields = { message: 'Change it\n\nEchelon-Op: abc\n', date: '2026-01-01T00:00:00Z' };

/** The App on olga/work with a mirror, and a clone in which trees are made. */
async function open(onCall?: ForgeOptions['onCall']) {
  const t = await openTestForge(onCall ? { onCall } : {});
  const permissions = { contents: 'write', metadata: 'read' };
  const app = t.forge.registerApp({
    slug: 'echelon',
    name: 'echelon',
    webhookUrl: '',
    events: [],
    permissions,
  });
  const client = t.asApp(app, t.forge.installApp('echelon', 'olga', 'work'));
  const clock = testClock();
  const place = { owner: 'olga', name: 'work', id: 1, bot: 'echelon[bot]' };
  const github = connectRepository(client, { ...place, clock, wait: sharedWait(clock) });
  const token = async () => t.forge.tokenFor('olga');
  const mirror = await openMirror({
    folder: join(t.root, 'mirror'),
    url: `${t.forge.url}/olga/work.git`,
    token,
  });
  await mirror.fetch();
  const clone = await t.clone('olga');
  const main = (await mirror.resolve('main')) ?? '';
  const ctx = {
    github,
    mirror: async () => mirror,
    sent: new Map<string, string>(),
    config: { checks: 'auto' as const },
  };
  /** A commit of the mirror whose files are those of the clone now. */
  async function commit(parents = [main], message = fields.message): Promise<string> {
    await git(clone, ['add', '--all', '--force']);
    const tree = (await git(clone, ['write-tree'])).toString().trim();
    await git(clone, [
      'push',
      '--quiet',
      mirror.path,
      `${(await git(clone, ['commit-tree', tree, '-m', 'x'])).toString().trim()}:refs/objects/x`,
      '--force',
    ]);
    return await mirror.commitTree({ ...fields, message, tree, parents });
  }
  const seen = async (sha: string) =>
    (
      await t.as('olga').request('GET /repos/{owner}/{repo}/git/commits/{commit_sha}', {
        owner: 'olga',
        repo: 'work',
        commit_sha: sha,
      })
    ).data;
  const writes = () =>
    t.forge.calls.flatMap(({ kind, route }) =>
      kind === 'write' && /git/.test(route) ? route.replace(/^(\w+) .*\/git/, '$1 git') : [],
    );
  return {
    t,
    ctx,
    clone,
    main,
    mirror,
    commit,
    seen,
    writes,
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  };
}

const write = async (folder: string, path: string, text: string | Buffer) => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};

const kinds: Record<string, { make(folder: string): Promise<unknown>; blobs: number }> = {
  'text, new and changed': {
    blobs: 0,
    make: async folder => {
      await write(folder, 'README.md', '# Wörk \u{1f4da}\r\nno end of line');
      await write(folder, 'a b/"c"\n.txt', '');
    },
  },
  'a file that is removed, and one in the place of a folder': {
    blobs: 0,
    make: async folder => {
      await rm(join(folder, 'src'), { recursive: true });
      await write(folder, 'src', 'a file now\n');
    },
  },
  'a program, and a link': {
    blobs: 0,
    make: async folder => {
      await write(folder, 'run.sh', '#!/bin/sh\n');
      await chmod(join(folder, 'run.sh'), 0o755);
      await chmod(join(folder, 'README.md'), 0o755);
      await symlink('run.sh', join(folder, 'link'));
    },
  },
  'bytes that are no text': {
    blobs: 2,
    make: async folder => {
      await write(folder, 'logo.png', Buffer.from([0x89, 0x50, 0, 255]));
      await write(folder, 'latin.txt', Buffer.from([0xe4, 0x0a]));
    },
  },
};

test.each(Object.entries(kinds))('%s: the same tree, signed, with few calls', async (_, { make, blobs }) => {
  await using s = await open();
  await make(s.clone);
  const commit = await s.commit();
  const sent = await sendCommit(s.ctx, { branch: 'echelon/a/1-x', commit, expect: null });
  const id = 'commit' in sent ? sent.commit : '';
  expect(sent).toEqual({ commit: id });
  const found = await s.seen(id);
  expect(found).toMatchObject({ tree: { sha: await s.mirror.treeOf(commit) }, parents: [{ sha: s.main }] });
  expect(found.message.trim()).toBe(fields.message.trim());
  expect(s.writes().toSorted()).toEqual([
    ...Array(blobs).fill('POST git/blobs'),
    ...['POST git/commits', 'POST git/refs', 'POST git/trees'],
  ]);
  expect(await s.mirror.resolve('echelon/a/1-x')).toBe(id);
});

test('a commit on a merge that GitHub does not have: the merge is made once, and both are what the mirror has', async () => {
  await using s = await open();
  await write(s.clone, 'one.txt', 'one\n');
  const merge = await s.commit([s.main, (await s.mirror.resolve('feature')) ?? ''], 'Merge\n');
  const base = await sendCommit(s.ctx, { branch: 'echelon/a/2-base', commit: merge, expect: null });
  noteSent(s.ctx, merge, base);
  await write(s.clone, 'two.txt', 'two\n');
  const own = await s.commit([merge]);
  const sent = await sendCommit(s.ctx, { branch: 'echelon/a/2-x', commit: own, expect: null });
  if (!('commit' in base && 'commit' in sent)) throw new Error('refused');
  expect((await s.seen(base.commit)).parents).toHaveLength(2);
  expect((await s.seen(sent.commit)).parents).toMatchObject([{ sha: base.commit }]);
});

test('a crash after the branch was made: found again, and nothing is made twice', async () => {
  await using s = await open();
  await write(s.clone, 'one.txt', 'one\n');
  const what = { branch: 'echelon/a/1-x', commit: await s.commit(), expect: null };
  expect(await findSent(s.ctx, what)).toBeUndefined();
  const sent = await sendCommit(s.ctx, what);
  s.ctx.sent.clear();
  expect(await findSent(s.ctx, what)).toEqual(sent);
  await write(s.clone, 'one.txt', 'another\n');
  expect(await findSent(s.ctx, { ...what, commit: await s.commit() })).toBeUndefined();
});

test('a branch that somebody moved is left alone, whether or not ours would come of it', async () => {
  await using s = await open();
  const feature = (await s.mirror.resolve('feature')) ?? '';
  await write(s.clone, 'one.txt', 'one\n');
  for (const [parents, expect_] of [
    [[s.main], null],
    [[s.main], s.main],
    [[feature], s.main],
  ] as const) {
    const commit = await s.commit([...parents]);
    const sent = await sendCommit(s.ctx, { branch: 'feature', commit, expect: expect_ });
    expect(sent).toMatchObject({ elsewhere: true, refused: expect.stringContaining('it was not moved') });
    expect(await s.mirror.remoteBranch('feature')).toBe(feature);
  }
});

test('what the API does not take is pushed, and why is told', async () => {
  await using s = await open(({ route }, phase) => {
    if (phase === 'received' && route.endsWith('/git/trees')) throw new ApiError(422, 'Invalid tree');
  });
  await write(s.clone, 'one.txt', 'one\n');
  const commit = await s.commit();
  expect(await sendCommit(s.ctx, { branch: 'echelon/a/1-x', commit, expect: null })).toEqual({
    commit,
    unsigned: 'Invalid tree',
  });
});
