// Commands of a comment: the lines that count, their values, and the form of error messages.
import fc from '../../properties.ts';
import { describe, expect, test } from 'vitest';
import { unpackable } from '../../dialogue/script.ts';
import { parseCommands } from '../../../src/app/commands/parse.ts';
import { expectLinear } from '../../cpu-time.ts';

const read = (body: string) => parseCommands(body);
const said = (body: string) => read(body).commands.map(({ line, ...rest }) => rest);
const names = (body: string) =>
  read(body)
    .commands.map(({ name, line }) => `${name}@${line}`)
    .join(' ');

describe('what a command says', () => {
  test.each<[string, object]>([
    ['/approve', { name: 'approve', what: 'all' }],
    ['/echelon approve', { name: 'approve', what: 'all' }],
    ['/Echelon   Approve', { name: 'approve', what: 'all' }],
    ['/approve all', { name: 'approve', what: 'all' }],
    ['/approve a1 a3', { name: 'approve', what: { ids: ['a1', 'a3'] } }],
    ['/approve A1, a3,a1', { name: 'approve', what: { ids: ['a1', 'a3'] } }],
    ['/approve 0f3a9c1be2', { name: 'approve', what: { digest: '0f3a9c1be2' } }],
    ['/approve without 3', { name: 'approve', what: 'all', without: [3] }],
    ['/approve a1 Without 3, 5 3', { name: 'approve', what: { ids: ['a1'] }, without: [3, 5] }],
    ['/drop 3 5,3', { name: 'drop', places: [3, 5] }],
    ['/approve a123', { name: 'approve', what: { ids: ['a123'] } }],
    ['/reject', { name: 'reject', ids: [] }],
    ['/reject all', { name: 'reject', ids: [] }],
    ['/reject a2 too  wide', { name: 'reject', ids: ['a2'], reason: 'too  wide' }],
    ['/reject too wide', { name: 'reject', ids: [], reason: 'too wide' }],
    ['/redirect make it smaller', { name: 'redirect', text: 'make it smaller' }],
    ['/redirect @eng-lead make it smaller', { name: 'redirect', layer: 'eng-lead', text: 'make it smaller' }],
    ['/redirect @2IC x', { name: 'redirect', layer: '2ic', text: 'x' }],
    ['/answer Q1 yes, do', { name: 'answer', question: 'Q1', text: 'yes, do' }],
    ['/answer q12: 日本', { name: 'answer', question: 'Q12', text: '日本' }],
    ['/retry', { name: 'retry' }],
    ['/retry #12', { name: 'retry', issue: 12 }],
    ['/retry 12', { name: 'retry', issue: 12 }],
    ['/fix the empty list', { name: 'fix', text: 'the empty list' }],
    ['/budget +5', { name: 'budget', change: { add: 5 } }],
    ['/budget $30.50', { name: 'budget', change: { set: 30.5 } }],
    ['/budget 0', { name: 'budget', change: { set: 0 } }],
    ...(['pause', 'resume', 'cancel', 'status', 'plan', 'cost', 'help'] as const).map(
      name => [`/${name}`, { name }] as [string, object],
    ),
    ['  /status \t ', { name: 'status' }],
    ['\u00a0\u3000/status\u00a0', { name: 'status' }],
  ])('%j', (body, command) => expect(said(body)).toEqual([command]));
});

describe('which lines are read', () => {
  test.each<[string, string]>([
    ['/plan\n/cost', 'plan@1 cost@2'],
    ['/home/me\n/cost', 'cost@2'],
    ['Hello\r\n\r\n/plan\r\nthanks', 'plan@3'],
    ['a\r/plan', 'plan@2'],
    ['- a\n  /plan', 'plan@2'],
    ['1. a\n\n    /plan', 'plan@3'],
    ['> q\n\n/plan', 'plan@3'],
    ['```\nx\n```\n/plan', 'plan@4'],
    ['```\nx\n````\n/plan', 'plan@4'],
    ['<!-- x -->\n/plan', 'plan@2'],
    ['<!-- x\ny -->\n/plan', 'plan@3'],
    ['<!-->\n/plan', 'plan@2'],
    ['`<!--`\n/plan', 'plan@2'],
    ['`a\n\n/plan\n\nb`', 'plan@3'],
    ['`a` `b`\n/plan', 'plan@2'],
    ['a \\`\n/plan', 'plan@2'],
    ['- ```\n  x\n/plan', 'plan@3'],
    ['a\n# b `\n/plan', 'plan@3'],
    ['/plan\n---\nJo', 'plan@1'],
    ['Good:\n- a\n- b\n/plan', 'plan@4'],
    ['a  \n/plan', 'plan@2'],
    ['a <br>\n/plan', 'plan@2'],
    ['<p align="center">\na\n\n/plan', 'plan@4'],
    ['<details><summary>log</summary>\n\n```\n</x>\n```\n\n</details>\n\n/plan', 'plan@9'],
    ['<table><tr><td>a\n</table>\n\n/plan', 'plan@4'],
    ['a <kbd>x</kbd> b\n/plan', 'plan@2'],
    ['[^1]: a\n\n/plan', 'plan@3'],
    ['| a |\n|---|\n| b |\n\n/plan', 'plan@5'],
    ['/reject a1 **b** <i>c', 'reject@1'],
  ])('%j has %s', (body, expected) => expect(names(body)).toBe(expected));

  test.each([
    'a /plan',
    '> /plan',
    '>/plan',
    '   > /plan',
    '- /plan',
    '* /plan',
    '1. /plan',
    '`/plan`',
    '`a\n/plan\nb`',
    '``a ` b\n/plan\n``',
    '```\n/plan\n```',
    '```sh\n/plan\n``\n/plan\n```',
    '~~~\n/plan\n~~~',
    '````\n```\n/plan\n```\n````',
    '```\n/plan',
    '- ```\n  /plan\n  ```',
    '1. a\n   ```\n   /plan\n   ```',
    '    /plan',
    '\t/plan',
    '- a\n\n      /plan',
    '<!-- /plan -->',
    '<!--\n/plan\n-->',
    '<!--\n\n/plan\n\n-->',
    '<!--\n/plan',
    'a <!--\n/plan\n-->',
    'a <!--\n\n/plan\n\n-->',
    'a <!-- `\n/plan\n--> `',
    'a <!-- b\n/plan',
    'a <!-- b\n\n/plan',
    '> q\n/plan',
    '> - q\n/plan',
    '<details>\n/plan\n</details>',
    '<details>\n\n/plan\n\n</details>',
    '<details open\n\n>\n\n/plan',
    '<details><summary>s</summary>\n\n/plan',
    '<details title="</details>">\n\n/plan',
    '<details><b title="</details>\n\n/plan',
    '<b ="><details>">\n\n/plan',
    '<details><textarea></details>\n\n/plan',
    '<DETAILS>\n\n/plan\n\n</DETAILS>',
    'a <details>\n/plan\n</details>',
    '- <details>\n\n/plan',
    '<template>\n\n/plan\n\n</template>',
    '<div hidden>\n\n/plan\n\n</div>',
    '<div style="display:none">\n\n/plan\n\n</div>',
    'a <span hidden>\n/plan\n</span>',
    '<p hidden>\n/plan\n</p>',
    'a <p hidden>\n/plan',
    '<pre>\n\n/plan\n\n</pre>',
    '<code>\n\n/plan\n\n</code>',
    'a <code>\n/plan\n</code>',
    '<blockquote>\n\n/plan\n\n</blockquote>',
    '<table><tr><td>\n\n/plan\n\n</td></tr></table>',
    '[a](b "\n/plan\n")',
    '[a]: b "\n/plan\n"\n\n[a]',
    '[\n/plan\n](b)',
    '![\n/plan\n](b)',
    '**a\n/plan\nb**',
    '~~a\n/plan\nb~~',
    '[^1]: a\n/plan',
    'a [^1]\n\n[^1]: a\n\n    b\n/plan',
    '| a |\n|---|\n/plan',
    'a | b\n--|--\n/plan | c',
    '- a\n\n  - b\n\n          /plan',
    '1. a\n\n       /plan',
    '<?php\n/plan\n?>',
    '<!X\n/plan\n>',
    '<![CDATA[\n/plan\n]]>',
    '```\n/plan\n```\n\n&#47;\ue0001\ue001',
    '```\n/plan\n```\n\n&#47;&#xe000;1&#xe001;',
    '\ue0001\ue001/plan',
    '<pre>\n/plan\n</pre>',
    '<PRE>\n/plan',
    '//plan',
    '/ plan',
    '\\/plan',
    '/plan/x',
    '/planning',
    '/unknown word',
    '/home',
    '/lgtm',
    '/assign',
    '/hold',
    '/post',
    '/improve',
    '/usr/bin/env',
    '\u200b/plan',
    '／plan',
    '⁄plan',
    'a\u2028/plan',
    'a\u0085/plan',
    'a\v/plan',
    '/constructor',
    '/__proto__',
    '',
    '/',
    '\n\n',
  ])('%j has none', body => expect(read(body)).toEqual({ commands: [], problems: [] }));
});

test.each([
  [99, ['plan']],
  [101, []],
])('behind %i elements of HTML in each other, all ended: %j', (depth, found) => {
  const { commands } = parseCommands(`a ${'<b>'.repeat(depth)}${'</b>'.repeat(depth)}\n/plan`);
  expect(commands.map(({ name }) => name)).toEqual(found);
});

describe('problems', () => {
  test.each<[string, number, number, string, (string | undefined)?]>([
    ['/echelon aprove', 1, 10, '"aprove" is not a command', '/approve'],
    ['/echelon /stauts', 1, 10, '"/stauts" is not a command', '/status'],
    ['/echelon xyzzy', 1, 10, '"xyzzy" is not a command', undefined],
    ['/echelon constructor', 1, 10, '"constructor" is not a command', undefined],
    ['/echelon', 1, 9, 'a command is missing', undefined],
    ['/aprove', 1, 2, '"aprove" is not a command', '/approve'],
    ['/approved', 1, 2, '"approved" is not a command', '/approve'],
    ['/approve.', 1, 2, '"approve." is not a command', '/approve'],
    ['/Cancle now', 1, 2, '"Cancle" is not a command', '/cancel'],
    ['hello\n\n  /approve a1 b2', 3, 15, 'not the id of an action'],
    ['/approve everything', 1, 10, 'not the id of an action'],
    ['/approve 0f3a9c1', 1, 10, 'not the id of an action'],
    ['/redirect', 1, 10, 'say what should be done instead'],
    ['/redirect @eng-laed x', 1, 11, 'not a layer', '/redirect @eng-lead'],
    ['/redirect @2ic', 1, 15, 'say what should be done instead'],
    ['/answer yes', 1, 9, 'not the number of a question'],
    ['/answer Q1', 1, 11, 'the answer to Q1 is missing'],
    ['/answer', 1, 8, 'say which question'],
    ['/retry #x', 1, 8, 'not the number of one issue'],
    ['/retry #1 #2', 1, 8, 'not the number of one issue'],
    ['/fix', 1, 5, 'say what should be fixed'],
    ['/budget', 1, 8, 'an amount in USD is expected'],
    ['/budget -5', 1, 9, 'an amount in USD is expected'],
    ['/budget 1e9', 1, 9, 'an amount in USD is expected'],
    ['/budget NaN', 1, 9, 'an amount in USD is expected'],
    ['/budget 100000.01', 1, 9, 'more than 100000 USD'],
    ['/budget +0', 1, 9, 'adds nothing'],
    ['/pause now', 1, 8, '/pause takes nothing after it'],
  ])('%j', (body, line, column, message, near) => {
    const { commands, problems } = read(body);
    expect(commands).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ line, column });
    expect(problems[0]!.message).toContain(message);
    expect(problems[0]!.nearest).toBe(near);
  });
  test('a bare slip is told from one that is addressed: it may be meant for others', () => {
    expect(read('/aprove\n/echelon aprove').problems.map(({ bare }) => bare)).toEqual([true, undefined]);
  });
  test('the caret stands under the place', () => {
    expect(read('/approve a1 b2').problems[0]!.excerpt).toBe('/approve a1 b2\n            ^');
    const { column, excerpt } = read(`/approve ${'a1 '.repeat(100)}b2`).problems[0]!;
    expect(column).toBe(310);
    const [shown, caret] = excerpt.split('\n');
    expect(shown!.slice(caret!.length - 1)).toMatch(/^b2/);
    expect(excerpt.length).toBeLessThan(150);
  });
  test('commands and problems keep their lines', () => {
    const { commands, problems } = read('/status\n/budget x\n/echelon plan\n/echelon nope');
    expect(commands.map(({ line }) => line)).toEqual([1, 3]);
    expect(problems.map(({ line }) => line)).toEqual([2, 4]);
  });
});

describe('any body', () => {
  test('property: never throws; what is read is a line that begins with a slash', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), body => {
        const { commands } = read(body);
        const lines = body.split(/\r\n|\n|\r/);
        for (const { line } of commands) expect(lines[line - 1]!.trim()).toMatch(/^\//);
      }),
    );
  });
  test('property: nothing inside a closed fence is read', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('/plan', '~~~', '``', '> x', '<!--', '- a', '    ', 'x'), { maxLength: 8 }),
        inner => {
          expect(read(`\`\`\`\n${inner.join('\n')}\n\`\`\``).commands).toEqual([]);
        },
      ),
    );
  });
  test('a comment of 70,000 characters is read at once', () => {
    for (const unit of [
      '/plan\n',
      '`',
      '`` ` ',
      '<!-- ',
      '<!--',
      '- ',
      '> ',
      '/echelon x\n',
      ' ',
      '/',
      'a\n',
      '```\n',
      '<pre>\n',
      '-->',
      '- a\n  ',
      '[',
      '![](',
      '[a](<b',
      '*a _b ',
      '**a',
      '~~a ',
      '<a ',
      '<a b="',
      '<details>\n\n',
      '</b',
      '<b></i>',
      '[^1]: a\n',
      '| a ',
      'a|b\n-|-\n',
      '&#47;',
      '\\',
      '    ',
      '<!--x\n',
      'a <!--x\n',
    ])
      expectLinear(read, size => `/plan\n\n${unit.repeat(Math.ceil(size / unit.length))}\n/plan`, 65_000);
    expect(read(`${'x\n'.repeat(5000)}/plan`).commands).toEqual([{ name: 'plan', line: 5001 }]);
  });

  test('of a comment with more Markdown than is read nothing counts, and its first command is told so', () => {
    const { commands, problems } = read(`${'[x\n'.repeat(4000)}/approve\n/cancel`);
    expect(commands).toEqual([]);
    expect(problems).toMatchObject([{ line: 4001, excerpt: '/approve\n^' }]);
    expect(problems[0]?.message).toContain('write the command in a comment of its own');
    expect(read('[x\n'.repeat(4000))).toEqual({ commands: [], problems: [] });
    expect(read(`${'[x\n'.repeat(4000)}/home/me`)).toEqual({ commands: [], problems: [] });
    expect(read(`/answer Q1 ${'x'.repeat(64_000)}`).commands).toHaveLength(1);
    expect(read(`/redirect ${unpackable(40_000)}`).problems[0]?.message).toContain('too long for the record');
  });
});

test('what is no plain word is no slip: a path, a doubled slash, marks', () => {
  for (const line of ['//approve', '/approve/', '/ap/prove', '/.approve', '/a_pprove'])
    expect({ line, ...parseCommands(line) }).toEqual({ line, commands: [], problems: [] });
});
