import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemPath } from '../../../packages/ground/lib/system-path.ts';
import { checkGit, GitError, git } from '../../../packages/ground/workspace/git.ts';
import { BranchElsewhere } from '../../../packages/ground/workspace/branch-not-moved.ts';
import { type Mirror, openMirror } from '../../../packages/ground/workspace/mirror.ts';
import { date, type Files, repository as serverWith, temporary } from './fixture.ts';

const fields = { message: 'a message', date };

describe('git', () => {
  test('takes part in nothing of the machine', async () => {
    await using folder = await temporary();
    process.env['GIT_CANARY'] = 'leak';
    const script = join(folder.path, 'git');
    await writeFile(script, '#!/bin/sh\nenv\n');
    await chmod(script, 0o755);
    const seen = await git(['x'], { path: `${folder.path}:${systemPath}` });
    delete process.env['GIT_CANARY'];
    expect(seen).not.toContain('leak');
    expect(seen).toContain('HOME=/nonexistent');
    expect(seen).toContain('GIT_CONFIG_GLOBAL=/dev/null');
  });

  test('reads no settings of the machine, wherever they stand', async () => {
    await using folder = await temporary();
    const settings = join(folder.path, 'settings');
    await writeFile(settings, '[canary]\n\tsings = loudly\n');
    const seen = await git(['config', '--list'], { env: { GIT_CONFIG_SYSTEM: settings } });
    expect(seen).toContain('core.hookspath=/dev/null');
    expect(seen).not.toContain('canary');
  });

  test('missing, too old, and run in a folder that is not there are told apart', async () => {
    await using folder = await temporary();
    await expect(checkGit(folder.path)).rejects.toThrow(/git was not found in .*Install git 2\.38/);
    await writeFile(join(folder.path, 'git'), '#!/bin/sh\necho git version 2.30.1\n');
    await chmod(join(folder.path, 'git'), 0o755);
    await expect(checkGit(folder.path)).rejects.toThrow(/git 2\.30\.1 is too old/);
    await expect(git(['version'], { cwd: join(folder.path, 'no') })).rejects.toThrow(/there is no folder/);
    expect(await checkGit()).toMatch(/^\d+\.\d+/);
  });

  test('tokens are masked in what an error says', async () => {
    await using folder = await temporary();
    await writeFile(join(folder.path, 'git'), '#!/bin/sh\nenv >&2; echo https://u:pw@host/x >&2; exit 9\n');
    await chmod(join(folder.path, 'git'), 0o755);
    const auth = { url: 'https://host/x', token: 'ghs_token_in_error' };
    const run = git(['x', auth.token], { path: `${folder.path}:${systemPath}`, auth });
    const error = await run.catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      exitCode: 9,
      message: expect.stringMatching(/^git x \*\*\* exited 9: /),
      stderr: expect.stringContaining('Basic ***'),
    });
    const basic = Buffer.from(`x-access-token:${auth.token}`).toString('base64');
    expect(`${error} ${JSON.stringify(error)}`).not.toMatch(new RegExp(`${auth.token}|${basic}|u:pw`));
  });

  test('output beyond the bound ends it', async () => {
    await expect(git(['help', '-a'], { maxBytes: 100 })).rejects.toThrow('more than 100 bytes');
    expect(await git(['help', '-a'], { maxBytes: 100, cut: true })).toHaveLength(100);
  });

  test('a signal ends it', async () => {
    await using folder = await temporary();
    await writeFile(join(folder.path, 'git'), '#!/bin/sh\ntrap "" TERM\nsleep 60 & wait\nsleep 60\n');
    await chmod(join(folder.path, 'git'), 0o755);
    const started = Date.now();
    const run = git(['x'], { path: `${folder.path}:${systemPath}`, signal: AbortSignal.timeout(100) });
    await expect(run).rejects.toThrow(/timeout/);
    expect(Date.now() - started).toBeLessThan(8000);
  });

  test('ext transports and addresses with credentials are refused', async () => {
    await using folder = await temporary();
    const at = join(folder.path, 'm');
    await expect((await openMirror({ folder: at, url: 'ext::sh -c date' })).fetch()).rejects.toThrow(/ext/);
    await expect(openMirror({ folder: at, url: 'https://u:p@example.com/x' })).rejects.toThrow(
      /must not contain/,
    );
  });
});

test('a token reaches the server, and no file, argument or error', async () => {
  await using folder = await temporary();
  const token = 'ghs_verySecretToken123';
  const seen: (string | undefined)[] = [];
  const commandLines: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    void (async () => {
      for (const pid of (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name)))
        commandLines.push(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
      response.writeHead(403).end(`no ${request.headers.authorization}`);
    })();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/o/r.git`;
  const mirror = await openMirror({ folder: join(folder.path, 'm'), url, token: async () => token });
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  try {
    const error = await mirror.fetch().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GitError);
    expect(seen[0]).toBe(`Basic ${basic}`);
    expect(String(error) + JSON.stringify(error)).not.toMatch(new RegExp(`${token}|${basic}`));
    expect(commandLines.some(line => line.includes('remote-http'))).toBe(true);
    expect(commandLines.filter(line => line.includes(token) || line.includes(basic))).toEqual([]);
    expect(await readFile(join(mirror.path, 'config'), 'utf8')).not.toMatch(/extraHeader|token/i);
  } finally {
    server.close();
  }
});

describe.each([
  ['full', false],
  ['partial', true],
])('a %s mirror', (_kind, partial) => {
  const repository = (files: Files) => serverWith(files, { partial });

  test('reads commits as fetched', async () => {
    await using repo = await repository({ 'a.txt': 'a\n', 'dir/ü ".txt': 'b', link: { link: 'a.txt' } });
    const { mirror, base } = repo;
    expect(await mirror.resolve('main')).toBe(base);
    expect(await mirror.resolve(base)).toBe(base);
    for (const none of ['nope', '--help', 'main^', 'a..b', '0'.repeat(40)])
      expect(await mirror.resolve(none)).toBeUndefined();
    expect((await mirror.listFiles(base)).map(({ path, size, mode }) => [path, size, mode])).toEqual([
      ['a.txt', 2, '100644'],
      ['dir/ü ".txt', 1, '100644'],
      ['link', 5, '120000'],
    ]);
    expect((await mirror.readFile(base, 'dir/ü ".txt', 10))?.toString()).toBe('b');
    for (const none of ['nope', 'dir', 'link']) expect(await mirror.readFile(base, none, 10)).toBeUndefined();
    expect(await mirror.readFile(base, 'a.txt', 1)).toBeUndefined();
  });

  test('the files of a commit are read once, however often they are asked for', async () => {
    await using repo = await repository({ 'a.txt': 'a\n' });
    const { mirror, base } = repo;
    const files = await mirror.listFiles(base);
    await rm(join(mirror.path, 'objects'), { recursive: true });
    expect(await mirror.listFiles(base)).toEqual(files);
  });

  test('where a branch stands and what was found to be a commit is told without a look at the objects', async () => {
    await using repo = await repository({ 'a.txt': 'a\n' });
    const { mirror, base } = repo;
    await git(['pack-refs', '--all'], { gitDir: mirror.path });
    expect(await mirror.resolve('main')).toBe(base);
    const next = await repo.commit({ 'b.txt': 'b' }, 'main');
    await mirror.fetch();
    await rm(join(mirror.path, 'objects'), { recursive: true });
    expect([await mirror.resolve('main'), await mirror.resolve(base)]).toEqual([next, base]);
  });

  test('fetches side by side wait for each other, and deleted branches go', async () => {
    await using repo = await repository({ a: 'a' });
    const side = await repo.commit({ b: 'b' }, 'side');
    await Promise.all([repo.mirror.fetch(), repo.mirror.fetch(), repo.mirror.fetch()]);
    expect(await repo.mirror.resolve('side')).toBe(side);
    await git(['update-ref', '-d', 'refs/heads/side'], { gitDir: repo.server });
    await repo.mirror.fetch();
    expect(await repo.mirror.resolve('side')).toBeUndefined();
  });

  test('the same commit twice has the same id', async () => {
    await using repo = await repository({ a: 'a' });
    const tree = await repo.mirror.treeOf(repo.base);
    const what = { ...fields, tree, parents: [repo.base] };
    expect(await repo.mirror.commitTree(what)).toBe('7096b277036b1e17d43dedc2fa5edd6aa8ab87eb');
    await expect(repo.mirror.commitTree({ ...what, date: 'soon' })).rejects.toThrow('not an ISO 8601 date');
  });

  test('merges, and names conflicts', async () => {
    await using repo = await repository({ a: '1\n' });
    const [left, right] = [await repo.commit({ b: 'b' }, 'left'), await repo.commit({ c: 'c' }, 'right')];
    const [x, y] = [await repo.commit({ a: '2\n' }, 'x'), await repo.commit({ a: '3\n', c: 'other' }, 'y')];
    await repo.mirror.fetch();
    const merged = await repo.mirror.merge([repo.base, left, right], fields);
    const commit = 'commit' in merged ? merged.commit : '';
    expect((await repo.mirror.listFiles(commit)).map(file => file.path)).toEqual(['a', 'b', 'c']);
    expect(await repo.mirror.merge([repo.base, left, right], fields)).toEqual(merged);
    expect(await repo.mirror.merge([x, right, y], fields)).toEqual({ conflicts: ['a', 'c'] });
    expect(await repo.mirror.merge([repo.base, x], fields)).toEqual({ commit: x });
    expect(await repo.mirror.merge([x, repo.base], fields)).toEqual({ commit: x });
  });

  test('a branch that the server takes from nobody: says so with its reason', async () => {
    await using repo = await repository({ a: 'a' });
    const one = await repo.commit({ b: 'b' }, 'one');
    await repo.mirror.fetch();
    await git(['config', 'receive.hideRefs', 'refs/heads/echelon'], { cwd: repo.server });
    const refused = repo.mirror.push({ commit: one, branch: 'echelon/1' });
    await expect(refused).rejects.toMatchObject({
      name: 'PushRefused',
      branch: 'echelon/1',
      reason: 'deny updating a hidden ref',
    });
  });

  test('pushes once, and never moves a branch that is elsewhere', async () => {
    await using repo = await repository({ a: 'a' });
    const [one, two] = [await repo.commit({ b: 'b' }, 'one'), await repo.commit({ c: 'c' }, 'two')];
    const { mirror } = repo;
    await mirror.fetch();
    expect(await mirror.remoteBranch('new')).toBeNull();
    expect(await mirror.push({ commit: one, branch: 'new' })).toBe('pushed');
    expect(await mirror.push({ commit: one, branch: 'new' })).toBe('same');
    expect(await mirror.remoteBranch('new')).toBe(one);
    const refused = await mirror.push({ commit: two, branch: 'new' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BranchElsewhere);
    expect(String(refused)).toContain(one);
    await expect(mirror.push({ commit: two, branch: 'new', expect: repo.base })).rejects.toThrow(
      new RegExp(`expected at ${repo.base} but is at ${one}`),
    );
    expect(await mirror.remoteBranch('new')).toBe(one);
    expect(await mirror.push({ commit: two, branch: 'new', expect: one })).toBe('pushed');
    await expect(mirror.push({ commit: two, branch: 'a..b' })).rejects.toThrow(GitError);
  });
});

/** 300 commits, each with another 40,000 bytes that cannot be compressed, as a second branch has them too. */
async function withHistory() {
  const folder = await temporary();
  const server = join(folder.path, 'server.git');
  await git(['init', '--quiet', '--bare', '--template=', server]);
  for (const key of ['allowFilter', 'allowAnySHA1InWant'])
    await git(['config', `uploadpack.${key}`, 'true'], { gitDir: server });
  const lines: (string | Buffer)[] = [];
  const data = (bytes: Buffer) => lines.push(`data ${bytes.length}\n`, bytes, '\n');
  for (let nth = 1; nth <= 300; nth++) {
    const branch = nth === 300 ? 'side' : 'main';
    lines.push(`commit refs/heads/${branch}\nmark :${nth}\ncommitter a <a@b> ${nth} +0000\n`);
    data(Buffer.from(`${nth}`));
    if (branch === 'side') lines.push('from :250\n');
    lines.push(`M 100644 inline ${branch}/big.bin\n`);
    data(randomBytes(40_000));
    lines.push(`M 100644 inline ${branch}/${nth % 20}.txt\n`);
    data(Buffer.from(`${nth}\n`));
  }
  await git(['fast-import', '--quiet'], {
    gitDir: server,
    input: Buffer.concat(lines.map(part => Buffer.from(part))),
  });
  return { ...folder, server };
}

test('a partial mirror fetches of a long history what is read, and no more', async () => {
  await using repo = await withHistory();
  const { server: url } = repo;
  const opened = async (name: string, partial: boolean) => {
    const mirror = await openMirror({ folder: join(repo.path, name), url, partial });
    await mirror.fetch();
    return mirror;
  };
  const [full, mirror] = [await opened('full.git', false), await opened('partial.git', true)];
  const all = await kibibytes(full);
  const main = (await full.resolve('main')) ?? '';
  const side = (await full.resolve('side')) ?? '';
  const reads: [what: string, read: (of: Mirror) => Promise<unknown>, percent: number][] = [
    ['history', of => of.mergeBase(main, side), 1],
    ['one file', async of => String(await of.readFile(main, 'main/1.txt', 99)), 1],
    ['a merge', of => of.merge([main, side], fields), 1],
    ['all files of a commit', of => of.listFiles(main), 2],
    ['a branch', of => of.push({ commit: main, branch: 'new', expect: null }), 2],
  ];
  for (const [what, read, percent] of reads) {
    const expected = await read(full);
    if (what === 'a branch') await git(['update-ref', '-d', 'refs/heads/new'], { gitDir: url });
    expect(await read(mirror), what).toEqual(expected);
    expect((100 * (await kibibytes(mirror))) / all, what).toBeLessThan(percent);
  }
});

/** Size of its objects. */
async function kibibytes({ path }: Mirror): Promise<number> {
  const counted = await git(['count-objects', '-v'], { gitDir: path });
  return [...counted.matchAll(/^size(?:-pack)?: (\d+)$/gm)].reduce((sum, [, size]) => sum + Number(size), 0);
}
