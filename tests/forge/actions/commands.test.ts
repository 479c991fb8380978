// Messages of a step to its runner: the files of GITHUB_ENV and the like, and commands in its output, as on GitHub.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readCommandFiles } from '../../../packages/forge/runner/file-commands.ts';
import { commandReader } from '../../../packages/forge/runner/log-commands.ts';
import { lines } from '../../../packages/forge/runner/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'commands-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Outputs that the runner reads from a file. */
async function outputsIn(text: string) {
  const file = join(folder, 'output');
  writeFileSync(file, text);
  const { output, faults } = await readCommandFiles({ GITHUB_OUTPUT: file });
  return { output, faults };
}

describe('files', () => {
  test.each<[text: string, pairs: [string, string][]]>([
    [
      'a=1\nb=2\n',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a=1', [['a', '1']]],
    ['a=b=c\n', [['a', 'b=c']]],
    [
      'a=\n\nb= x \n',
      [
        ['a', ''],
        ['b', ' x '],
      ],
    ],
    ['a=x<<EOF\n', [['a', 'x<<EOF']]],
    [
      'a<<EOF\none\ntwo\nEOF\nb=1\n',
      [
        ['a', 'one\ntwo'],
        ['b', '1'],
      ],
    ],
    ['a<<EOF\nEOF\n', [['a', '']]],
    ['a<<EOF\n\nEOF\n', [['a', '']]],
    ['a<<EOF\nb=1\nEOF', [['a', 'b=1']]],
    ['a<<=\nx\n=\n', [['a', 'x']]],
    ['', []],
  ])('%j is read', async (text, output) => {
    expect(await outputsIn(text)).toEqual({ output, faults: [] });
  });

  test.each<[text: string, reason: string]>([
    ['just text\n', "Invalid format 'just text'"],
    ['=value\n', "Invalid format '=value'. Name must not be empty"],
    ['<<EOF\nx\nEOF\n', 'Name must not be empty'],
    ['a<<\nx\n', 'delimiter must not be empty'],
    ['a<<EOF\nx\n', "Matching delimiter not found 'EOF'"],
    ['a<<EOF\nx\n EOF\n', "Matching delimiter not found 'EOF'"],
  ])('%j is refused', async (text, reason) => {
    expect((await outputsIn(text)).faults).toEqual([expect.stringContaining(reason)]);
  });

  test('what stands before a wrong line counts', async () => {
    expect((await outputsIn('a=1\nwrong\nb=2\n')).output).toEqual([['a', '1']]);
  });
});

/** Effects of the commands in these lines. */
function read(...output: string[]) {
  const log: string[] = [];
  const masks: string[] = [];
  const outputs: Record<string, string> = {};
  const saved: Record<string, string> = {};
  const faults: string[] = [];
  const reader = commandReader({
    write: line => log.push(line),
    addMask: value => masks.push(value),
    setOutput: (name, value) => (outputs[name] = value),
    saveState: (name, value) => (saved[name] = value),
    fail: message => faults.push(message),
  });
  for (const line of output) reader(line);
  return { log, masks, outputs, saved, faults };
}

describe('commands', () => {
  test.each([
    ['::error file=a%2Cb.js,line=3,endLine=4,col=5,title=Bad%3A one::100%25%0Asure', '##[error]100%\nsure'],
    ['::warning::w', '##[warning]w'],
    ['  ::notice::n', '##[notice]n'],
    ['::ERROR::e', '##[error]e'],
    ['text before ##[error]e', '##[error]e'],
    ['##[warning file=a.js;line=1]w', '##[warning]w'],
  ])('%s stands out in the log, its signs decoded', (line, written) => {
    expect(read(line).log).toEqual([written]);
  });

  test.each(['text ::error::e', '::error e', '::unknown::x', ':: error::e', '##[unknown]x', 'a::b'])(
    '%s is a line like any other',
    line => {
      expect(read(line)).toMatchObject({ log: [line], faults: [] });
    },
  );

  test('a mask is not written', () => {
    expect(read('::add-mask::s3cret%0Avalue')).toMatchObject({ masks: ['s3cret\nvalue'], log: [] });
  });

  test('groups and debugging lines', () => {
    expect(read('::group::One', 'in it', '::endgroup::', '::debug::d').log).toEqual([
      '##[group]One',
      'in it',
      '##[endgroup]',
      '##[debug]d',
    ]);
  });

  test('the older commands still set outputs and state, and no variables', () => {
    const { outputs, saved, faults } = read(
      '::set-output name=a::1',
      '::save-state name=b::2',
      '::set-env name=c::3',
      '::add-path::/x',
      '::set-output::4',
    );
    expect([outputs, saved, faults.length]).toEqual([{ a: '1' }, { b: '2' }, 3]);
  });

  test('while commands are stopped they are text, until the token', () => {
    const { masks, log } = read(
      '::stop-commands::t0ken-t0ken',
      '::add-mask::x',
      '##[error]x',
      '::stop-commands::other',
      '::other::',
      '::t0ken-t0ken::',
      '::notice::again',
    );
    expect(masks).toEqual(['t0ken-t0ken']);
    expect(log.slice(1, 4)).toEqual(['::add-mask::x', '##[error]x', '::stop-commands::other']);
    expect(log.at(-1)).toBe('##[notice]again');
  });

  test.each(['', 'error', 'add-mask', 'pause-logging'])(
    'commands cannot be stopped with the token "%s"',
    token => {
      const { faults, log } = read(`::stop-commands::${token}`, '::error::still read');
      expect([faults.length, log]).toEqual([1, ['##[error]still read']]);
    },
  );
});

describe('lines', () => {
  const cut = (...chunks: string[]) => {
    const seen: string[] = [];
    const reader = lines(line => seen.push(line));
    for (const chunk of chunks) reader.add(Buffer.from(chunk, 'latin1'));
    reader.end();
    return seen;
  };
  test.each<[chunks: string[], seen: string[]]>([
    [['a\nb'], ['a', 'b']],
    [['a\r\nb\rc\n'], ['a', 'b', 'c']],
    [
      ['a\r', '\nb'],
      ['a', 'b'],
    ],
    [
      ['a\r', 'b'],
      ['a', 'b'],
    ],
    [
      ['a', 'b', '\n', '\n'],
      ['ab', ''],
    ],
    [['\xc3', '\xa4\n'], ['ä']],
    [[], []],
  ])('%j', (chunks, seen) => {
    expect(cut(...chunks)).toEqual(seen);
  });

  test('no part of a line that is too long passes for a line', () => {
    const [first = '', ...rest] = cut('x'.repeat(128 * 1024), '::error::e'.repeat(1000), '\nnext\n');
    expect([first.length, first.includes(':'), rest]).toEqual([128 * 1024, false, ['next']]);
  });
});
