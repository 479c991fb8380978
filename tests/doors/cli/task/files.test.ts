// Files and folders that a call of `echelon task` names: which are found, which are refused, and where output goes.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Ran, runCli } from '../run-cli.ts';
import { greeting, greets, taskFolder } from './fixture.ts';

const task = (cwd: string, ...args: string[]) => runCli(['task', ...args], { cwd });
const program = '<task><description>Say hello.</description></task>';
const broken = '<task name="bad"><steps/></task>';

describe('check of a folder', () => {
  test.each<{ what: string; files: Record<string, string>; folder: string; says: RegExp | '' }>([
    {
      what: 'the root of a repository',
      files: { 'p.xml': program, '.github/echelon/bad.xml': broken },
      folder: '.',
      says: /^\.github\/echelon\/bad\.xml:1:\d+ (?!warning)/,
    },
    {
      what: 'a folder that holds templates of a dot folder only',
      files: { 'repo/.github/echelon/bad.xml': broken },
      folder: 'repo',
      says: /^repo\/\.github\/echelon\/bad\.xml:1:\d+ (?!warning)/,
    },
    {
      what: 'templates that cannot be loaded together',
      files: {
        '.github/echelon/a.xml': '<task name="x"><description>a</description></task>',
        '.github/echelon/b.xml': '<task name="x"><description>b</description></task>',
      },
      folder: '.',
      says: /^\.github\/echelon\/b\.xml:1:7 a second task "x"; the first is in \.github\/echelon\/a\.xml\n$/,
    },
    {
      what: 'a template without a name',
      files: { '.github/echelon/a.xml': program },
      folder: '.github',
      says: /^\.github\/echelon\/a\.xml:1:1 a template needs a name/,
    },
    {
      what: 'what git and npm keep',
      files: { 'p.xml': program, '.git/x.xml': broken, 'a/node_modules/m/x.xml': broken },
      folder: '.',
      says: '',
    },
  ])('$what', async ({ files, folder, says }) => {
    using work = await taskFolder(files);
    const ran = await task(work.path, 'check', folder);
    expect(ran.code, ran.stdout).toBe(says === '' ? 0 : 1);
    if (says === '') expect(ran.stdout).toBe('');
    else expect(ran.stdout).toMatch(says);
    // Each problem once.
    const lines = ran.stdout.split('\n');
    expect(new Set(lines).size).toBe(lines.length);
  });
});

test.each([
  ['a pipe that nobody writes to', 'pipe', /^pipe:1:1 /],
  ['a device without an end', '/dev/zero', /^\/dev\/zero:1:1 has more than 16777216 bytes/],
])('check ends at %s', async (_what, file, says) => {
  using work = await taskFolder();
  execFileSync('mkfifo', [work.at('pipe')]);
  const ran = await task(work.path, 'check', file);
  expect(ran).toMatchObject({ code: 1, stdout: expect.stringMatching(says) });
});

test('check refuses the models that a run would refuse', async () => {
  const asks = (what: string) => `<task><description>Hi.</description>${what}</task>`;
  using work = await taskFolder({
    'p.xml': asks('<model>claude-3-sonnet</model>'),
    'q.xml': asks('<model>own</model>'),
    '.github/echelon.yml': 'models: {own: claude-opus-5-5}\n',
  });
  const ran = await task(work.path, 'check', 'p.xml', 'q.xml');
  expect(ran).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^p\.xml:1:1 the model of standard: unknown model claude-3-sonnet.*\n$/),
  });
});

describe('a file that is not UTF-8', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1');

  test.each<{ what: string; bytes: Buffer; place: string; byte: string }>([
    { what: 'Latin-1', bytes: latin(`<task>\n  café</task>`), place: '2:6', byte: 'byte 12 (0xe9)' },
    {
      what: 'cut in a character',
      bytes: Buffer.from('<task>€').subarray(0, 8),
      place: '1:7',
      byte: 'byte 6 (0xe2)',
    },
    {
      what: 'behind a U+FFFD of its own',
      bytes: Buffer.concat([Buffer.from('�'), Buffer.from([0xef, 0xbf, 0x20])]),
      place: '1:2',
      byte: 'byte 3 (0xef)',
    },
    {
      what: 'UTF-16',
      bytes: Buffer.from('\ufeff<task/>', 'utf16le'),
      place: '1:1',
      byte: 'byte 0 (0xff)',
    },
  ])('$what: check says where', async ({ bytes, place, byte }) => {
    using folder = await taskFolder();
    writeFileSync(folder.at('p.xml'), bytes);
    const ran = await task(folder.path, 'check', 'p.xml');
    expect(ran).toMatchObject({ code: 1, stderr: '' });
    expect(ran.stdout).toBe(`p.xml:${place} is not UTF-8 text (${byte}); save it as UTF-8\n`);
  });

  test.each<{ what: string; args: string[] }>([
    { what: 'the program', args: ['run', 'bad', '--script', 's.json'] },
    { what: 'an input', args: ['run', 'p.xml', '--input', 'who=@bad', '--script', 's.json'] },
    { what: 'the script', args: ['run', 'p.xml', '--input', 'who=Ada', '--script', 'bad'] },
  ])('is refused as $what', async ({ args }) => {
    using folder = await taskFolder({ 'p.xml': greeting, 's.json': greets });
    writeFileSync(folder.at('bad'), latin('abc\xe9'));
    const ran = await task(folder.path, ...args);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('bad: is not UTF-8 text (byte 3 (0xe9)); save it as UTF-8');
  });

  test.each(['.github/echelon/x.xml', '.github/echelon.yml'])('is refused as %s', async name => {
    using folder = await taskFolder({ 'p.xml': greeting, 's.json': greets });
    mkdirSync(folder.at('.github/echelon'), { recursive: true });
    writeFileSync(folder.at(name), latin('<a>é'));
    const ran = await task(folder.path, 'run', 'p.xml', '--input', 'who=Ada', '--script', 's.json');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(`${name} is not UTF-8 text (byte 3 (0xe9)); save it as UTF-8`);
  });

  test('among templates is an error of the check, with the others', async () => {
    using folder = await taskFolder({ '.github/echelon/bad.xml': broken });
    writeFileSync(folder.at('.github/echelon/x.xml'), latin('<a>é'));
    const ran = await task(folder.path, 'check', '.');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('.github/echelon/bad.xml:1:');
    expect(ran.stdout).toContain('.github/echelon/x.xml:1:4 is not UTF-8 text (byte 3 (0xe9))');
    expect(ran.stdout).not.toContain('warning');
  });
});

describe('what is not there is a wrong call', () => {
  test.each<{ args: string[]; says: string }>([
    { args: ['check', 'gone.xml'], says: 'gone.xml: not found' },
    { args: ['check', 'p.xml', 'gone/p.xml'], says: 'gone/p.xml: not found' },
    { args: ['check', ''], says: 'the name of a file or folder is empty' },
    { args: ['index', 'gone'], says: 'gone: there is no such folder' },
    { args: ['index', 'p.xml'], says: 'p.xml: is no folder; name a folder' },
    { args: ['index', ''], says: 'name the folder to index' },
    { args: ['run', 'p.xml', '--script', ''], says: '--script needs a value: file' },
    { args: ['run', 'p.xml', '--script', '.'], says: '--script .: is a folder; name a file' },
    { args: ['run', 'p.xml', '--script', 's.json', '--folder', ''], says: '--folder needs a value: folder' },
    { args: ['run', 'p.xml', '--script', 's.json', '--journal='], says: '--journal needs a value: file' },
    { args: ['js', 'gone.js'], says: 'gone.js: not found' },
  ])('$args', async ({ args, says }) => {
    using folder = await taskFolder({ 'p.xml': program, 's.json': greets });
    const ran: Ran = await task(folder.path, ...args);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(says);
    const json = await task(folder.path, ...args, '--json');
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout).problems.join('\n')).toContain(says);
  });
});

test.skipIf(process.getuid?.() === 0)('a folder that cannot be read is told', async () => {
  using folder = await taskFolder({ 'p/a.xml': program, 'p/closed/b.xml': broken });
  chmodSync(folder.at('p/closed'), 0);
  const ran = await task(folder.path, 'check', 'p');
  chmodSync(folder.at('p/closed'), 0o700);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('p/closed: cannot be read (EACCES)');
});
