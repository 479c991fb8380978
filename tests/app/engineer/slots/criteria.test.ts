// Criteria of an issue: parsed leniently from an evaluator's answer, and from the text.
import { expect, test } from 'vitest';
import { allCriteria, criteriaOf, numbered, unjudged } from '../../../../src/app/engineer/slots/criteria.ts';

test.each([
  ['nothing', null, undefined],
  ['no list', { text: 'A mark.' }, undefined],
  ['a list of nothing that fits', ['A mark.', { met: true }, { text: '  ' }], undefined],
  [
    'what fits, where other entries do not',
    [{ text: ' A mark. ', met: true, evidence: 'mark.txt:1', more: 1 }, 7],
    [{ text: 'a mark', met: true, evidence: 'mark.txt:1' }],
  ],
  [
    'words in the place of a verdict',
    [{ text: 'A mark.', met: 'yes' }],
    [{ text: 'a mark', met: null, evidence: '' }],
  ],
  [
    'numbers of the issue’s list: each as it is written there, and of one with two answers neither counts',
    [
      { of: 2, text: 'Lbl', met: true },
      { of: 2, met: false },
      { of: 1, met: false, evidence: 'none' },
    ],
    [
      { text: 'a label', met: null, evidence: '' },
      { text: 'a mark', met: false, evidence: 'none' },
    ],
  ],
  ['a number of no criterion', [0, 3, 'x'].map(of => ({ of, met: true })), undefined],
])('%s', (_what, given, expected) => {
  expect(criteriaOf(given, 'Do:\n- [ ] a mark\n- [ ] a label')).toEqual(expected);
});

test('what is long is cut, and so is what is much', () => {
  const long = (_none: unknown, of: number) => ({
    text: `${of}${'t'.repeat(9000)}`,
    met: true,
    evidence: 'e'.repeat(9000),
  });
  const found = criteriaOf(Array.from({ length: 40 }, long), '');
  expect(found).toHaveLength(20);
  expect(found?.[0]?.text.at(-1)).toBe('…');
  expect([found?.[0]?.text.length, found?.[0]?.evidence.length]).toEqual([300, 500]);
});

const open = (...texts: string[]) => texts.map(text => ({ text, met: null, evidence: '' }));

test.each([
  ['no list', 'Add a mark.\n\n- in front', []],
  ['tasks, wherever they stand', 'Do:\n- [ ] a mark\n- [x] a label\n- no task', open('a mark', 'a label')],
  [
    'items under a heading, up to the next one',
    '## Acceptance criteria\n\n- a mark\n2. a label\n\n## Files\n- mark.txt',
    open('a mark', 'a label'),
  ],
  ['a line in the place of a heading', '**Done when**\n* a mark', open('a mark')],
  ['a sentence that begins so is none', 'Done when it is done, which is soon enough.\n- mark.txt', []],
])('an issue with %s', (_what, body, expected) => {
  expect(allCriteria(undefined, body)).toEqual(expected);
});

test('one that was judged in other letters and marks, or by its first words, is that of the issue', () => {
  const body = '- [ ] a mark is there\n- [ ] a label of twenty letters, or more\n- [ ] a lamp';
  const given = ['A `mark` is there.', 'A label of twenty letters …', 'a'].map(text => ({ text, met: true }));
  expect(unjudged(given, body)).toEqual([3]);
  expect(criteriaOf(given, body)?.map(({ text }) => text)).toEqual([
    ...['a mark is there', 'a label of twenty letters, or more', 'a'],
  ]);
});

test('of more than are shown the last says how many', () => {
  const body = Array.from({ length: 25 }, (_, at) => `- [ ] mark ${at}`).join('\n');
  expect(allCriteria(undefined, body).slice(18)).toEqual(open('mark 18', 'and 6 more'));
});

test('criteria are numbered where they stand, and nothing else of the text is changed', () => {
  const body = 'Do:\n- [ ] a mark\n- no task\n\n## Acceptance criteria\n1. a label';
  expect(numbered(body)).toBe(body.replace('a mark', '(1) a mark').replace('a label', '(2) a label'));
});
