import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Tool, ToolRefusal } from '../../../../src/engine/language/tool.ts';
import { type Checkout, createCheckout } from '../../../../packages/ground/workspace/checkout.ts';
import { readTools } from '../../../../src/engine/runtime/tools/change-tools.ts';
import { editTools, shellTool } from '../../../../src/engine/runtime/tools/checkout-tools.ts';
import { repository, writeFiles } from '../../../ground/workspace/fixture.ts';

let repo: Awaited<ReturnType<typeof repository>>;
let checkout: Checkout;
let count = 0;

const files = {
  'a.txt': 'one\ntwo\nthree\n',
  'src/x.ts': 'export const x = 1;\n',
  'src/deep/y.ts': 'export const y = 22;\n',
  'src/deep/y.test.js': 'test\n',
  '.github/ci.yml': 'on: push\n',
  '.gitignore': 'ignored/\n',
  'run.sh': { executable: 'echo hi\n' },
  'inside.link': { link: 'src/x.ts' },
  'folder.link': { link: 'src' },
};

beforeAll(async () => {
  repo = await repository(files);
});
afterAll(() => repo[Symbol.asyncDispose]());
beforeEach(async () => {
  const folder = join(repo.path, `c${(count += 1)}`);
  checkout = await createCheckout({ mirror: repo.mirror.path, commit: repo.base, folder });
});

const signal = new AbortController().signal;

async function call(tools: Tool[], name: string, input: unknown): Promise<string> {
  return await tools.find(tool => tool.name === name)!.run(input, signal);
}
const use = (name: string, input: unknown) => call(editTools(checkout), name, input);

/** The message with which the tool refuses; anything else fails. */
async function refusal(name: string, input: unknown): Promise<string> {
  const error = await use(name, input).then(
    answer => answer,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolRefusal);
  return error instanceof Error ? error.message : '';
}
const read = (path: string) => readFileSync(join(checkout.tree, path), 'utf8');

describe('reading and writing', () => {
  test('a file, and lines of it', async () => {
    expect(await use('read_file', { path: './a.txt' })).toBe('1\tone\n2\ttwo\n3\tthree\n');
    expect(await use('read_file', { path: 'a.txt', offset: 2, limit: 1 })).toBe(
      '2\ttwo\n[lines 2 to 2 of 3; go on with offset 3]',
    );
    expect(await use('read_file', { path: 'a.txt', offset: 3 })).toBe('3\tthree\n[lines 3 to 3 of 3]');
    expect(await refusal('read_file', { path: 'a.txt', offset: 9 })).toBe(
      'there are 3 lines, there is no line 9',
    );
    expect(await use('read_file', { path: 'inside.link' })).toContain('x = 1');
    expect(await use('read_file', { path: 'folder.link/deep/y.ts' })).toContain('y = 22');
  });

  test('a long answer is cut, with a note', async () => {
    await writeFiles(checkout.tree, { long: 'line\n'.repeat(20_000), wide: 'x'.repeat(90_000), empty: '' });
    expect(await use('read_file', { path: 'long' })).toMatch(
      /line\n\[lines 1 to 5110 of 20000; go on with offset 5111\]$/,
    );
    expect(await use('read_file', { path: 'wide' })).toMatch(
      /x\n\[line 1 has 90000 characters, the rest of it is left out\]$/,
    );
    expect(await use('read_file', { path: 'empty' })).toBe('');
  });

  test('what cannot be read is refused with the reason', async () => {
    await writeFiles(checkout.tree, { bin: 'a\0b', big: 'x'.repeat((1 << 20) + 1) });
    await writeFile(join(checkout.tree, 'latin1'), Buffer.from([0xe9, 0x20]));
    spawnSync('mkfifo', [join(checkout.tree, 'pipe')]);
    expect(await refusal('read_file', { path: 'nope' })).toBe('there is no file nope');
    expect(await refusal('read_file', { path: 'a.txt/b' })).toBe('there is no file a.txt/b');
    expect(await refusal('read_file', { path: 'src' })).toMatch('src is a folder; use list_files');
    expect(await refusal('read_file', { path: 'bin' })).toBe('bin is a binary file');
    expect(await refusal('read_file', { path: 'latin1' })).toBe('latin1 is not UTF-8 text');
    expect(await refusal('read_file', { path: 'big' })).toMatch(/1048577 bytes; at most 1048576/);
    expect(await refusal('read_file', { path: 'pipe' })).toBe('pipe is not a regular file');
    expect(await refusal('write_file', { path: 'pipe', content: 'x' })).toMatch(
      /pipe (is not a regular file|cannot be written)/,
    );
  });

  const ends = (text: string) => text.replaceAll('\n', '\r\n');
  test.each<{ what: string; text: string; old: string; by: string; after: string; line?: number }>([
    {
      what: 'lines as read_file shows them',
      text: ends('one\ntwo\nthree\n'),
      old: 'one\ntwo\n',
      by: 'eins\nzwei\ndrei\n',
      after: ends('eins\nzwei\ndrei\nthree\n'),
    },
    {
      what: 'one line, new text of two',
      text: ends('one\ntwo\n'),
      old: 'two',
      by: 'x\ny',
      after: ends('one\nx\ny\n'),
      line: 2,
    },
    {
      what: 'its own line ends',
      text: ends('a\nb\n'),
      old: ends('a\nb'),
      by: ends('c\nd'),
      after: ends('c\nd\n'),
    },
    {
      what: 'a file of both kinds, found as it stands',
      text: 'a\nb\nc\r\nd\r\n',
      old: 'a\nb',
      by: 'x\ny',
      after: 'x\ny\nc\r\nd\r\n',
    },
    {
      what: 'a file of both kinds, over lines of both',
      text: 'a\nb\r\nc\nd\n',
      old: 'a\nb\nc',
      by: 'x\ny',
      after: 'x\r\ny\nd\n',
    },
    { what: 'a file of \\n', text: 'a\nb\n', old: 'a', by: 'x\ny', after: 'x\ny\nb\n' },
  ])('edit_file on line ends: $what', async ({ text, old, by, after, line = 1 }) => {
    await writeFiles(checkout.tree, { 'crlf.txt': text });
    expect(await use('edit_file', { path: 'crlf.txt', old_text: old, new_text: by })).toBe(
      `edited crlf.txt at line ${line}`,
    );
    expect(read('crlf.txt')).toBe(after);
  });

  test.each<{ what: string; text: string; line: number; by: string; after: string }>([
    { what: 'at the start', text: 'a\nb\n', line: 0, by: 'x\n', after: 'x\na\nb\n' },
    { what: 'between', text: 'a\nb\n', line: 1, by: 'x\ny\n', after: 'a\nx\ny\nb\n' },
    { what: 'without a line end of its own', text: 'a\nb\n', line: 1, by: 'x', after: 'a\nx\nb\n' },
    { what: 'at the end', text: 'a\nb\n', line: 2, by: 'x\n', after: 'a\nb\nx\n' },
    { what: 'after a last line without end', text: 'a\nb', line: 2, by: 'x\n', after: 'a\nb\nx\n' },
    { what: 'into an empty file', text: '', line: 0, by: 'x\n', after: 'x\n' },
    { what: 'an empty line', text: 'a\n', line: 1, by: '', after: 'a\n\n' },
    { what: 'into \\r\\n', text: ends('a\nb\n'), line: 1, by: 'x\ny\n', after: ends('a\nx\ny\nb\n') },
  ])('edit_file with insert_line: $what', async ({ text, line, by, after }) => {
    await writeFiles(checkout.tree, { 'f.txt': text });
    expect(await use('edit_file', { path: 'f.txt', insert_line: line, new_text: by })).toBe(
      `edited f.txt at line ${line + 1}`,
    );
    expect(read('f.txt')).toBe(after);
  });

  test('an insertion has a line that is there, and no old text', async () => {
    const insert = (more: object) => refusal('edit_file', { path: 'a.txt', new_text: 'x', ...more });
    expect(await insert({ insert_line: 4 })).toBe('a.txt has 3 lines, there is no line 4 to insert after');
    for (const neither of [{}, { insert_line: 1, old_text: 'one' }])
      expect(await insert(neither)).toContain('give either old_text or insert_line');
    expect(read('a.txt')).toBe('one\ntwo\nthree\n');
  });

  test('edit_file on \\r\\n still wants the text once', async () => {
    await writeFiles(checkout.tree, { 'crlf.txt': ends('a\nb\na\nb\n') });
    const change = (old_text: string) => refusal('edit_file', { path: 'crlf.txt', old_text, new_text: 'x' });
    expect(await change('a\nb')).toContain('occurs more than once');
    expect(await change('a\nc')).toContain('does not occur');
  });

  test('a search for NUL is refused, in a checkout and in a commit', async () => {
    const says = 'search: the pattern holds a NUL character, which no text has';
    expect(await refusal('search', { pattern: 'a\0b' })).toBe(says);
    expect(await refusal('search', { pattern: 'a', path: 'a\0b' })).toMatch(/a\\?.*b/);
    await expect(call(readTools(repo.mirror, repo.base), 'search', { pattern: '\0' })).rejects.toThrow(says);
  });

  test('write, edit, delete', async () => {
    expect(await use('write_file', { path: 'new/deep/f.txt', content: 'ü$&' })).toBe(
      'wrote new/deep/f.txt (4 bytes)',
    );
    expect(read('new/deep/f.txt')).toBe('ü$&');
    await use('write_file', { path: 'run.sh', content: 'x' });
    expect([read('run.sh'), statSync(join(checkout.tree, 'run.sh')).mode & 0o777]).toEqual(['x', 0o755]);
    expect(await use('edit_file', { path: 'a.txt', old_text: 'two', new_text: '$& $1' })).toBe(
      'edited a.txt at line 2',
    );
    expect(read('a.txt')).toBe('one\n$& $1\nthree\n');
    await use('delete_file', { path: 'a.txt' });
    await use('delete_file', { path: 'inside.link' });
    expect(read('src/x.ts')).toContain('x = 1');
    expect(await use('list_files', {})).not.toMatch(/^(a\.txt|inside\.link)$/m);
    expect(await refusal('delete_file', { path: 'src' })).toMatch('src is a folder');
    expect(await refusal('delete_file', { path: 'a.txt' })).toBe('there is no file a.txt');
  });

  test('an edit must fit exactly once', async () => {
    expect(await refusal('edit_file', { path: 'a.txt', old_text: 'four', new_text: '' })).toMatch(
      'does not occur',
    );
    expect(await refusal('edit_file', { path: 'a.txt', old_text: 'e', new_text: '' })).toMatch(
      'more than once',
    );
    await writeFiles(checkout.tree, { 'b.txt': 'aaa' });
    expect(await refusal('edit_file', { path: 'b.txt', old_text: 'aa', new_text: '' })).toMatch(
      'more than once',
    );
    expect(await refusal('write_file', { path: 'b.txt', content: 'x'.repeat((1 << 20) + 1) })).toMatch(
      'more than 1048576 bytes',
    );
    expect(read('b.txt')).toBe('aaa');
    expect(await refusal('write_file', { path: 'a.txt/b', content: '' })).toMatch(/a part of it is a file/);
    expect(await refusal('write_file', { path: '.', content: '' })).toMatch(/root of the checkout/);
  });
});

describe('nothing leads out of the tree', () => {
  const escapes = [
    '../outside',
    '/etc/passwd',
    'src/../../outside',
    '.git/config',
    '.GIT/x',
    'git~1/x',
    'src/.git',
    'a\\b',
    'a\0b',
    '.g\u200cit/x',
  ];
  test.each(escapes)('%j', async path => {
    for (const name of ['read_file', 'delete_file'])
      expect(await refusal(name, { path })).toMatch(/give a path relative to the root/);
    expect(await refusal('write_file', { path, content: 'x' })).toMatch(/give a path relative/);
    expect(await refusal('edit_file', { path, old_text: 'a', new_text: 'b' })).toMatch(
      /give a path relative/,
    );
    for (const name of ['list_files', 'search'])
      expect(await refusal(name, { path, pattern: 'x' })).toMatch(/give a path relative/);
  });

  test('symbolic links', async () => {
    const outside = join(repo.path, 'outside');
    mkdirSync(outside, { recursive: true });
    await writeFile(join(outside, 'secret'), 'top secret');
    mkdirSync(join(checkout.tree, 'nested', '.git'), { recursive: true });
    await writeFile(join(checkout.tree, 'nested', '.git', 'config'), '[core]');
    const links: Record<string, string> = {
      absolute: join(outside, 'secret'),
      relative: '../../outside/secret',
      folder: outside,
      up: '..',
      chain: 'folder/secret',
      dangling: join(outside, 'not-yet'),
      loop: 'loop',
      'into-git': 'nested/.git',
      sibling: join('..', 'git'),
    };
    for (const [name, target] of Object.entries(links)) await symlink(target, join(checkout.tree, name));
    const paths = [
      'absolute',
      'relative',
      'folder/secret',
      'folder/new',
      'up/tree/a.txt',
      'up/x',
      'chain',
      'dangling',
      'loop',
      'into-git/config',
      'sibling/config',
    ];
    for (const path of paths) {
      expect(await refusal('read_file', { path })).toMatch(
        /is a symbolic link that leads out of the checkout or to nothing/,
      );
      expect(await refusal('write_file', { path, content: 'x' })).toMatch(
        /is a symbolic link that leads out/,
      );
    }
    expect(await refusal('delete_file', { path: 'folder/secret' })).toMatch(/leads out/);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('top secret');
    expect(await use('search', { pattern: 'top secret' })).toBe('no matches');
    expect(await use('list_files', { path: 'folder' })).not.toMatch('secret');
    await use('delete_file', { path: 'folder' });
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('top secret');
  });
});

describe.each(['checkout', 'commit'])('list_files and search on a %s', where => {
  const ask = (name: string, input: unknown) =>
    call(where === 'checkout' ? editTools(checkout) : readTools(repo.mirror, repo.base), name, input);

  test('lists, by folder and glob', async () => {
    const all = [
      '.github/ci.yml',
      '.gitignore',
      'a.txt',
      'folder.link',
      'inside.link',
      'run.sh',
      'src/deep/y.test.js',
      'src/deep/y.ts',
      'src/x.ts',
    ];
    expect((await ask('list_files', {})).split('\n')).toEqual(all);
    expect(await ask('list_files', { path: 'src/deep/' })).toBe('src/deep/y.test.js\nsrc/deep/y.ts');
    expect(await ask('list_files', { path: '.', pattern: '*.ts' })).toBe('src/deep/y.ts\nsrc/x.ts');
    expect(await ask('list_files', { pattern: 'src/**/*.{js,ts}' })).toBe(
      'src/deep/y.test.js\nsrc/deep/y.ts\nsrc/x.ts',
    );
    expect(await ask('list_files', { path: 'src', pattern: 'deep/*.ts' })).toBe('src/deep/y.ts');
    expect(await ask('list_files', { path: 'nope' })).toBe('no files');
  });

  test('searches with a regular expression', async () => {
    expect(await ask('search', { pattern: 'const \\w+ = \\d' })).toBe(
      'src/deep/y.ts:1: export const y = 22;\nsrc/x.ts:1: export const x = 1;',
    );
    expect(await ask('search', { pattern: 't(wo|hree)$', path: 'a.txt' })).toBe(
      'a.txt:2: two\na.txt:3: three',
    );
    expect(await ask('search', { pattern: '--help' })).toBe('no matches');
    await expect(ask('search', { pattern: '(' })).rejects.toThrow(ToolRefusal);
  });

  test('reads', async () => {
    expect(await ask('read_file', { path: 'a.txt', offset: 2, limit: 1 })).toContain('two\n');
    await expect(ask('read_file', { path: 'nope' })).rejects.toThrow('there is no file nope');
    await expect(ask('read_file', { path: '../a.txt' })).rejects.toThrow(ToolRefusal);
  });
});

test('list_files and search see new files, and neither deleted nor ignored ones', async () => {
  await writeFiles(checkout.tree, {
    'new.txt': 'needle',
    'ignored/x': 'needle',
    'node_modules/m.js': 'needle',
    'a.txt': null,
  });
  const list = (await use('list_files', {})).split('\n');
  expect(list).toContain('new.txt');
  expect(list.filter(path => /ignored\/|node_modules|a\.txt/.test(path))).toEqual([]);
  expect(await use('search', { pattern: 'needle' })).toBe('new.txt:1: needle');
});

test('patterns made to hang do not', async () => {
  const started = Date.now();
  await writeFiles(checkout.tree, { trap: `${'a'.repeat(5000)}!\n`, [`${'a'.repeat(200)}`]: '' });
  await use('search', { pattern: '^(a+)+$' }).catch(error => expect(error).toBeInstanceOf(ToolRefusal));
  await use('search', { pattern: '(a|aa)+(a|aa)+(a|aa)+$\\b!x' }).catch(error =>
    expect(error).toBeInstanceOf(ToolRefusal),
  );
  expect(await use('list_files', { pattern: `${'*a'.repeat(20)}*b` })).toBe('no files');
  expect(await refusal('list_files', { pattern: '{a' })).toMatch(/cannot be matched; it may hold/);
  expect(Date.now() - started).toBeLessThan(13_000);
});

test('long results are cut, with a note', async () => {
  await mkdir(join(checkout.tree, 'many'));
  await writeFiles(checkout.tree, { 'many.txt': `${'match '.repeat(200)}\n`.repeat(500) });
  const answer = await use('search', { pattern: 'match' });
  expect(answer.length).toBeLessThan(50_200);
  expect(answer).toMatch(
    /many\.txt:1: (match )+(mat)?.*\[\.\.\.\]\n[\s\S]*\[\d+ or more matches are left out; ask for less\]$/,
  );
});

test('shell answers how it ended and its outputs, bounded and without colours', async () => {
  const base = { stdout: '', stderr: '', timed_out: false, truncated: false, duration_ms: 2000 };
  const seen: unknown[] = [];
  const answers = [
    { ...base, exit_code: 1, stdout: '\x1b[1;32mout\x1b[0m\n', stderr: 'err\n' },
    { ...base, exit_code: null, end: 'stopped at a limit', stdout: 'x'.repeat(60_000) },
  ];
  const tool = shellTool(async (...given) => {
    seen.push(given);
    return answers[seen.length - 1]!;
  });
  expect(await tool.run({ command: 'make', timeout_s: 1.5 }, signal)).toBe(
    'exit code 1\nstdout:\nout\n\nstderr:\nerr\n',
  );
  const more = 'ask for up to 600 s with timeout_s';
  expect(seen[0]).toEqual(['make', { ms: 1500, more }, signal]);
  expect(await tool.run({ command: 'make' }, signal)).toMatch(
    /^stopped at a limit\nstdout:\nx+\n\[\.\.\. 35000 characters are left out here/,
  );
  expect(seen[1]).toEqual(['make', { ms: 120_000, more }, signal]);
});
