import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyBundle } from '../../../packages/ground/workspace/apply-bundle.ts';
import { type Manifest, makeBundle } from '../../../packages/ground/workspace/bundle.ts';
import { createCheckout } from '../../../packages/ground/workspace/checkout.ts';
import { git } from '../../../packages/ground/workspace/git.ts';
import {
  bundleLimits,
  isNamedToReviewers,
  nameFaults,
} from '../../../packages/ground/workspace/index-changes.ts';
import { type Files, repository, writeFiles } from './fixture.ts';

const secret = 'sk-ant-Abc/123+xyz=secret';
const pem = `-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(12)}\n${'REVG'.repeat(12)}\n-----END PRIVATE KEY-----`;
const rules = {
  limits: bundleLimits,
  protectedPaths: [] as string[],
  secrets: [secret, pem, 'short'],
};
const facts = { tests: null, rounds: 1, cost_usd: 0.5, isolation: 'none' } as const;

let repo: Awaited<ReturnType<typeof repository>>;
let count = 0;
beforeAll(async () => {
  repo = await repository({
    'a.txt': 'one\n',
    'old.txt': 'old\n',
    'src/x.ts': 'x\n',
    '.gitattributes': '*.lfs filter=lfs\n',
    '.github/workflows/ci.yml': 'on: push\n',
    '.github/echelon.yml': 'label: x\n',
  });
});
afterAll(() => repo[Symbol.asyncDispose]());

const refs = async () => await git(['for-each-ref'], { gitDir: repo.mirror.path });
const objects = async () => (await readdir(join(repo.mirror.path, 'objects'), { recursive: true })).sort();
const oneTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** A bundle written by hand: the patch may be anything. */
async function handmade(
  patch: string | Buffer,
  manifest: Partial<Record<keyof Manifest | 'extra', unknown>> = {},
) {
  const folder = join(repo.path, `bundle-${(count += 1)}`);
  await mkdir(folder);
  await writeFile(join(folder, 'changes.patch'), patch);
  const whole = { v: 1, base: repo.base, tree: oneTree, ...facts, ...manifest };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(whole));
  return folder;
}

/** A bundle made as a job makes it. */
async function honest(files: Files) {
  const folder = join(repo.path, `job-${(count += 1)}`);
  const checkout = await createCheckout({ mirror: repo.mirror.path, commit: repo.base, folder });
  await writeFiles(checkout.tree, files);
  const tree = await checkout.writeTree();
  await makeBundle(checkout, tree, join(folder, 'bundle'), facts);
  await checkout.remove();
  return { folder: join(folder, 'bundle'), tree };
}

const apply = (folder: string, more: Partial<typeof rules> = {}) =>
  applyBundle({ ...rules, ...more, mirror: repo.mirror, folder, base: repo.base });

/** Exactly one refusal, for this path and reason; refs and objects of the mirror are untouched. */
async function refused(folder: string, path: string, reason: RegExp, more: Partial<typeof rules> = {}) {
  const before = [await refs(), await objects()];
  const result = await apply(folder, more);
  expect(result).toEqual({ refused: [{ path, reason: expect.stringMatching(reason) }] });
  expect([await refs(), await objects()]).toEqual(before);
}

const quoted = (path: string) =>
  /[^ -~]|["\\]/.test(path)
    ? `"${[...Buffer.from(path, 'latin1')].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`
    : path;

/** Adds a file. Bytes of the path are given as latin1. */
function adding(path: string, content = 'x', mode = '100644'): string {
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const lines = content.split('\n');
  const body = `${lines.map(line => `+${line}`).join('\n')}\n\\ No newline at end of file\n`;
  return `diff --git ${a} ${b}\nnew file mode ${mode}\n--- /dev/null\n+++ ${b}\t\n@@ -0,0 +1,${lines.length} @@\n${body}`;
}

const bytes = (text: string) => Buffer.from(text).toString('latin1');

describe('what a job made is applied', () => {
  test('added, changed, deleted, moved, executable, binary files and links', async () => {
    const binary = Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256)).toString('latin1');
    const { folder, tree } = await honest({
      'a.txt': 'two\nthree\n',
      'old.txt': null,
      'moved/old.txt': 'old\n',
      'run.sh': { executable: '#!/bin/sh\n' },
      'pic.bin': `\0${binary}`,
      'src/link': { link: '../a.txt' },
      'ü "quoted".txt': 'q\r\n',
      '.gitattributes': '*.lfs filter=lfs\n*.png binary\n',
    });
    const before = await refs();
    const result = await apply(folder);
    expect(result).toMatchObject({ tree, manifest: { tree, rounds: 1 } });
    expect('files' in result && result.files).toEqual([
      '.gitattributes',
      'a.txt',
      'moved/old.txt',
      'old.txt',
      'pic.bin',
      'run.sh',
      'src/link',
      'ü "quoted".txt',
    ]);
    // The tree is in the mirror, whole, and can be committed; no ref was written.
    const fields = { message: 'm', date: '2026-01-01T00:00:00Z' };
    const commit = await repo.mirror.commitTree({ ...fields, tree, parents: [repo.base] });
    expect((await repo.mirror.listFiles(commit)).length).toBe(10);
    expect(await refs()).toBe(before);
    // Again: the same.
    expect(await apply(folder)).toEqual(result);
  });

  test('no changes', async () => {
    const { folder, tree } = await honest({});
    expect(await apply(folder)).toMatchObject({ tree, files: [] });
  });

  test('a secret of less than eight characters is not looked for', async () => {
    const { folder, tree } = await honest({ x: 'a short text' });
    expect(await apply(folder)).toMatchObject({ tree });
  });
});

describe('hostile paths in a patch', () => {
  const paths: [path: string, reason: RegExp][] = [
    ['../outside', /part "\.\."/],
    ['a/../../outside', /part "\.\."/],
    ['./x', /part "\."/],
    ['x\\y', /backslash/],
    ['C:/x', /drive letter/],
    ['x\u0001', /control character/],
    ['x\ty', /control character/],
    ['\x80\xff', /not valid UTF-8/],
    ['.git/config', /"\.git"/],
    ['.GIT/hooks/post-checkout', /"\.git"/],
    ['deep/.git/config', /"\.git"/],
    ['deep/.Git', /"\.git"/],
    ['.git./config', /"\.git"/],
    ['.git /config', /"\.git"/],
    ['git~1/config', /"\.git"/],
    ['.git~1/config', /"\.git"/],
    ['.git::$INDEX_ALLOCATION/config', /"\.git"/],
    [bytes('.g\u200cit/config'), /"\.git"/],
    [bytes('\ufeff.git/config'), /"\.git"/],
    [bytes('src/\u202ets.x'), /invisible/],
    ['.gitmodules', /submodules/],
    ['.GitModules', /submodules/],
    ['gitmod~1', /submodules/],
    ['GI7EBA~1', /submodules/],
    [bytes('.git\u200bmodules'), /invisible/],
    ['.github/workflows/evil.yml', /protected by \.github\/workflows/],
    ['.GitHub/Workflows/evil.yml', /protected by \.github\/workflows/],
    ['.github./workflows/evil.yml', /protected by \.github\/workflows/],
    [bytes('.GitHub/Workflow\u017f/evil.yml'), /protected by \.github\/workflows/],
    ['.github/workflows:x/evil.yml', /protected by \.github\/workflows/],
    [`docs/${secret.replaceAll('/', '_')}`, /secret in its name/],
  ];
  test.each(paths)('%j', async (path, reason) => {
    const name = Buffer.from(path, 'latin1').toString('utf8');
    const secrets = [secret.replaceAll('/', '_')];
    await refused(await handmade(adding(path)), name, reason, path.startsWith('docs/') ? { secrets } : {});
  });

  test('every hostile path is named', async () => {
    const result = await apply(await handmade(adding('.git/a') + adding('fine') + adding('../b')));
    expect('refused' in result && result.refused.map(fault => fault.path)).toEqual(['.git/a', '../b']);
  });

  test.each([
    [
      'a deletion',
      'diff --git a/.github/workflows/ci.yml b/.github/workflows/ci.yml\ndeleted file mode 100644\n--- a/.github/workflows/ci.yml\n+++ /dev/null\n@@ -1 +0,0 @@\n-on: push\n',
      '.github/workflows/ci.yml',
    ],
    [
      'a change of mode',
      'diff --git a/.github/echelon.yml b/.github/echelon.yml\nold mode 100644\nnew mode 100755\n',
      '.github/echelon.yml',
    ],
    [
      'a renaming away',
      'diff --git a/.github/workflows/ci.yml b/ci.yml\nsimilarity index 100%\nrename from .github/workflows/ci.yml\nrename to ci.yml\n',
      '.github/workflows/ci.yml',
    ],
    [
      'a renaming into',
      'diff --git a/a.txt b/.github/workflows/a.yml\nsimilarity index 100%\nrename from a.txt\nrename to .github/workflows/a.yml\n',
      '.github/workflows/a.yml',
    ],
    [
      'a copy into',
      'diff --git a/a.txt b/.github/workflows/a.yml\nsimilarity index 100%\ncopy from a.txt\ncopy to .github/workflows/a.yml\n',
      '.github/workflows/a.yml',
    ],
  ])('%s of a protected file', async (_name, patch, path) => {
    await refused(await handmade(patch), path, /is protected by/);
  });
});

/** Reason for refusing a change of the path, if a repository protects these too. */
const faultOf = async (path: string, own: string[] = []) =>
  (await nameFaults([path], { ...rules, protectedPaths: own }))[0]?.reason;

describe('what is protected where the repository says nothing', () => {
  const names = [
    ...['.github/workflows/ci.yml', '.github/actions/build/action.yml', '.github/echelon/roles/2ic.xml'],
    ...['.github/dependabot.yml', '.github/dependabot.yaml', 'CODEOWNERS', '.github/CODEOWNERS'],
    ...['docs/CODEOWNERS', '.husky/pre-commit', '.husky/_/husky.sh', '.githooks/post-checkout', '.husky'],
    ...['.devcontainer/devcontainer.json', '.devcontainer.json', '.vscode/tasks.json', '.lfsconfig'],
    ...['.claude/settings.json', 'web/.claude/settings.local.json', '.claude/hooks/a.sh', '.mcp.json'],
    ...['.cursor/mcp.json', '.cursor/rules/a.mdc', '.vscode/mcp.json', '.pre-commit-config.yaml', '.envrc'],
    ...['lefthook.yml', '.gitlab-ci.yml', '.circleci/config.yml', '.travis.yml', 'Jenkinsfile', '.drone.yml'],
    ...['azure-pipelines.yml', '.buildkite/pipeline.yml', 'bitbucket-pipelines.yml', 'appveyor.yml'],
    ...['.cirrus.yml', '.woodpecker/a.yml', '.gitea/workflows/a.yml', '.forgejo/workflows/a.yml'],
    ...[
      '.yarn/releases/yarn-4.cjs',
      '.yarn/plugins/a.cjs',
      '.pnpmfile.cjs',
      'gradle/wrapper/gradle-wrapper.jar',
    ],
    ...['.mvn/wrapper/maven-wrapper.jar', '.mvn/extensions.xml', '.appveyor.yml', 'app/.envrc'],
    ...['web/.vscode/tasks.json', '.tekton/pull.yaml', '.zuul.yaml', '.zuul.d/a.yaml', '.taskcluster.yml'],
    ...['codemagic.yaml', 'bitrise.yml', '.overcommit.yml', '.simple-git-hooks.json'],
  ];
  test.each(names.flatMap(name => [name, name.toUpperCase()]))('%s', async path => {
    expect(await faultOf(path)).toMatch(/^is protected by /);
  });

  const plain = ['.github/ISSUES.md', 'src/CODEOWNERS', 'docs/CODEOWNERS.md', 'src/.husky/pre-commit'];
  const told = [
    '.github/echelon/lessons/a.md',
    ...['AGENTS.md', 'a/CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md', '.cursorrules', '.claude/commands/a.md'],
    ...['.github/copilot-instructions.md', '.github/instructions/a.instructions.md', 'action.yml'],
    ...['.npmrc', 'web/.npmrc', '.yarnrc.yml', 'gradlew', 'gradle/wrapper/gradle-wrapper.properties'],
    ...['mvnw.cmd', '.gitattributes', 'docs/.gitattributes', 'a/.vscode/settings.json', '.cargo/config.toml'],
    ...[
      '.windsurf/hooks.json',
      '.clinerules/a.md',
      '.continue/config.yaml',
      '.zed/tasks.json',
      'opencode.json',
    ],
    ...['.github/hooks/a.json', '.github/settings.yml', 'renovate.json', '.mergify.yml', '.readthedocs.yaml'],
    ...[
      'netlify.toml',
      'OWNERS',
      '.pnp.cjs',
      'mise.toml',
      '.Rprofile',
      '.dir-locals.el',
      'gradle.properties',
    ],
  ];
  test.each([...plain, '.env', 'package.json', 'src/action.ts', 'wrapper.jar', ...told])(
    'not %s, which the pull request names where agents, builds or diffs read it',
    async path => {
      expect([await faultOf(path), isNamedToReviewers(path)]).toEqual([undefined, told.includes(path)]);
    },
  );

  test.each([
    ['one path more leaves the default as it is', ['migrations/**'], '.github/echelon.yml', true],
    ['a lesson is none', [], '.github/echelon/lessons/a.md', false],
    ['but where it says so', ['.github/**'], '.github/echelon/lessons/a.md', true],
    ['no program among lessons', [], '.github/echelon/lessons/a.md/b.xml', true],
    ['a path of its own', ['Migrations/**'], 'migrations/1.sql', true],
    ['one path less', ['!.github/workflows/docs.yml'], '.github/workflows/docs.yml', false],
    ['the others stay', ['!.github/workflows/docs.yml'], '.github/workflows/ci.yml', true],
    ['a folder less, in any case', ['!.HUSKY'], '.husky/pre-commit', false],
    ['its own beside an exception', ['!.husky/**', '.husky/_/**'], '.husky/_/h', true],
    ['an exception that cannot be read', ['!{a'], '.husky/pre-commit', true],
  ])('a repository’s list: %s', async (_name, own, path, is) => {
    expect((await faultOf(path, own)) !== undefined).toBe(is);
  });
});

describe('hostile content', () => {
  const submodule = `diff --git a/sub b/sub\nnew file mode 160000\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit ${'1'.repeat(40)}\n`;
  const link = (path: string, target: string) => adding(path, target, '120000');
  const encodings: [string, string][] = [
    ['as it is', secret],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64 after one byte', Buffer.from(`=${secret}!`).toString('base64')],
    ['base64 after two bytes', Buffer.from(`==${secret}!!`).toString('base64')],
    ['base64url', Buffer.from(`\xff${secret}`).toString('base64url')],
    ['hexadecimal', Buffer.from(secret).toString('hex')],
    ['HEXADECIMAL', Buffer.from(secret).toString('hex').toUpperCase()],
    ['URL-encoded', encodeURIComponent(secret)],
    ['fully URL-encoded', Buffer.from(secret).toString('hex').replace(/../g, '%$&')],
    ['a key of several lines', pem],
    ['a key as JSON', JSON.stringify({ pem })],
    ['one line of a key', `key = ${'REVG'.repeat(12)}`],
  ];
  const patches: [name: string, patch: string, path: string, reason: RegExp][] = [
    ['a submodule', submodule, 'sub', /is a submodule/],
    ['a link out of the tree', link('l', '../x'), 'l', /outside the tree/],
    ['an absolute link', link('l', '/etc/passwd'), 'l', /is absolute/],
    ['a link into .git', link('d/l', '../.git/config'), 'd/l', /"\.git"/],
    ['a link to settings', link('web/.claude', '../docs'), 'web/.claude', /protected by \*\*\/\.claude$/],
    ['a link to CI', link('.GitHub', 'docs'), '.GitHub', /protected by \.github$/],
    ['a link by a detour', link('l', 'src/../../x'), 'l', /part "\.\."/],
    ['a filter', adding('d/.gitattributes', '* filter=x'), 'd/.gitattributes', /sets a filter/],
    [
      'a macro that filters',
      adding('d/.gitattributes', '[attr]m -text filter=x'),
      'd/.gitattributes',
      /filter/,
    ],
    ['a filter in capitals', adding('d/.GITATTRIBUTES', '*\tfilter=x'), 'd/.GITATTRIBUTES', /sets a filter/],
    ['attributes by a short name', adding('GITATT~1', '* filter=x'), 'GITATT~1', /sets a filter/],
    ['a file too large', adding('big', 'x'.repeat((1 << 20) + 1)), 'big', /1048577 bytes; at most 1048576/],
    ...encodings.map(([name, text]): [string, string, string, RegExp] => [
      `a secret, ${name}`,
      adding('s.txt', `before ${text} after`),
      's.txt',
      /contains a secret$/,
    ]),
    ['a secret as the target of a link', link('l', encodeURIComponent(secret)), 'l', /contains a secret$/],
    [
      'too many files',
      Array.from({ length: 101 }, (_, n) => adding(`f${1000 + n}`)).join(''),
      'f1100',
      /one of 101 changed files/,
    ],
    ['no patch', 'hello\n', 'changes.patch', /cannot be applied/],
    [
      'a patch of something else',
      'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-zwei\n+x\n',
      'changes.patch',
      /cannot be applied: .*a\.txt/,
    ],
    ['an existing file added', adding('a.txt'), 'changes.patch', /a\.txt: already exists/],
    ['a file where a folder is', adding('src'), 'changes.patch', /cannot be applied/],
    ['a file through a file', adding('a.txt/b'), 'changes.patch', /cannot be applied/],
    ['a file through a link', link('l', 'src') + adding('l/b'), 'changes.patch', /cannot be applied/],
    [
      'an absolute path',
      '--- /dev/null\n+++ /etc/x\n@@ -0,0 +1 @@\n+x\n'.replace('+++ /', '+++ b//'),
      '/etc/x',
      /is absolute/,
    ],
    ['a bomb', bomb(1 << 30), 'changes.patch', /attempting to allocate \d+ over limit/],
    ['a bomb in a delta', bomb(1 << 30, 'delta'), 'changes.patch', /attempting to allocate \d+ over limit/],
    ['another tree than it says', adding('fine'), 'manifest.json', /names the tree 4b825dc/],
  ];
  test.each(patches)('%s', async (_name, patch, path, reason) => {
    await refused(await handmade(patch), path, reason);
  });
});

describe('hostile bundles', () => {
  const good = adding('fine');
  const manifests: [string, Parameters<typeof handmade>[1], RegExp][] = [
    ['an unknown key', { extra: 1 }, /Unrecognized key/],
    ['another version', { v: 2 }, /expected 1/],
    ['no tree', { tree: undefined }, /tree/],
    ['a tree that is an option', { tree: '--help' }, /not an object id/],
    ['a base that is a branch', { base: 'main' }, /not an object id/],
    ['another base', { base: oneTree }, /is for the commit 4b825dc/],
    ['a negative cost', { cost_usd: -1 }, /cost_usd/],
    ['tests without a tree', { tests: { command: 'x', exit_code: 0 } }, /tests\.tree/],
  ];
  test.each(manifests)('a manifest with %s', async (_name, manifest, reason) => {
    await refused(await handmade(good, manifest), 'manifest.json', reason);
  });

  test('a manifest that is not JSON, not UTF-8, too large, missing, or a link', async () => {
    const folder = await handmade(good);
    const place = join(folder, 'manifest.json');
    await writeFile(place, '{');
    await refused(folder, 'manifest.json', /not JSON/);
    await writeFile(place, Buffer.from([0xff]));
    await refused(folder, 'manifest.json', /not JSON/);
    await writeFile(place, ' '.repeat(70_000));
    await refused(folder, 'manifest.json', /70000 bytes/);
    const { rm } = await import('node:fs/promises');
    await rm(place);
    await refused(folder, 'manifest.json', /^not found$/);
    await symlink('/etc/passwd', place);
    await refused(folder, 'manifest.json', /is a symbolic link, which is not followed/);
    await rm(place);
    await mkdir(place);
    await refused(folder, 'manifest.json', /not a regular file/);
  });

  test('a patch that is too large', async () => {
    await refused(await handmade('x'.repeat((4 << 20) + 1)), 'changes.patch', /4194305 bytes/);
  });
});

/** A binary patch of a few lines that claims to be a file of `size` bytes. */
function bomb(size: number, kind: 'literal' | 'delta' = 'literal'): string {
  const varint = (n: number): number[] => (n < 128 ? [n] : [(n & 127) | 128, ...varint(Math.floor(n / 128))]);
  // A delta on the four bytes of a.txt: its size, the size it makes, and one copy; git takes memory before it looks.
  const body =
    kind === 'delta' ? Buffer.from([...varint(4), ...varint(size), 0x91, 0, 4]) : Buffer.alloc(1000);
  const packed = deflateSync(body).subarray(0, 52);
  const length = String.fromCharCode(packed.length <= 26 ? 64 + packed.length : 70 + packed.length);
  const line = `${length}${base85(packed)}`;
  const head = `diff --git a/a.txt b/a.txt\nindex ${'5626abf0f72e58d7a153368ba57db4c673c0e171'}..${'1'.repeat(40)} 100644\n`;
  return `${head}GIT binary patch\n${kind} ${kind === 'delta' ? body.length : size}\n${line}\n\n`;
}

function base85(data: Buffer): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
  let text = '';
  for (let at = 0; at < data.length; at += 4) {
    let word = 0;
    for (let n = 0; n < 4; n += 1) word = word * 256 + (data[at + n] ?? 0);
    let group = '';
    for (let n = 0; n < 5; n += 1, word = Math.floor(word / 85)) group = digits[word % 85]! + group;
    text += group;
  }
  return text;
}
