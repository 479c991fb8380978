// Credentials in a checkout's git configuration: found, kept from commands, and refused where nothing keeps them.
import { Buffer } from 'node:buffer';
import { mkdir, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorkFolder } from '../../../src/engine/runtime/work-folder.ts';
import { runCommand } from '../../../packages/ground/workspace/command.ts';
import { git } from '../../../packages/ground/workspace/git.ts';
import { gitCredentials, refuseCredentials } from '../../../packages/ground/workspace/git-config.ts';
import { chooseIsolation } from '../../../packages/ground/workspace/isolation.ts';
import { temporary, writeFiles } from '../../ground/workspace/fixture.ts';

const bubblewrap = await chooseIsolation('bubblewrap', { secretsPresent: true }).catch(() => undefined);
const token = 'ordinary-token-0123456789';
const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
const header = `[http "https://example.com/"]\n\textraheader = AUTHORIZATION: basic ${basic}\n`;

async function checkout(files: Record<string, string> = {}) {
  const folder = await temporary();
  const tree = join(folder.path, 'job', 'tree');
  await mkdir(tree, { recursive: true });
  await git(['init', '--quiet', '--template=', tree]);
  await writeFiles(tree, files);
  const run = async (command: string, isolation = bubblewrap!) =>
    await runCommand({
      ...{
        command,
        tree,
        home: join(folder.path, 'job', 'home'),
        hostPath: '/usr/bin:/bin',
        env: {},
        isolation,
      },
      ...{
        hosts: [],
        time: { ms: 20_000, more: 'no more' },
        maxOutputBytes: 100_000,
        signal: new AbortController().signal,
      },
    });
  return { ...folder, tree, run };
}

describe('found', () => {
  test.each<[name: string, file: string, text: string, secrets: string[]]>([
    ['a header', '.git/config', header, [`basic ${basic}`, basic, `x-access-token:${token}`, token]],
    ['a password in a URL', '.git/config', `[remote "o"]\n\turl = https://u:${token}@h/x\n`, [token]],
    ['a token as the user', '.git/config', `[remote "o"]\n\turl = https://${token}@h/x\n`, [token]],
    ['an encoded password', '.git/config', '[remote "o"]\n\turl = https://u:a%2Fb@h/x\n', ['a%2Fb', 'a/b']],
    ['a rewriting of URLs', '.git/config', `[url "https://u:${token}@h/"]\n\tinsteadOf = x:\n`, [token]],
    ['of a work tree', '.git/config.worktree', header, [token]],
    ['of a submodule of any name', '.git/modules/a/refs/config', header, [token]],
    ['a store', '.git/credentials', `https://u:${token}@h\n`, [token]],
    ['an included file', 'kept', header, [token]],
    ['of a repository in the folder', 'more/.git/config', header, [token]],
    ['of a git directory of another name', 'more/x/config', header, [token]],
  ])('%s', async (_name, file, text, secrets) => {
    await using place = await checkout({
      [file]: text,
      ...(file === 'kept' && { '.git/config': '[includeIf "gitdir:/x/"]\n\tpath = ../kept\n' }),
      ...(file === 'more/x/config' && { 'more/x/HEAD': '', 'more/x/objects/a': '' }),
    });
    const found = await gitCredentials(place.tree);
    expect(found.secrets).toEqual(expect.arrayContaining(secrets));
    expect(found.places).toHaveLength(1);
    expect(found.places.join()).not.toContain(token);
    expect(found.nested).toBe(file.startsWith('more/'));
    await expect(refuseCredentials(place.tree, false)).rejects.toThrow('persist-credentials: false');
  });

  test('nothing where there is nothing: users, ssh, headers taken out', async () => {
    await using place = await checkout({
      '.git/config':
        '[remote "o"]\n\turl = https://me@h/x\n\tpushurl = git@h:x\n[http "https://h/"]\n\textraheader =\n',
    });
    expect(await gitCredentials(place.tree)).toEqual({ places: [], secrets: [], nested: false });
    await refuseCredentials(place.tree, false);
  });
});

describe('in a sandbox', () => {
  const sandboxed = test.skipIf(!bubblewrap);

  sandboxed('no file of git shows them, and git still works', async () => {
    const config = `[core]\n\trepositoryformatversion = 0\n[user]\n\tname = Ada \\"L\\"\n[remote "o"]\n\turl = https://u:${token}@h/x?k=1\n${header}`;
    await using place = await checkout({
      '.git/config': config,
      '.git/config.worktree': header,
      '.git/modules/a/b/config': header,
      '.git/credentials': `https://u:${token}@h\n`,
      'a.txt': 'a',
    });
    const { stdout } = await place.run(
      'git status --short; git config user.name; git remote get-url o; cat .git/config .git/config.worktree .git/modules/a/b/config .git/credentials; cp -r .git copy; cat copy/config; ls ..; grep -r -e ordinary -e basic .. /tmp',
    );
    expect(stdout).toContain('?? a.txt\nAda "L"\nhttps://h/x\n');
    expect(stdout).not.toMatch(/ordinary|basic/);
    expect(stdout).not.toContain(basic);
    const moved = await place.run(
      'rm -f .git/config; mv .git away; unshare -Urm umount .git/config; cat */config .git/config',
    );
    expect(moved.stdout).not.toContain(basic);
  });

  sandboxed('a link that a command left for .git shows nothing of outside', async () => {
    await using folder = await temporary();
    const tree = join(folder.path, 'a', 'tree');
    await writeFiles(folder.path, { 'secret/etc.txt': 'outside', 'a/tree/x': '' });
    await symlink(relative(tree, '/etc'), join(tree, '.git'));
    const { stdout } = await runCommand({
      ...{
        command: 'ls /etc/shadow /etc/machine-id .git/shadow',
        tree,
        home: join(folder.path, 'a', 'home'),
      },
      ...{
        hostPath: '/usr/bin:/bin',
        env: {},
        isolation: bubblewrap!,
        hosts: [],
        time: { ms: 20_000, more: 'no more' },
      },
      ...{ maxOutputBytes: 10_000, signal: new AbortController().signal },
    });
    expect(stdout).toBe('');
  });

  sandboxed('a repository inside the folder that holds some: nothing runs', async () => {
    await using place = await checkout({ 'more/.git/config': header });
    const folder = await openWorkFolder({
      ...{ folder: place.tree, allowScripts: true, secretsPresent: true },
      host: {
        ...{ temporary: place.path, path: '/usr/bin:/bin' },
        allows: { isolationNone: false, network: false },
      },
    });
    try {
      await expect(folder.prepare()).rejects.toThrow(
        '(more/.git/config: http.https://example.com/.extraheader): take them out',
      );
    } finally {
      await folder.close();
    }
  });
});
