// Output of `:save`: a program that checks and means the same as the entries, never over an existing file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatProblem } from '../../../../../src/engine/language/problem.ts';
import { parseProgram } from '../../../../../src/engine/language/program.ts';
import { evaluating } from '../../../../engine/tasks/surroundings.ts';
import type { Json } from '../../../../../packages/ground/lib/json.ts';
import { taskFolder } from '../fixture.ts';
import { piped } from './sitting.ts';

const say = (what: string, name = '') =>
  `<task${name && ` name="${name}"`}><description>${what}</description></task>`;
const shout =
  '<task type="function" name="shout"><parameters><parameter name="w"/></parameters><body><task name="shouter"><description>SHOUT {{w}}</description></task></body></task>';
const call = (from: string) => `<call ref="shout"><arg name="w" from="${from}"/></call>`;

/** Each session answers with its prompt in brackets, and so says what it was asked. */
const replies = [{ for: '*', times: 99, text: '-' }];

interface Case {
  entries: string[];
  inputs?: Record<string, Json>;
  /** The prompts of the saved program's sessions, of which each answers with the name of its task. */
  asked: string[];
  warnings?: number;
}

test.each<[what: string, Case]>([
  [
    'steps in their order',
    { entries: [say('One.', 'a'), say('Two {{a}}.', 'b')], asked: ['One.', 'Two a.'] },
  ],
  [
    'a name that stood before the task',
    { entries: [`a = ${say('One.')}`, say('Two {{a}}.')], asked: ['One.', 'Two a.'] },
  ],
  ['a task alone', { entries: [say('One.', 'a')], asked: ['One.'] }],
  ['the last result', { entries: [say('One.'), say('Two {{it}}.')], asked: ['One.', 'Two it.'] }],
  [
    'the last result, which has a name',
    {
      entries: [say('One.', 'a'), say('Two {{it}}.'), say('Three {{it}} {{a}}.')],
      asked: ['One.', 'Two a.', 'Three it a.'],
    },
  ],
  [
    'a name that is bound anew',
    {
      entries: [say('One.', 'a'), say('Two {{a}}.', 'b'), say('Three {{a}}.', 'a'), say('Four {{a}} {{b}}.')],
      asked: ['One.', 'Two a.', 'Three a.', 'Four a b.'],
    },
  ],
  [
    'a way to a value',
    { entries: [say('One.', 'a'), 'x = a.content', say('Two {{x}}.')], asked: ['One.', 'Two a.'] },
  ],
  ['a text', { entries: ["x = 'R&D <3'", say('One {{x}}.'), say('Two.')], asked: ['One R&D <3.', 'Two.'] }],
  [
    'a value that no program works out',
    {
      entries: ['x = 1 == 1', say('One {{x}}.'), say('Two.')],
      inputs: { x: true },
      asked: ['One true.', 'Two.'],
    },
  ],
  [
    'a value that nothing reads',
    { entries: ['x = 1 == 1', say('One.'), say('Two.')], asked: ['One.', 'Two.'] },
  ],
  [
    'a function with its calls',
    { entries: [shout, say('One.', 'a'), call('a')], asked: ['One.', 'SHOUT a'] },
  ],
  [
    'a parameter that was declared',
    {
      entries: [
        "who = 'Bo'",
        '<task name="g"><inputs><input name="who"/></inputs><description>Hi {{who}}.</description></task>',
        say('Two.'),
      ],
      asked: ['Hi Bo.', 'Two.'],
    },
  ],
  [
    'what was forgotten is a parameter',
    {
      entries: ["x = 'y'", say('One {{x}}.'), ':forget x', say('Two.')],
      inputs: { x: 'z' },
      asked: ['One z.', 'Two.'],
      warnings: 1,
    },
  ],
  [
    'what was taken back is left out',
    { entries: [say('One.'), say('Odd.'), ':undo', say('Two.')], asked: ['One.', 'Two.'] },
  ],
  [
    'the step before in a test',
    {
      entries: [
        say('One.', 'a'),
        `<cond><case test="output == 'a'">${say('Yes.')}</case><else>${say('No.')}</else></cond>`,
      ],
      asked: ['One.', 'Yes.'],
    },
  ],
])('%s', async (_what, { entries, inputs = {}, asked, warnings = 0 }) => {
  using folder = await taskFolder();
  const file = join(folder.path, 'saved.xml');
  const { texts } = await piped([...entries, `:save ${file}`].join('\n'), { replies });
  expect(texts.at(-1)).toBe(`${file} is written`);
  const text = readFileSync(file, 'utf8');
  const { program, problems } = parseProgram(text, 'saved.xml', undefined, 'asked for');
  expect(problems.map(formatProblem)).toHaveLength(warnings);
  const { requests, result } = evaluating(program ?? '', inputs, task => (task === 'standard' ? 'it' : task));
  await result;
  expect(requests.map(({ prompt }) => prompt)).toEqual(asked);
});

test('a function by its name is a file of the library, which :load defines again', async () => {
  using folder = await taskFolder();
  const file = join(folder.path, 'shout.xml');
  await piped(`${say('One.')}\n${shout}\n:save ${file} shout`, { replies });
  const { texts } = await piped(`:load ${file}\n<call ref="shout"><arg name="w">hi</arg></call>\n:context`, {
    replies,
  });
  expect(texts[0]).toBe('shout is defined');
  expect(texts[2]).toContain('SHOUT hi');
});

test('what was saved is loaded: its functions are defined, and it is there for ref; nothing is run', async () => {
  using folder = await taskFolder();
  const file = join(folder.path, 'letter.xml');
  await piped(`${shout}\n${say('One.', 'a')}\n${call('a')}\n:save ${file}`, { replies });
  const { texts } = await piped(`:load ${file}\n:cost\n<task ref="letter"/>\n:cost`, { replies });
  expect(texts[0]).toBe(`shout is defined\n<task ref="letter"> takes the task of ${file}`);
  expect(texts[1]).toMatch(/^all: 0 model calls/);
  expect(texts[3]).toMatch(/^all: 2 model calls/m);
});

test('what a task that was loaded is, stands in full in what is saved', async () => {
  using folder = await taskFolder({ 'note.xml': say('A note.', 'note') });
  const file = join(folder.path, 'out.xml');
  await piped(`:load ${folder.at('note.xml')}\n<task ref="note" name="mine"/>\n:save ${file}`, { replies });
  expect(readFileSync(file, 'utf8')).toBe(
    '<task name="mine">\n  <description>A note.</description>\n</task>\n',
  );
});

test('a file that is there is left, unless it is said twice', async () => {
  using folder = await taskFolder({ 'there.xml': 'mine' });
  const file = folder.at('there.xml');
  const first = await piped(`${say('One.')}\n:save ${file}`, { replies });
  expect(first.texts[1]).toBe(`${file} is there already; :save! writes over it`);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await piped(`${say('One.')}\n:save! ${file}`, { replies });
  expect(readFileSync(file, 'utf8')).toBe('<task>\n  <description>One.</description>\n</task>\n');
});

test.each([
  ['nothing', [], 'nothing was defined or run yet'],
  [
    'functions only',
    [shout, shout.replaceAll('shout', 'shut')],
    'only functions are defined: save each by its name, as in :save file.xml name',
  ],
  ['a value alone', ['x = 1', ':save FILE x'], '"x" is a value: only what was defined or run can be saved'],
  [
    'a value that was two',
    ['x = 1 == 1', say('{{x}}'), 'x = 2 == 1', say('{{x}}')],
    '"x" was bound more than once, to a value that no program can work out: give one another name',
  ],
])('%s cannot be saved', async (_what, entries, problem) => {
  using folder = await taskFolder();
  const file = join(folder.path, 'saved.xml');
  const lines = entries.map(entry => entry.replace('FILE', file));
  const { texts } = await piped([...lines, `:save ${file}`].join('\n'), { replies });
  expect(texts).toContain(problem);
});

test('a file that cannot be read, or is wrong, is told and changes nothing', async () => {
  using folder = await taskFolder({ 'wrong.xml': '<task>', 'nameless.xml': say('One.') });
  writeFileSync(folder.at('bytes.xml'), Buffer.from([0x3c, 0xff]));
  const { texts } = await piped(
    ['missing', 'wrong', 'nameless', 'bytes'].map(name => `:load ${folder.at(name)}.xml`).join('\n'),
  );
  expect(texts[0]).toMatch(/missing\.xml: not found$/);
  expect(texts[1]).toMatch(/wrong\.xml:1:1 <task> is not closed/);
  expect(texts[2]).toMatch(/nameless\.xml: holds no function, and its task has no name for ref to take$/);
  expect(texts[3]).toMatch(/bytes\.xml: is not UTF-8 text/);
});
