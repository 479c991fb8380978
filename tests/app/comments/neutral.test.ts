// Posted texts of others mean the same to people and nothing to programs.
import fc from '../../properties.ts';
import { describe, expect, test } from 'vitest';
import { clip, codeSpan, fenced, neutral } from '../../../src/app/comments/neutral.ts';
import { parseCommands } from '../../../src/app/commands/parse.ts';
import { inlineCode, markdownLines } from '../../../packages/ground/lib/markdown.ts';
import { commandLike, others } from './hostile.ts';
import { quoteForModel } from '../../../src/engine/language/quote.ts';
import { cpuNow } from '../../cpu-time.ts';

/** As GitHub's runner and other bots read lines: white space trimmed, every kind of line end. */
function dangers(text: string): string[] {
  const found: string[] = [];
  const { commands, problems } = parseCommands(text);
  if (commands.length + problems.length > 0) found.push('command');
  for (const line of text.split(/\r\n|[\n\r\v\f\x85\u2028\u2029]/)) {
    if (/^\s*\/[a-z][\w-]*(\s|$)/i.test(line)) found.push('bot command');
    if (line.trim().startsWith('::')) found.push('::');
  }
  if (text.includes('##[')) found.push('##[');
  if (text.includes('<!--')) found.push('<!--');
  if (
    /\b(close[sd]?|fix(e[sd])?|resolve[sd]?)\b[:\s*_\\([]{1,9}(#\d|gh-\d|[\w.-]+\/[\w.-]+#\d|https:)/i.test(
      text,
    )
  )
    found.push('closing word');
  const { lines, open } = markdownLines(text);
  if (open) found.push('open fence');
  for (const line of lines) {
    if (line.kind === 'fenced' && line.outermost) continue;
    let prose = line.text;
    const { spans } = inlineCode(prose);
    // A span with a pipe may be two cells of a table.
    for (const [from, to] of spans.toReversed())
      if (!prose.slice(from, to).includes('|'))
        prose = `${prose.slice(0, from)}${'`'.repeat(to - from)}${prose.slice(to)}`;
    if (/(^|[^a-z0-9])@[a-z0-9]/i.test(prose)) found.push('mention');
    if (/<[a-z/!?]/i.test(prose)) found.push('tag');
    if (/(?<!https):\/\/|https:\/\/(?!(docs\.)?github\.com([/?#\s)>\]"']|\.?$|\.\s))|www\./i.test(prose))
      found.push('link');
    // Code within a target cannot make it lead elsewhere.
    if (/\]\(\s*<?(?!https:\/\/(docs\.)?github\.com([/?#)\s>]|$))(\/\/|[^\s)>/`]*[:\\&])/i.test(prose))
      found.push('target');
    if (/\]:/.test(prose)) found.push('definition');
  }
  return found;
}

describe('neutral', () => {
  test.each(others)('%j is harmless', text => {
    const out = neutral(text);
    expect(dangers(out)).toEqual([]);
    expect(neutral(out)).toBe(out);
  });
  test(`${commandLike.length} texts with commands are harmless`, () => {
    for (const text of commandLike) {
      const out = neutral(text);
      expect({ text, dangers: dangers(out), again: neutral(out) }).toEqual({ text, dangers: [], again: out });
    }
  });

  test.each([
    'Plain prose, with `code` and **bold**.',
    '# Title\n\n- one\n- two\n\n1. three',
    '```ts\nconst a: Array<string> = [@dec, "https://x.example"]; // a\n```',
    '- item\n\n  ```sh\n  ls -l\n  ```\n\nafter',
    'See [the file](src/a.ts#L3) and https://github.com/o/r/pull/3 and #12.',
    '| a | b |\n|---|---|\n| `x` | 1 < 2 && 3 |',
    'mail ann@example.com, 5 / 3, // no, a:b, x::y',
    '```\n/usr/bin/env node\n```',
    'The prefix is fixed in 3 places; closes soon.',
    '👩‍👩‍👧 ❤️ é',
  ])('%j stays as it is', text => expect(neutral(text)).toBe(text));

  test('code stays readable, and an open fence is closed', () => {
    expect(neutral('```\n@a <b> https://x.example\n')).toBe('```\n@a <b> https://x.example\n\n```');
    expect(neutral('- ```\n  a')).toBe('- ```\n  a\n  ```');
  });
  test('a lone backtick is escaped', () => expect(neutral('a ` b')).toBe('a \\` b'));
  test('terminal colours and control characters go', () => {
    expect(neutral('\x1b[1;31mred\x1b[0m\x00 \u202eb\u{e0041}')).toBe('red b');
  });

  const nasty = fc.array(
    fc.oneof(
      fc.constantFrom(
        '/',
        '/approve',
        '/echelon x',
        '`',
        '``',
        '```',
        '~~~',
        '\n',
        '\r',
        '\r\n',
        ' ',
        '    ',
        '\t',
        '>',
        '- ',
        '1. ',
        '<!--',
        '-->',
        '<pre>',
        '</pre>',
        '@',
        'a',
        '\\',
        '|',
        '#',
        '##[',
        '::',
        ':',
        ']',
        '[',
        '](',
        ')',
        '!',
        '&',
        ';',
        'https://',
        'www.',
        'github.com',
        'Closes',
        ' #3',
        '\u200b',
        '\u2028',
        '\x1b[',
        'm',
        '\u00a0',
        '\ufeff',
        '\u{e0041}',
        '\ud800',
        '=',
        '---',
        '<',
        '.',
      ),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 30 },
  );
  test('property: harmless and idempotent for any text', () => {
    fc.assert(
      fc.property(nasty, parts => {
        const out = neutral(parts.join(''));
        expect(dangers(out)).toEqual([]);
        expect(neutral(out)).toBe(out);
      }),
      { numRuns: 4_000 },
    );
  });
  test('property: fenced is one block that holds the text, and harmless', () => {
    fc.assert(
      fc.property(nasty, parts => {
        const out = fenced(parts.join(''));
        expect(dangers(out)).toEqual([]);
        expect(neutral(out)).toBe(out);
        const { lines } = markdownLines(`${out}\nafter`);
        expect(lines.map(line => line.kind)).toEqual([...lines.slice(1).map(() => 'fenced'), 'text']);
      }),
      { numRuns: 1_500 },
    );
  });
  test('fenced takes a fence longer than what is inside', () => {
    expect(fenced('a')).toBe('```\na\n```');
    expect(fenced('a ```` b\n')).toBe('`````\na ```` b\n`````');
  });
  test('property: clip keeps the limit and stays harmless', () => {
    fc.assert(
      fc.property(nasty, fc.integer({ min: 200, max: 400 }), (parts, max) => {
        const out = clip(neutral(parts.join('').repeat(20)), max);
        expect(out.length).toBeLessThanOrEqual(max);
        expect(dangers(out)).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });
  test('clip leaves no link to a host that the cut has made', () => {
    const text = ' https://github.com'.repeat(20);
    for (let max = 200; max < 220; max += 1) expect(dangers(clip(neutral(text), max))).toEqual([]);
  });
  test('a code span has marks that its line does not have', () => {
    expect(codeSpan('a`b')).toBe('``a`b``');
    expect(codeSpan('a`b``c')).toBe('```a`b``c```');
  });
  test('clip', () => {
    expect(clip('short', 200)).toBe('short');
    expect(clip('x'.repeat(200), 200)).toBe('x'.repeat(200));
    const lines = 'a line of text\n'.repeat(100);
    const out = clip(lines, 300);
    expect(out).toMatch(/^(a line of text\n)+\n\((\d+) characters left out\)$/);
    const left = Number(/\((\d+)/.exec(out)![1]);
    expect(out.replace(/\n\n\(.*$/, '').length + left).toBe(lines.length);
    expect(clip(`\`\`\`\n${lines}`, 300)).toMatch(/\n```\n\n\(\d+ characters left out\)$/);
    expect(clip('🎉'.repeat(40_000), 65_536).isWellFormed()).toBe(true);
    expect(() => clip('a', 10)).toThrow('no room');
  });
  test('long hostile texts take linear time', () => {
    const started = cpuNow();
    for (const unit of [
      '`',
      '` ``',
      '<!--',
      '@a',
      '](',
      '](a',
      '[](',
      '- ',
      '> ',
      '::',
      '/a\n',
      ' ',
      '\n',
      '&a',
      ':',
      'https://',
      'fix-.',
      'close ',
      '\\',
      '```\n',
      '- a\n  ',
      '\x1b[',
      '[a](  ',
    ])
      for (const text of [
        unit.repeat(Math.ceil(70_000 / unit.length)),
        `\n${unit.repeat(Math.ceil(70_000 / unit.length))}x`,
      ]) {
        const from = cpuNow();
        clip(neutral(text), 65_536);
        fenced(text);
        quoteForModel(text);
        parseCommands(text);
        expect({ unit, slow: cpuNow() - from > 1_500 }).toEqual({ unit, slow: false });
      }
    expect(cpuNow() - started).toBeLessThan(15_000);
  });
});

describe('quoteForModel', () => {
  test.each<[string, string, number]>([
    ['plain', 'plain', 0],
    ['a <!-- hidden --> b', 'a   b', 15],
    ['a\n<!-- never closed\nx', 'a\n ', 19],
    ['a <!-- literal', 'a <!-- literal', 0],
    ['a <!-- literal\n<!-- gone', 'a <!-- literal\n ', 9],
    ['<!<!-- x -->-- y -->', '<! -- y -->', 10],
    ['a\u200bb\u00adc\u202ed', 'abcd', 3],
    ['<!\u200b-- x -->', ' ', 11],
    [`a${String.fromCodePoint(...[...'ignore'].map(c => 0xe0000 + c.charCodeAt(0)))}b`, 'ab', 6],
    ['a\ufe0fb\u{e0101}', 'ab', 2],
    ['<!-->x-->', ' x-->', 5],
    ['line\r\n\ttab', 'line\r\n\ttab', 0],
  ])('%j', (text, seen, stripped) => expect(quoteForModel(text)).toEqual({ text: seen, stripped }));
});
