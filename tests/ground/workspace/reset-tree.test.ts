// Changes of a command to a checkout's files are undone completely.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Checkout, createCheckout } from '../../../packages/ground/workspace/checkout.ts';
import { runCommand } from '../../../packages/ground/workspace/command.ts';
import { nesting, repository, writeFiles } from './fixture.ts';

const signal = AbortSignal.timeout(120_000);

/** A checkout in which an engineer has changed, added and deleted files. */
async function worked() {
  const repo = await repository({
    'package.json': '{}\n',
    'src/a.ts': 'a\n',
    'src/deep/b.ts': 'b\n',
    run: { executable: '#!/bin/sh\n' },
    link: { link: 'src/a.ts' },
    '.gitignore': 'cache/\n*.log\n',
    'gone.txt': 'gone\n',
  });
  const folder = join(repo.path, 'job');
  const checkout = await createCheckout({ mirror: repo.mirror.path, commit: repo.base, folder });
  await writeFiles(checkout.tree, {
    'src/a.ts': 'changed\n',
    'new/c.ts': 'c\n',
    'gone.txt': null,
    'cache/kept': 'kept\n',
  });
  await mkdir(join(repo.path, 'outside'));
  await writeFile(join(repo.path, 'outside', 'a.ts'), 'outside\n');
  return { ...repo, checkout };
}

/** Path, kind, mode, content or target of everything that git does not ignore. */
const seen = (tree: string) =>
  execFileSync(
    'find',
    [
      ...['.', '-path', './cache', '-prune', '-o', '-printf', '%P %y %m %l '],
      '-type',
      'f',
      '-exec',
      'cksum',
    ].concat(['{}', ';', '-o', '-printf', '\\n']),
    { cwd: tree, encoding: 'utf8' },
  )
    .split('\n')
    .sort();

const command = (checkout: Checkout, script: string) =>
  runCommand({
    ...{ command: script, tree: checkout.tree, home: checkout.home, hostPath: process.env['PATH'] ?? '' },
    ...{
      env: {},
      time: { ms: 60_000, more: 'no more' },
      maxOutputBytes: 1000,
      isolation: { kind: 'none' } as const,
    },
    ...{ hosts: [], signal },
  });

test.for<[name: string, script: string, keeps?: boolean]>([
  ['adds files and folders', 'echo x > artefact.txt; mkdir -p out/er empty; echo y > out/er/y'],
  [
    'changes files, their modes and links',
    'echo x > package.json; chmod +x src/a.ts; chmod -x run; ln -sf run link',
  ],
  [
    'changes a file and gives it its times back',
    'touch -r src/a.ts t; echo CHANGED > src/a.ts; touch -r t src/a.ts',
  ],
  ['deletes files, and brings back a deleted one', 'rm -r src run new; echo gone > gone.txt'],
  ['turns a file into a folder', 'rm package.json; mkdir -p package.json/x; echo x > package.json/x/y'],
  ['turns a folder into a file', 'rm -r src; echo x > src'],
  ['turns a folder into a link that leads out', 'rm -r src; ln -s ../../outside src; echo x > new/d'],
  ['makes files and folders unreadable', 'chmod 000 src/a.ts src/deep/b.ts src/deep src new'],
  ['changes other permissions', 'chmod 500 src; chmod 4755 run; chmod 400 package.json'],
  ['makes a repository of the tree', 'git init -q . && git config user.name x'],
  ['makes a repository of a folder', 'git init -q src; git init -q other; echo x > other/f'],
  ['hides what it left', 'echo "*" > src/.gitignore; echo x > src/x; echo "* -text" > .gitattributes'],
  ['changes what is ignored', 'echo "*" > .gitignore; echo x > artefact.txt'],
  ['leaves a process that writes later', '(setsid sh -c "sleep 1; echo x > late.txt" >/dev/null 2>&1 &)'],
  ['nests folders too deeply', `${process.execPath} -e "${nesting()}"`, false],
  [
    'nests folders too deeply in the place of a file',
    `rm run; mkdir run; cd run; ${process.execPath} -e "${nesting()}"`,
    false,
  ],
])('a command that %s', async ([, script, keeps = true]) => {
  await using place = await worked();
  const { checkout } = place;
  const [before, tree] = [seen(checkout.tree), await checkout.writeTree()];
  await checkout.undoing(() => command(checkout, script), signal);
  expect(seen(checkout.tree)).toEqual(before);
  expect(await checkout.writeTree()).toBe(tree);
  expect(existsSync(join(checkout.tree, 'cache', 'kept'))).toBe(keeps);
  expect(readdirSync(join(place.path, 'outside'))).toEqual(['a.ts']);
  expect(readFileSync(join(place.path, 'outside', 'a.ts'), 'utf8')).toBe('outside\n');
  expect(readdirSync(checkout.gitDir).filter(name => name.startsWith('index.'))).toEqual([]);
});

test('the tree itself replaced by a link: what it leads to is not touched', async () => {
  await using place = await worked();
  const { checkout } = place;
  const before = seen(checkout.tree);
  await checkout.undoing(async () => {
    execFileSync('rm', ['-rf', checkout.tree]);
    await symlink(join(place.path, 'outside'), checkout.tree);
  }, signal);
  expect(seen(checkout.tree)).toEqual(before);
  expect(readdirSync(join(place.path, 'outside'))).toEqual(['a.ts']);
});

test('a command that fails is undone too, and its error is the one that is thrown', async () => {
  await using place = await worked();
  const { checkout } = place;
  const failing = checkout.undoing(async () => {
    await writeFile(join(checkout.tree, 'artefact.txt'), 'x');
    throw new Error('no');
  }, signal);
  await expect(failing).rejects.toThrow('no');
  expect(existsSync(join(checkout.tree, 'artefact.txt'))).toBe(false);
});

test('files that did not change are not written again', async () => {
  await using place = await worked();
  const { checkout } = place;
  const times = () =>
    execFileSync('find', ['.', '-type', 'f', '-printf', '%P %C@ %T@\\n'], {
      cwd: checkout.tree,
      encoding: 'utf8',
    });
  const before = times();
  await checkout.undoing(() => command(checkout, 'echo x > artefact.txt'), signal);
  expect(times()).toBe(before);
  expect(await readFile(join(checkout.tree, 'src/a.ts'), 'utf8')).toBe('changed\n');
});
