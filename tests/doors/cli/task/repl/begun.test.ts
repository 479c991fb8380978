// Completeness of an entry: elements, brackets, and what hides their ends.
import { expect, test } from 'vitest';
import { EntryReader } from '../../../../../src/doors/cli/task/repl/entry.ts';

/** The lines up to which nothing is whole, and whether the last one makes it so. */
test.each<[lines: string[], isWhole: boolean]>([
  [['1 == 1'], true],
  [['(1 == 1', ')'], true],
  [["contains('(', x", ')'], true],
  [["don't"], true],
  [['draft.files >', '3'], true],
  [['a]'], true],
  [[':help'], true],
  [['x =', '3'], true],
  [[':let x ='], false],
  [['x = <task>', '</task>'], true],
  [['<task', '/>'], true],
  [['<task name="a>b"'], false],
  [['<task name="a', '>"/>'], true],
  [['<task name="a>', '<b/></task>'], true],
  [['<task><!-- </task> -->'], false],
  [['<task><![CDATA[</task>', '=>', ']]>', '</task', '>'], true],
  [['<!-- about it -->', '', '<task/>'], true],
  [['<?xml version="1.0"?>', '<task/>'], true],
  [['<a><b></a>'], true],
  [['</a>'], true],
  [['<task>a < b', '<x>', '</y>', '</task>'], true],
  [['<task>', '<description>a</descripton>', '</task>'], true],
  [['(task "a)', '" (description "b \\" )"))'], true],
  [['(task ; )', ')'], true],
  [['(task "a "b" :)"', ')'], true],
  [['(task """ " ) """)'], true],
  [['; about it'], false],
  [['(task == 1)'], true],
])('%j: %s', (lines, isWhole) => {
  const entries = new EntryReader();
  const whole = lines.map(line => entries.add(line));
  expect(whole.slice(0, -1)).toEqual(lines.slice(0, -1).map(() => undefined));
  expect(whole.at(-1)).toEqual(isWhole ? { text: lines.join('\n'), line: 1 } : undefined);
});
