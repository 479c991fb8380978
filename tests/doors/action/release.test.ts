// `npm run release` on a copy of this repository: what it tags and moves, what it refuses, what it leaves alone.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'echelon-release-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

const who = { GIT_AUTHOR_NAME: 'you', GIT_AUTHOR_EMAIL: 'you@users.noreply.github.com' };
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  ...who,
  GIT_COMMITTER_NAME: who.GIT_AUTHOR_NAME,
  GIT_COMMITTER_EMAIL: who.GIT_AUTHOR_EMAIL,
};

function git(cwd: string, ...args: string[]): string {
  const { stdout, status, stderr } = spawnSync('git', args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** The build's input, as one commit. */
function begun(): string {
  const source = join(folder, 'source');
  for (const path of git(root, 'ls-files', 'src', 'prompts', 'action', 'action.yml', '.gitignore').split(
    '\n',
  )) {
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(source, path)), { recursive: true });
    cpSync(join(root, path), join(source, path));
  }
  for (const path of ['release.ts', 'build.ts'])
    cpSync(join(root, 'action', path), join(source, 'action', path));
  writeFileSync(join(source, 'package.json'), versioned('1.2.0'));
  git(source, 'init', '--quiet', '--initial-branch=main');
  git(source, 'add', '--all');
  git(source, 'commit', '--quiet', '-m', 'Begin');
  return source;
}
const versioned = (version: string) => JSON.stringify({ name: 'echelon', version, type: 'module' });
const source = begun();

let here = '';
let count = 0;
/** Result of the first release, in its folder. */
let firstTree = '';
/** A repository of its own for each test, and the bare one that it pushes to. */
beforeEach(() => {
  const bare = join(folder, `${++count}.git`);
  here = join(folder, String(count));
  git(folder, 'clone', '--quiet', '--bare', source, bare);
  git(folder, 'clone', '--quiet', bare, here);
});

const release = (...args: string[]) =>
  spawnSync(process.execPath, ['action/release.ts', ...args], { cwd: here, env, encoding: 'utf8' });
const refs = (cwd: string) =>
  git(cwd, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags');
const commitOf = (cwd: string, name: string) => git(cwd, 'rev-parse', `${name}^{commit}`);
const next = (version: string) => {
  writeFileSync(join(here, 'package.json'), versioned(version));
  git(here, 'commit', '--quiet', '--all', '-m', `Call it ${version}`);
};

describe('a release', () => {
  test('is a commit of the build on main, named by two tags and on no branch, that works where it is checked out; all else is as it was', () => {
    const main = commitOf(here, 'main');
    const remote = refs(join(folder, `${count}.git`));
    const ran = release('v1.2.0');
    expect(ran.status, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('git push --atomic origin v1.2.0 +v1');
    expect(commitOf(here, 'v1.2.0^')).toBe(main);
    expect(commitOf(here, 'v1')).toBe(commitOf(here, 'v1.2.0'));
    expect(commitOf(here, 'main')).toBe(main);
    expect(git(here, 'status', '--porcelain', '--ignored')).toBe('');
    expect(refs(join(folder, `${count}.git`))).toBe(remote);
    const changed = git(here, 'diff', '--name-status', 'main', 'v1').split('\n');
    for (const name of ['index.mjs', 'quickjs.wasm', 'sandbox-worker.mjs'])
      expect(changed).toContain(`A\taction/${name}`);
    expect(changed.filter(line => !/^A\taction\/([\w.-]+\.(mjs|wasm)|action\.yml)$/.test(line))).toEqual([]);
    firstTree = git(here, 'rev-parse', 'v1^{tree}');
    const used = join(folder, 'used');
    git(folder, 'clone', '--quiet', '--branch', 'v1', here, used);
    const { main: entry } = parse(readFileSync(join(used, 'action.yml'), 'utf8')).runs;
    const acted = spawnSync(process.execPath, [join(used, entry)], { env, encoding: 'utf8' });
    expect(acted.stderr).toContain('is none of run, fetch, engineer, deliver, task');
  });

  test('moves the tag of its major version, and no other one', () => {
    for (const tag of ['v1.2.0', 'v1', 'v2.0.0', 'v2']) git(here, 'tag', tag);
    const before = commitOf(here, 'main');
    next('1.10.0');
    expect(release('v1.10.0').status).toBe(0);
    expect(commitOf(here, 'v1')).toBe(commitOf(here, 'v1.10.0'));
    expect(commitOf(here, 'v1')).not.toBe(before);
    for (const tag of ['v1.2.0', 'v2.0.0', 'v2']) expect(commitOf(here, tag)).toBe(before);
  });

  test('is pushed when that is asked for: the two tags, and no branch; its bytes are the same wherever it is built', () => {
    const bare = join(folder, `${count}.git`);
    git(here, 'tag', 'v1');
    git(here, 'push', '--quiet', 'origin', 'v1');
    const ran = release('v1.2.0', '--push');
    expect(ran.status, ran.stderr).toBe(0);
    expect(refs(bare)).toBe(refs(here));
    expect(commitOf(bare, 'v1')).toBe(commitOf(bare, 'v1.2.0'));
    expect(commitOf(bare, 'main')).toBe(commitOf(bare, 'v1.2.0^'));
    expect(git(here, 'rev-parse', 'v1.2.0^{tree}')).toBe(firstTree);
  });

  test('that the remote refuses leaves no tag here', () => {
    const hook = join(folder, `${count}.git`, 'hooks', 'pre-receive');
    writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const before = refs(here);
    expect(release('v1.2.0', '--push').status).not.toBe(0);
    expect(refs(here)).toBe(before);
  });

  test('is only told of with --dry-run', () => {
    const bare = join(folder, `${count}.git`);
    const before = [refs(here), refs(bare)];
    const ran = release('v1.2.0', '--dry-run', '--push');
    expect(ran.status, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('This would be done:');
    expect(ran.stdout).toContain('tags it v1.2.0, and moves v1 to it');
    expect([refs(here), refs(bare)]).toEqual(before);
  });
});

describe('nothing is released', () => {
  const refusals: [name: string, before: () => void, args: string[], says: string][] = [
    ['without a version', () => {}, [], 'call it as: npm run release -- vX.Y.Z'],
    ['for a version of another form', () => {}, ['v1.2'], 'call it as'],
    ['for an option it does not know', () => {}, ['v1.2.0', '--dry'], 'call it as'],
    ['with a changed file', () => appendFileSync(join(here, 'action.yml'), '\n'), ['v1.2.0'], 'has changes'],
    [
      'with a file git does not know',
      () => writeFileSync(join(here, 'src/new.ts'), ''),
      ['v1.2.0'],
      'has changes',
    ],
    ['for another version than that of package.json', () => {}, ['v1.2.1'], 'package.json says v1.2.0'],
    ['where the tag exists', () => git(here, 'tag', 'v1.2.0'), ['v1.2.0'], 'the tag v1.2.0 exists'],
    ['where a newer one was', () => git(here, 'tag', 'v1.10.0'), ['v1.2.0'], 'v1.10.0 is newer'],
    [
      'from another branch',
      () => {
        git(here, 'switch', '--quiet', '-c', 'mine');
        next('1.2.0-mine');
      },
      ['v1.2.0'],
      "not main's head",
    ],
    [
      'for a main that was not pushed',
      () => next('1.3.0'),
      ['v1.3.0', '--push'],
      'main of origin is another commit',
    ],
    [
      'where only the remote has the tag',
      () => git(here, 'push', '--quiet', 'origin', 'main:refs/tags/v1.2.0'),
      ['v1.2.0', '--push'],
      'the tag v1.2.0 exists',
    ],
  ];
  test.each(refusals)('%s', (_name, before, args, says) => {
    before();
    const there = refs(here);
    const ran = release(...args);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain(says);
    expect(refs(here)).toBe(there);
  });
});

test('the example of a step uses the tag of this major version', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(readFileSync(join(root, 'docs/actions.md'), 'utf8')).toContain(
    `uses: echelon-org/echelon@v${version.split('.')[0]}\n`,
  );
});
