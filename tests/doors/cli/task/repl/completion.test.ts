// Completions of Tab, by the text before it and by the bindings.
import { expect, test } from 'vitest';
import { completed, readGrammar } from '../../../../../src/doors/cli/task/repl/completion.ts';
import { named } from '../../../../../src/engine/language/surface/s-expression-reader.ts';
import { never, replOver } from './sitting.ts';

const { repl } = replOver({});
for (const text of ['draft = 1', 'translate = 2']) await repl.enter({ text, line: 1 }, never);

test.each<[line: string, offered: string[]]>([
  [':bin', [':bindings']],
  [':s', [':save', ':save!', ':show']],
  [':save out.xml d', ['draft']],
  [':show transl', ['translate']],
  [':show implement-i', ['implement-issue']],
  ['<desc', ['<description']],
  ['<task><description></descr', ['</description>']],
  ['<task ', ['name="', 'ref="', 'subtype="', 'type="']],
  ['<input name="x" s', ['stdin="']],
  ['<task type="s', ['script"', 'sequential"']],
  ['<output name="x" nullable="', ['false"', 'true"']],
  ['<call ref="tr', ['translate"']],
  ['<input name="x" from="dr', ['draft"']],
  ['<description>About {{dr', ['draft']],
  ['  <description>About dr', []],
  ['draft.content == dr', ['draft']],
  ['startsW', ['startsWith(']],
  ['', []],
])('%j: %j', (line, offered) => {
  const [fitting, end] = completed(line, repl);
  expect(fitting).toEqual(offered);
  expect(line.endsWith(end)).toBe(true);
});

test('a word names the elements that have a name in the schema, and what is short for them', () => {
  const long = [...readGrammar()].flatMap(([name, attributes]) => (attributes.has('name') ? name : []));
  expect(long).toContain('task');
  expect([...named].sort()).toEqual([...long, 'call', 'cond', 'let', 'param', 'step'].sort());
});
