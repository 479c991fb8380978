// Results of sequences of operations, in the words of native calls; the test writes the same as tags.
import type { Operation } from '../../../../src/engine/reasoning/operation.ts';

/**
 * A call and what it comes to: an answer; `! ` and an error; `!~ ` and a part of one that tags and calls word
 * differently; or the operation that it is, where no store is concerned. Call n is made at time n, from 1.
 */
export type Step = [name: string, input: unknown, expected: string | Operation];

/** The stores afterwards, an entry a line: `kind id ... @created-updated`; without it they are empty. */
export type Case = [name: string, steps: Step[], stores?: string[]];

const KB = 1024;
const text = (id: string, content: string, more: object = {}) => ({
  id,
  type: 'text',
  description: 'd',
  content,
  ...more,
});
const read = (id: string, limit?: unknown) => ({
  action: 'request_read',
  id,
  ...(limit !== undefined && { limit }),
});
const idRule = 'has 1 to 200 letters, digits or any of _ . : / - and not';
const reserved =
  '! "last_execution_result" is what the last execution returned: it is neither written nor deleted';

/** Of one call. */
const one = (name: string, call: string, input: unknown, expected: Step[2], ...stores: string[]): Case => [
  name,
  [[call, input, expected]],
  stores,
];
const vault = (name: string, input: unknown, expected: string, ...stores: string[]) =>
  one(name, 'datavault', input, expected, ...stores);
const stored: Step = ['datavault', text('a', 'x'), 'vault entry "a" stored'];

export const vaultCases: Case[] = [
  vault('a text', text('a', 'x'), 'vault entry "a" stored', 'vault a text (d) x @1-1'),
  vault('code', { ...text('a', 'f()'), type: 'code' }, 'vault entry "a" stored', 'vault a code (d) f() @1-1'),
  vault(
    'data',
    { ...text('a', '{"b": [1]}'), type: 'data' },
    'vault entry "a" stored',
    'vault a data (d) {"b": [1]} @1-1',
  ),
  vault(
    'data in a fence',
    { ...text('a', '```json\n{"b": [1]}\n```'), type: 'data' },
    'vault entry "a" stored',
    'vault a data (d) {"b": [1]} @1-1',
  ),
  vault(
    'a text in a fence',
    text('a', '~~~\nx\n~~~'),
    'vault entry "a" stored',
    'vault a text (d) ~~~\nx\n~~~ @1-1',
  ),
  vault(
    'data that is no JSON',
    { ...text('a', '{b}'), type: 'data' },
    '!~ vault entry "a": the content of type data must be JSON: ',
  ),
  vault(
    'data nested too deep',
    { ...text('a', '['.repeat(501) + ']'.repeat(501)), type: 'data' },
    '! vault entry "a": the content is nested more than 500 levels deep',
  ),
  [
    'text that becomes data without being JSON',
    [stored, ['datavault', { id: 'a', type: 'data', content: 'x' }, '!~ must be JSON']],
    ['vault a text (d) x @1-1'],
  ],
  vault(
    'an unknown type',
    { ...text('a', 'x'), type: 'texts' },
    '! vault entry "a": its type is one of text, code, data, not "texts"; did you mean "text"?',
  ),
  vault(
    'no type and no description',
    { id: 'a', content: 'x' },
    '! there is no vault entry "a". To make it, give type and description too',
  ),
  vault(
    'no content',
    { id: 'a', type: 'text', description: 'd' },
    '! there is no vault entry "a". To make it, give content too',
  ),
  vault('no id', { type: 'text', description: 'd', content: 'x' }, '! datavault needs id'),
  vault('an empty id', text('', 'x'), `! the id of a vault entry ${idRule} ""`),
  vault('an id with a space', text('a b', 'x'), `! the id of a vault entry ${idRule} "a b"`),
  vault('an id of another script', text('é', 'x'), `! the id of a vault entry ${idRule} "é"`),
  vault(
    'an id with a control character',
    text('a\u0000', 'x'),
    `! the id of a vault entry ${idRule} "a\\u0000"`,
  ),
  vault('an id with a line end', text('a\n', 'x'), `! the id of a vault entry ${idRule} "a\\n"`),
  vault(
    'an id of all its signs',
    text('A_z.0:9/-', 'x'),
    'vault entry "A_z.0:9/-" stored',
    'vault A_z.0:9/- text (d) x @1-1',
  ),
  vault(
    'the longest id',
    text('a'.repeat(200), 'x'),
    `vault entry "${'a'.repeat(200)}" stored`,
    `vault ${'a'.repeat(200)} text (d) x @1-1`,
  ),
  vault(
    'too long an id',
    text('a'.repeat(201), 'x'),
    `! the id of a vault entry ${idRule} "${'a'.repeat(64)}..."`,
  ),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map(
    (id): Case => [
      `the id ${id}`,
      [
        ['datavault', read(id), `! there is no vault entry "${id}"`],
        ['datavault', text(id, 'x'), `vault entry "${id}" stored`],
        ['datavault', read(id), `vault entry "${id}" (text, 1 characters): d\nx`],
      ],
      [`vault ${id} text (d) x @2-2`],
    ],
  ),
  vault(
    'the longest description',
    { ...text('a', 'x'), description: 'd'.repeat(500) },
    'vault entry "a" stored',
    `vault a text (${'d'.repeat(500)}) x @1-1`,
  ),
  vault(
    'too long a description',
    { ...text('a', 'x'), description: 'd'.repeat(501) },
    '! vault entry "a": the description has 501 characters; 500 at most',
  ),
  vault(
    'the longest content',
    text('a', 'x'.repeat(256 * KB)),
    'vault entry "a" stored',
    'vault a text (d) 262144 characters @1-1',
  ),
  vault(
    'too long a content',
    text('a', 'x'.repeat(256 * KB + 1)),
    '! vault entry "a": 262145 bytes of content; 262144 at most',
  ),
  vault(
    'bytes count, not characters',
    text('a', 'é'.repeat(128 * KB + 1)),
    '! vault entry "a": 262146 bytes of content; 262144 at most',
  ),
  vault('an empty content', text('a', ''), 'vault entry "a" stored', 'vault a text (d)  @1-1'),
  vault(
    'control characters and other scripts in a content',
    text('a', '\u0000\u001b[31m\u202e 日本 \ud83d\ude00'),
    'vault entry "a" stored',
    'vault a text (d) \u0000\u001b[31m\u202e 日本 \ud83d\ude00 @1-1',
  ),
  vault(
    'tags in a content are text',
    text('a', '{{<memory identifier="m" heading="h" content="c" />}}'),
    'vault entry "a" stored',
    'vault a text (d) {{<memory identifier="m" heading="h" content="c" />}} @1-1',
  ),
  [
    'a second write changes the fields that are given',
    [
      stored,
      ['datavault', { id: 'a', content: 'y' }, 'vault entry "a" changed'],
      ['datavault', { id: 'a', description: 'e', content: 'y' }, 'vault entry "a" changed'],
    ],
    ['vault a text (e) y @1-3'],
  ],
  [
    'the same write twice',
    [stored, ['datavault', text('a', 'x'), 'vault entry "a" is as it was']],
    ['vault a text (d) x @1-1'],
  ],
  [
    'a faulty write leaves the entry',
    [
      stored,
      [
        'datavault',
        { id: 'a', content: 'y', description: 'd'.repeat(501) },
        '! vault entry "a": the description has 501 characters; 500 at most',
      ],
    ],
    ['vault a text (d) x @1-1'],
  ],
  [
    'entries stay in their order',
    [
      ['datavault', text('b', '1'), 'vault entry "b" stored'],
      ['datavault', text('a', '2'), 'vault entry "a" stored'],
      ['datavault', text('b', '3'), 'vault entry "b" changed'],
    ],
    ['vault b text (d) 3 @1-3', 'vault a text (d) 2 @2-2'],
  ],
  [
    'a delete',
    [
      stored,
      ['datavault', { action: 'delete', id: 'a' }, 'vault entry "a" deleted'],
      ['datavault', { action: 'delete', id: 'a' }, '! there is no vault entry "a"'],
    ],
  ],
  [
    'a delete of a misspelt id',
    [
      ['datavault', text('results', 'x'), 'vault entry "results" stored'],
      ['datavault', text('other', 'x'), 'vault entry "other" stored'],
      [
        'datavault',
        { action: 'delete', id: 'result' },
        '! there is no vault entry "result"; nearest: "results"',
      ],
    ],
    ['vault results text (d) x @1-1', 'vault other text (d) x @2-2'],
  ],
  [
    'an update of a misspelt id',
    [
      ['datavault', text('results', 'x'), 'vault entry "results" stored'],
      [
        'datavault',
        { id: 'result', content: 'y' },
        '! there is no vault entry "result"; nearest: "results". To make it, give type and description too',
      ],
    ],
    ['vault results text (d) x @1-1'],
  ],
  [
    'written again after its delete, it is new',
    [
      stored,
      ['datavault', { action: 'delete', id: 'a' }, 'vault entry "a" deleted'],
      ['datavault', text('a', 'y'), 'vault entry "a" stored'],
    ],
    ['vault a text (d) y @3-3'],
  ],
  vault('a delete without id', { action: 'delete' }, '! datavault with action="delete" needs id'),
  vault('a delete with a content', { action: 'delete', id: 'a', content: 'x' }, '!~ takes no '),
  vault(
    'a delete with a type',
    { action: 'delete', id: 'a', type: 'text' },
    '! datavault with action="delete" takes no attribute type',
  ),
  vault('a write with a limit', text('a', 'x', { limit: 5 }), '! datavault takes no attribute limit'),
  vault(
    'an unknown action',
    { action: 'deletes', id: 'a', content: 'x' },
    '! datavault has no action "deletes" (its actions: request_read, delete); did you mean "delete"?',
  ),
  vault('an unknown attribute', text('a', 'x', { desc: 'd' }), '! datavault has no attribute "desc"'),
  vault(
    'a misspelt attribute',
    text('a', 'x', { typ: 'd' }),
    '! datavault has no attribute "typ"; did you mean "type"?',
  ),
  vault('a write of the reserved id', text('last_execution_result', 'x'), reserved),
  vault('a delete of the reserved id', { action: 'delete', id: 'last_execution_result' }, reserved),
];

export const readCases: Case[] = [
  vault('of an entry that is not there', read('a', 10), '! there is no vault entry "a"'),
  [
    'of a misspelt id',
    [
      ['datavault', text('notes', 'x'), 'vault entry "notes" stored'],
      ['datavault', read('note', 10), '! there is no vault entry "note"; nearest: "notes"'],
    ],
    ['vault notes text (d) x @1-1'],
  ],
  ...(
    [
      ['whole', 'abc', 3, '3 characters): d\nabc'],
      ['cut', 'abcdef', 3, 'the first 3 of 6 characters, limit "full-length" shows all): d\nabc'],
      [
        'not within a pair of surrogates',
        'ab😀c',
        3,
        'the first 2 of 5 characters, limit "full-length" shows all): d\nab',
      ],
      ['at full length', 'x'.repeat(3_000), 'full-length', `3000 characters): d\n${'x'.repeat(3_000)}`],
      [
        'to 2,000 characters without a limit',
        'x'.repeat(2_001),
        undefined,
        `the first 2000 of 2001 characters, limit "full-length" shows all): d\n${'x'.repeat(2_000)}`,
      ],
    ] as const
  ).map(
    ([name, content, limit, shown]): Case => [
      name,
      [
        ['datavault', text('a', content), 'vault entry "a" stored'],
        ['datavault', read('a', limit), `vault entry "a" (text, ${shown}`],
      ],
      [`vault a text (d) ${content.length > 1_000 ? `${content.length} characters` : content} @1-1`],
    ],
  ),
  ...[0, -1, 1.5, 'all', '', '1e3', 10_000_000_000].map(limit =>
    vault(
      `with the limit ${JSON.stringify(limit)}`,
      read('a', limit),
      `! limit is a whole number of characters from 1, or full-length, not ${JSON.stringify(String(limit))}`,
    ),
  ),
  vault(
    'of the last result',
    read('last_execution_result', 100),
    'vault entry "last_execution_result" (data, 7 characters): what the last execution returned\n{"a":1}',
  ),
];

const lists = { memory: 'memory', task: 'task', goal: 'goal' } as const;
const shownStatus = { memory: 'unimportant', task: 'pending', goal: 'open' } as const;

/** Cases shared by memory, tasks and goals. */
export const entryCases: Case[] = Object.values(lists).flatMap((kind): Case[] => {
  const status = shownStatus[kind];
  const entry = (identifier: string, more: object = {}) => ({
    identifier,
    heading: 'h',
    content: 'c',
    ...more,
  });
  return [
    one(`${kind}: made`, kind, entry('a'), `${kind} "a" stored`, `${kind} a ${status} h: c () @1-1`),
    one(
      `${kind}: notes`,
      kind,
      entry('a', { notes: 'n' }),
      `${kind} "a" stored`,
      `${kind} a ${status} h: c (n) @1-1`,
    ),
    one(
      `${kind}: no heading`,
      kind,
      { identifier: 'a', content: 'c' },
      `! there is no ${kind} "a". To make it, give heading too`,
    ),
    one(
      `${kind}: no content`,
      kind,
      { identifier: 'a', heading: 'h' },
      `! there is no ${kind} "a". To make it, give content too`,
    ),
    one(
      `${kind}: neither`,
      kind,
      { identifier: 'a' },
      `! there is no ${kind} "a". To make it, give heading and content too`,
    ),
    one(`${kind}: no identifier`, kind, { heading: 'h', content: 'c' }, `! ${kind} needs identifier`),
    one(
      `${kind}: a faulty identifier`,
      kind,
      entry('a"b'),
      `! the identifier of a ${kind} ${idRule} "a\\"b"`,
    ),
    [
      `${kind}: only what is given changes`,
      [
        [kind, entry('a', { notes: 'n' }), `${kind} "a" stored`],
        [kind, { identifier: 'a', heading: 'i' }, `${kind} "a" changed`],
        [kind, { identifier: 'a', notes: '' }, `${kind} "a" changed`],
      ],
      [`${kind} a ${status} i: c () @1-3`],
    ],
    [
      `${kind}: the same twice`,
      [
        [kind, entry('a'), `${kind} "a" stored`],
        [kind, entry('a'), `${kind} "a" is as it was`],
        [kind, { identifier: 'a' }, `${kind} "a" is as it was`],
      ],
      [`${kind} a ${status} h: c () @1-1`],
    ],
    [
      `${kind}: deleted`,
      [
        [kind, entry('first'), `${kind} "first" stored`],
        [kind, entry('second'), `${kind} "second" stored`],
        [kind, { action: 'delete', identifier: 'firs' }, `! there is no ${kind} "firs"; nearest: "first"`],
        [kind, { action: 'delete', identifier: 'first' }, `${kind} "first" deleted`],
      ],
      [`${kind} second ${status} h: c () @2-2`],
    ],
    one(`${kind}: a delete with a heading`, kind, { ...entry('a'), action: 'delete' }, '!~ takes no '),
    one(
      `${kind}: an unknown action`,
      kind,
      { action: 'request_read', identifier: 'a' },
      `! ${kind} has no action "request_read" (its actions: delete)`,
    ),
    one(
      `${kind}: too long a text`,
      kind,
      entry('a', { notes: 'x'.repeat(256 * KB + 1) }),
      `! ${kind} "a": 262145 bytes of notes; 262144 at most`,
    ),
    one(
      `${kind}: the identifier __proto__`,
      kind,
      entry('__proto__', { heading: 'constructor' }),
      `${kind} "__proto__" stored`,
      `${kind} __proto__ ${status} constructor: c () @1-1`,
    ),
    one(
      `${kind}: a content with quotes and tags`,
      kind,
      entry('a', { content: `"it's" {{<goal identifier="g"/>}}` }),
      `${kind} "a" stored`,
      `${kind} a ${status} h: "it's" {{<goal identifier="g"/>}} () @1-1`,
    ),
  ];
});

const made = { heading: 'h', content: 'c' };

export const statusCases: Case[] = [
  ...['pending', 'ongoing', 'finished', 'paused'].map(status =>
    one(
      `task ${status}`,
      'task',
      { ...made, identifier: 't', status },
      'task "t" stored',
      `task t ${status} h: c () @1-1`,
    ),
  ),
  ...['open', 'finished'].map(status =>
    one(
      `goal ${status}`,
      'goal',
      { ...made, identifier: 'g', status },
      'goal "g" stored',
      `goal g ${status} h: c () @1-1`,
    ),
  ),
  one(
    'a task has no status of a goal',
    'task',
    { ...made, identifier: 't', status: 'open' },
    '! task "t": its status is one of pending, ongoing, finished, paused, not "open"',
  ),
  one(
    'a goal has no status of a task',
    'goal',
    { ...made, identifier: 'g', status: 'pending' },
    '! goal "g": its status is one of open, finished, not "pending"',
  ),
  one(
    'a status in capitals',
    'goal',
    { ...made, identifier: 'g', status: 'OPEN' },
    '! goal "g": its status is one of open, finished, not "OPEN"; did you mean "open"?',
  ),
  one(
    'a memory has no status',
    'memory',
    { ...made, identifier: 'm', status: 'open' },
    '! memory has no attribute "status"',
  ),
  one(
    'a task is not important',
    'task',
    { ...made, identifier: 't', important: true },
    '! task has no attribute "important"',
  ),
  one(
    'important',
    'memory',
    { ...made, identifier: 'm', important: true },
    'memory "m" stored',
    'memory m important h: c () @1-1',
  ),
  [
    'no longer important',
    [
      ['memory', { ...made, identifier: 'm', important: 'true' }, 'memory "m" stored'],
      ['memory', { identifier: 'm', important: false }, 'memory "m" changed'],
    ],
    ['memory m unimportant h: c () @1-2'],
  ],
  one(
    'perhaps important',
    'memory',
    { ...made, identifier: 'm', important: 'maybe' },
    '! important is one of true, false, not "maybe"',
  ),
  [
    'finished and opened again',
    [
      ['task', { ...made, identifier: 't' }, 'task "t" stored'],
      ['task', { identifier: 't', status: 'finished' }, 'task "t" changed'],
      ['task', { identifier: 't', status: 'ongoing', notes: 'n' }, 'task "t" changed'],
    ],
    ['task t ongoing h: c (n) @1-3'],
  ],
  [
    'one identifier in every kind',
    [
      ['memory', { ...made, identifier: 'x' }, 'memory "x" stored'],
      ['task', { ...made, identifier: 'x' }, 'task "x" stored'],
      ['goal', { ...made, identifier: 'x' }, 'goal "x" stored'],
      ['datavault', text('x', 'y'), 'vault entry "x" stored'],
      ['task', { action: 'delete', identifier: 'x' }, 'task "x" deleted'],
    ],
    ['vault x text (d) y @4-4', 'memory x unimportant h: c () @1-1', 'goal x open h: c () @3-3'],
  ],
];

export const otherCases: Case[] = [
  one('js', 'js', { code: 'return 1' }, { kind: 'js', code: 'return 1' }),
  one('js with tags in it', 'js', { code: 'f("{{<ask>}}")' }, { kind: 'js', code: 'f("{{<ask>}}")' }),
  one('js in a fence', 'js', { code: '\n```js\nreturn `a`\n```\n' }, { kind: 'js', code: 'return `a`' }),
  one('js without code', 'js', {}, '!~ needs '),
  one('ask', 'ask', { question: 'why?' }, { kind: 'ask', question: 'why?' }),
  one('ask nothing', 'ask', { question: ' \n ' }, '! ask needs a question'),
  one('final output', 'final_output', { text: 'a\n b' }, { kind: 'final', text: 'a\n b' }),
  one('an empty final output', 'final_output', { text: '' }, '! final_output needs a text'),
  one('a blank final output', 'final_output', { text: ' \n ' }, '! final_output needs a text'),
  one('no final output', 'final_output', {}, '!~ needs '),
  one('a tool', 'read_file', { path: 'a' }, { kind: 'tool', name: 'read_file', input: { path: 'a' } }),
  one('a tool with any input', 'read_file', [null, 'x'], {
    kind: 'tool',
    name: 'read_file',
    input: [null, 'x'],
  }),
  one('a tool that there is not', 'shel', {}, { kind: 'tool', name: 'shel', input: {} }),
  one(
    'a tool with the name of a property',
    'constructor',
    {},
    { kind: 'tool', name: 'constructor', input: {} },
  ),
  one('js with a language', 'js', { code: '1', language: 'ts' }, '!~ has no attribute "language"'),
];

export const cases: [group: string, Case[]][] = [
  ['vault', vaultCases],
  ['reads', readCases],
  ['memory, tasks, goals', entryCases],
  ['status and importance', statusCases],
  ['without stores', otherCases],
];
