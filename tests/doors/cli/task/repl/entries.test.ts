// Entries of `echelon task repl` that are piped in: what is defined, run, worked out, bound and refused.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { costing } from '../../../../dialogue/script.ts';
import { taskFolder } from '../fixture.ts';
import { piped } from './sitting.ts';

const replies = [
  { for: 'draft', times: 9, text: '{"content": "A text.", "outputs": {"files": 4}}' },
  { for: 'names', times: 9, text: '["Ada", "Bo"]' },
  { for: '*', times: 99, text: 'done' },
];
const draft =
  '<task name="draft"><description>Write.</description><output name="files" type="number"/></task>';
const ask = (what: string) => `<task><description>${what}</description></task>`;
const translate =
  '<task type="function" name="translate"><parameters><parameter name="words"/></parameters>' +
  '<body><description>Into Welsh: {{words}}</description></body></task>';

/** Entries, and what the last of them shows. */
test.each<[what: string, entries: string[], last: string]>([
  ['a task is run', [ask('Go.')], 'done'],
  ['its outputs are shown', [draft], 'A text.\nfiles: 4'],
  [
    'a result is bound to its name with its type',
    [draft, 'draft.files + 0 > 3'],
    'entry 2:1:13 unexpected "+": there is no arithmetic here',
  ],
  ['an output is a number', [draft, 'draft.files > 3'], 'true'],
  ['a placeholder is the same', [draft, '{{draft.files}}'], '4'],
  [
    'a list has elements',
    ['names = <task><description>Who?</description></task>', 'fromJSON(names)[1]'],
    'Bo',
  ],
  ['the last result is it', [ask('Go.'), "it == 'done'"], 'true'],
  ['as in a test, output is the step before', [draft, 'output.files'], '4'],
  ['a value is bound', ['n = 3', 'n == 3'], 'true'],
  [':let is the same', [':let n = 3', 'n'], '3'],
  [
    'a value is read by a task',
    ["who = 'Ada'", '<task name="greet"><description>Greet {{who}}.</description></task>', ':context'],
    `prompt of greet, to claude-sonnet-5-5:\n  | Greet Ada.\nThe next session sees its own text with what that reads; in reach are: who, it, greet.\nBesides it is shown no files.`,
  ],
  ['a function is defined', [translate], 'translate is defined'],
  ['and called', [translate, '<call ref="translate"><arg name="words">hi</arg></call>', 'it'], 'done'],
  [
    'with its own argument',
    [translate, '<call ref="translate"><arg name="word">hi</arg></call>'],
    'entry 2:1:1 the call of "translate" misses the argument "words"\nentry 2:1:23 "translate" has no parameter "word"; did you mean "words"?: it takes words',
  ],
  [
    'a function sees what was bound when it was defined',
    [
      "x = 'old'",
      '<task type="function" name="f"><body><description>{{x}}</description></body></task>',
      "x = 'new'",
      '<call ref="f"/>',
      ':context',
    ],
    'prompt of standard, to claude-sonnet-5-5:\n  | old\nThe next session sees its own text with what that reads; in reach are: f, x, it.\nBesides it is shown no files.',
  ],
  [
    'a parameter that is declared is what is bound',
    [
      "who = 'Bo'",
      '<task name="g"><inputs><input name="who"/></inputs><description>{{who}}</description></task>',
      ':cost',
    ],
    'g: 1 model call, 2 tokens, $0.0000\nall: 1 model call, 2 tokens, $0.0000; $5.0000 of $5 are left',
  ],
  [
    'a free name that nothing binds is missing',
    [ask('On {{topic}}.')],
    'the input topic is missing (entry 1:1:23 reads it)',
  ],
  [
    'an unknown name is told with the nearest',
    [draft, 'draff.files'],
    'entry 2:1:1 nothing binds "draff"; did you mean "draft"?',
  ],
  [
    'so is an unknown field',
    [draft, 'draft.filez'],
    'entry 2:1:1 "draft" has no field "filez"; did you mean "files"?',
  ],
  [
    'a comparison that cannot be true',
    [draft, "draft.files == 'many'"],
    expect.stringMatching(/^entry 2:1:1 "==" can never be true here/) as unknown as string,
  ],
  [
    'what does not check is not run',
    ['<task name="draft"><descripton>Write.</descripton></task>', ':cost'],
    'all: 0 model calls, 0 tokens, $0.0000; $5.0000 of $5 are left',
  ],
  [
    'a function has its own name',
    [`f = ${translate}`],
    'entry 1:1:1 a function is bound to its own name: leave "f =" out',
  ],
  [
    'a task has one name',
    [`other = ${draft}`],
    'entry 1:1:1 the task is named "draft" already: leave "other =" out',
  ],
  [
    'a script needs the right to run',
    ['<task type="script" name="ls"><command>ls</command></task>'],
    'entry 1:1:1 the script ls runs a command: that needs --allow-scripts',
  ],
  [
    'also within a function',
    [
      '<task type="function" name="f"><body><task type="script" name="ls"><command>ls</command></task></body></task>',
    ],
    'entry 1:1:38 the script ls runs a command: that needs --allow-scripts',
  ],
  [
    'names and what they are',
    [draft, translate, 'n = 1', ':bindings'],
    'it: object  {"content":"A text.","files":4}\ndraft: object  {"content":"A text.","files":4}\ntranslate: function(words)\nn: number  1',
  ],
  [':show of a value', [draft, ':show draft'], '{\n  "content": "A text.",\n  "files": 4\n}'],
  [':show of what nothing binds', [draft, ':show draff'], 'nothing binds "draff"; did you mean "draft"?'],
  [':forget', ['n = 1', ':forget n', 'n'], 'entry 3:1:1 nothing binds "n"'],
  [':undo takes back a value', ['n = 1', 'n = 2', ':undo', 'n'], '1'],
  [
    ':undo twice, and what is left to take back',
    ['n = 1', 'n = 2', ':undo', ':undo', ':undo'],
    'there is nothing to take back',
  ],
  [':undo of :forget', ['n = 1', ':forget n', ':undo', 'n'], '1'],
  ['a command that is none', [':bindngs'], 'unknown command :bindngs; did you mean :bindings?'],
  ['a command that is like none', [':xyz'], 'unknown command :xyz; :help lists them'],
  ['a command without what it needs', [':show'], 'write :show name'],
  [
    'a model that is none',
    [':model opus-99'],
    expect.stringMatching(/^unknown model opus-99/) as unknown as string,
  ],
  ['nothing behind :quit is read', [':quit', 'nonsense'], ''],
])('%s', async (_what, entries, last) => {
  const { texts } = await piped(entries.join('\n'), { replies });
  expect(texts.at(-1)).toEqual(last);
});

test('S-expressions are entered as XML is, shown as they were entered, and saved as the file is named', async () => {
  using folder = await taskFolder();
  const f =
    '(task shout :type function\n  (parameters (parameter w))\n  (body (task (description "SHOUT {{w}}"))))';
  const { texts } = await piped(
    [
      '; it shouts',
      f,
      `word = (task (description "A word."))`,
      '(word) == (word)',
      '(call :ref shout (arg w :from word))',
      ':show shout',
      `:save ${folder.at('out.task')}`,
      `:save ${folder.at('out.xml')}`,
      '(task (descriptin "x"))',
    ].join('\n'),
    { replies },
  );
  expect(texts[0]).toBe('shout is defined');
  expect(texts[2]).toBe('true');
  expect(texts[3]).toBe('done');
  expect(texts[4]).toMatch(/^; it shouts\n\(task shout :type function/);
  expect(readFileSync(folder.at('out.task'), 'utf8')).toMatch(/^\(task out :type sequential\n {2}\(steps\n/);
  expect(readFileSync(folder.at('out.xml'), 'utf8')).toMatch(
    /^<task type="sequential" name="out">\n {2}<steps>\n/,
  );
  expect(texts.at(-1)).toMatch(/^entry 8:1:7 /);
});

test('a model is chosen for tasks that name none', async () => {
  const { texts } = await piped(`:model claude-opus-5\n${ask('Go.')}\n:context`, { replies });
  expect(texts[0]).toBe('claude-opus-5');
  expect(texts[2]).toMatch(/^prompt of standard, to claude-opus-5:/);
});

test('one entry that fails makes the whole fail, and those behind it are carried out', async () => {
  const { isGood, outcomes } = await piped(`nonsense here\n${draft}`, { replies });
  expect(isGood).toBe(false);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['problems', 'result']);
});

test('a task that ends as FAILED is bound to nothing', async () => {
  const failing = [{ for: 'draft', text: '{"status": "FAILED", "content": "I cannot."}' }];
  const { isGood, texts } = await piped(`${ask('x').replace('<task', '<task name="draft"')}\n:bindings`, {
    replies: failing,
  });
  expect(isGood).toBe(false);
  expect(texts).toEqual(['I cannot.\nthe program ended as FAILED', 'nothing is bound yet']);
});

test('one budget for all entries, and told when it is used up', async () => {
  const { texts } = await piped([ask('1'), ask('2'), ask('3'), ':cost'].join('\n'), {
    replies: [costing({ for: '*', times: 9, text: 'done' }, 0.6)],
    budget: 1,
  });
  expect(texts[2]).toContain('the budget of $1 is used up ($1.20); give more with --budget');
  expect(texts[3]).toBe(
    'standard: 2 model calls, 40 tokens, $1.2000\nall: 2 model calls, 40 tokens, $1.2000; $0.0000 of $1 are left',
  );
});

test('a warning is told before the entry runs', async () => {
  const { told } = await piped(
    `topics = 'x'\n${ask('{{topics}}').replace('<task>', '<task subtype="odd">')}`,
    { replies },
  );
  expect(told).toEqual([expect.stringMatching(/^entry 2:1:\d+ warning: .*"odd"/)]);
});

test('of many entries the last hundred are taken back', async () => {
  const lines = [
    ...Array.from({ length: 103 }, (_, n) => `n = ${n}`),
    ...Array.from({ length: 101 }, () => ':undo'),
    'n',
  ];
  const { texts } = await piped(lines.join('\n'));
  expect(texts.slice(-3)).toEqual(['n: as before', 'there is nothing to take back', '2']);
});

describe('with --json', () => {
  test('each entry says what came of it, exactly', async () => {
    const escaped = [{ for: 'draft', text: '{"content": "\\u001b[31mred", "outputs": {"files": 4}}' }];
    const { json } = await piped(`${draft}\ndraft.files\n${translate}\ndraft.nope`, { replies: escaped });
    expect(json).toMatchObject([
      {
        ok: true,
        kind: 'result',
        names: ['draft'],
        result: { content: '\u001b[31mred', outputs: { files: 4 } },
      },
      { ok: true, kind: 'value', value: 4 },
      { ok: true, kind: 'defined', name: 'translate' },
      { ok: false, kind: 'problems', problems: [{ file: 'entry 4', line: 1, column: 1 }] },
    ]);
  });
});

describe('hostile input', () => {
  test.each([
    ['a line of 5 MB', 'x'.repeat(5_000_000), 5_000_040],
    ['a hundred thousand lines', `\n${'a line of text\n'.repeat(100_000)}`, 1_500_041],
  ])('an entry of %s is refused, and the next one is read', async (_what, text, length) => {
    const { texts } = await piped(`<task><description>${text}</description></task>\n1 == 1`);
    expect(texts).toEqual([`the entry has ${length} characters; at most 1048576 are read`, 'true']);
  });

  test('what is wrong in an entry does not end it: none of its lines is run by itself', async () => {
    const steps = ['if x < 3', 'then 4'].map(what => `<task><description>${what}</description></task>`);
    const { texts } = await piped(
      ['<task type="sequential"><steps>', ...steps, '</stepps></task>', ':cost'].join('\n'),
    );
    expect(texts).toHaveLength(2);
    expect(texts[1]).toMatch(/^all: 0 model calls/);
  });

  test('one that never closes says so at the end', async () => {
    const { isGood, texts } = await piped('1 == 1\n<task>\n<description>\n');
    expect(isGood).toBe(false);
    expect(texts[1]).toMatch(/^entry 2:1:1 <task> is not closed\nentry 2:2:1 <description> is not closed/);
  });

  test('NULs are refused with their place', async () => {
    const { texts } = await piped(`\0\n<task><description>a\0b</description></task>`);
    expect(texts[0]).toMatch(/^entry 1:1:1 /);
    expect(texts[1]).toBe('entry 2:1:21 a character that XML does not allow');
  });

  test('bytes that are no text end it, wherever a chunk is cut', async () => {
    await expect(piped([Buffer.from([0x31, 0xc3]), Buffer.from([0x28, 0x0a])])).rejects.toThrow('not UTF-8');
    const { texts } = await piped([Buffer.from([0x27, 0xc3]), Buffer.from([0xa9, 0x27])]);
    expect(texts).toEqual(['é']);
  });
});
