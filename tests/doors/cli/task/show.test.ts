// `echelon task show`: the tasks of a program before it runs, as a tree, a Mermaid flowchart and JSON.
import { describe, expect, test } from 'vitest';
import { parseProgram } from '../../../../src/engine/language/program.ts';
import { libraryWith } from '../../../../src/doors/folder-library.ts';
import { outlineMermaid, outlineOf, outlineText } from '../../../../src/doors/cli/task/program-outline.ts';
import { programNamed } from '../../../../src/doors/cli/task/program-files.ts';
import { runCli } from '../run-cli.ts';
import { greeting, taskFolder } from './fixture.ts';

const read = (source: string) => {
  const { library } = libraryWith([], '/nowhere');
  const { program, flows, problems } = parseProgram(source, 'p.xml', library, 'asked for');
  if (!program) throw new Error(JSON.stringify(problems));
  return { program, flows, outline: outlineOf(program, flows) };
};
const outline = (source: string) => read(source).outline;

test('shows a program at the command line, and says what is wrong', async () => {
  using folder = await taskFolder({ 'p.xml': greeting, 'wrong.xml': '<task>' });
  const show = (...args: string[]) => runCli(['task', 'show', ...args], { cwd: folder.path });
  const tree = `greeting (sequential)
├─ step 1: greet (atomic)  <- who
└─ step 2: count (atomic)  <- greet
`;
  const [text, prompts, misused, json, wrong, none] = await Promise.all([
    show('p.xml'),
    show('p.xml', '--prompts', '--input', 'who=Ada'),
    show('p.xml', '--mermaid', '--input', 'who=Ada'),
    show('p.xml', '--json'),
    show('wrong.xml'),
    show('none.xml'),
  ]);
  expect(text).toEqual({ code: 0, stdout: tree, stderr: '' });
  expect(prompts).toMatchObject({ code: 0, stderr: '' });
  expect(prompts.stdout).toMatch(
    /^prompt of greet, to .*:[\s\S]*Ada[\s\S]*\n\nprompt of count[\s\S]*\[sample of greet\]/,
  );
  expect(prompts.stdout).toMatch(/\nWith sample replies: 2 model calls\./);
  expect(misused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--input goes with --prompts only'),
  });
  expect(JSON.parse(json.stdout)).toMatchObject({
    limits: { tasks: 50_000, calls: 50 },
    program: {
      type: 'sequential',
      line: 1,
      tasks: [
        { name: 'greet', reads: [{ name: 'who', from: { file: 'p.xml', line: 1, column: 1 } }] },
        { line: 5 },
      ],
    },
  });
  expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('wrong.xml:1:') });
  expect(none.code).toBe(2);
}, 60_000);

test('--prompts refuses an input that the program does not have', async () => {
  using folder = await taskFolder({ 'p.xml': greeting });
  const wrong = await runCli(['task', 'show', 'p.xml', '--prompts', '--input', 'day=1'], {
    cwd: folder.path,
  });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('the program has no input day') });
}, 60_000);

describe('an outline', () => {
  test('says what each task is to the one around it, and reads', () => {
    const source = `<task type="sequential"><inputs><input name="days"/></inputs><steps>
      <task name="m" type="map"><over from="days"/>
        <inner_task><task><description>{{item}}</description></task></inner_task>
        <on_failure><description>{{error}}</description></on_failure></task>
      <task type="director-evaluator" name="d"><director><description>{{m[0]}}</description></director>
        <evaluator><description>{{target_content}}</description></evaluator><max_rounds>2</max_rounds></task>
    </steps></task>`;
    expect(outlineText(outline(source))).toBe(`(sequential)
├─ step 1: m (map)  <- days
│  ├─ for each element: (atomic)  <- item
│  └─ on failure: (atomic)  <- error
└─ step 2: d (director-evaluator)
   ├─ director: (atomic director)  <- m[0]
   └─ evaluator: (atomic evaluator)  <- target_content`);
  });

  test('is a flowchart in which no word of a program is more than a label', () => {
    const hostile = 'a"]\nclick t1 "javascript:x"\n%%{init: {}}%% </text><script>#quot;`';
    const chart = outlineMermaid({
      ...{ role: '', type: 'atomic', subtype: hostile, name: hostile, line: 1, column: 1 },
      ...{ reads: [{ name: hostile }], tasks: [] },
    });
    expect(chart).toMatch(/^flowchart TD\n {2}t1\["(?:[\p{L}\p{N} ,.:()_-]|#\d+;|<br\/>)*"\]$/u);
    expect(outlineMermaid(outline(greeting))).toBe(`flowchart TD
  t1["greeting (sequential)"]
  t2["step 1: greet (atomic)<br/>reads who"]
  t1 --> t2
  t4["step 2: count (atomic)<br/>reads greet"]
  t1 --> t4`);
  });

  test('has a dotted arrow from who binds a name to who reads it', () => {
    const source = `<task type="sequential"><inputs><input name="days"/></inputs><steps>
      <task name="m"><description>{{days}}</description></task>
      <task type="map"><over from="m"/>
        <inner_task><task><inputs><input name="day" from="item"/></inputs><description>{{day}} {{m}}</description></task></inner_task></task>
      <task name="n"><description>{{m}}</description></task>
      <task><description>{{n}} {{n}}</description></task>
    </steps></task>`;
    const { program, flows, outline: drawn } = read(source);
    const chart = outlineMermaid(drawn, program, flows);
    const label = (id: string) => chart.match(new RegExp(`${id}\\["([^(]*)`))?.[1];
    const arrows = [...chart.matchAll(/(t\d+) -\.->\|"(\w+)"\| (t\d+)/g)];
    expect(arrows.map(([, from = '', name, to = '']) => [label(from), name, label(to)])).toEqual([
      ['', 'days', 'step 1: m '],
      ['step 1: m ', 'm', 'step 2: '],
      ['step 2: ', 'item', 'for each element: '],
      ['step 1: m ', 'm', 'for each element: '],
      ['step 1: m ', 'm', 'step 3: n '],
      ['step 3: n ', 'n', 'step 4: '],
    ]);
  });

  test('is had of every program of the product', () => {
    const { library } = libraryWith([], '/nowhere');
    const names = library.templates().map(({ name }) => name);
    expect(names).toContain('implement-issue');
    for (const name of names) {
      const found = programNamed(name, library);
      if ('problems' in found) throw new Error(found.problems.join('\n'));
      expect(outlineText(outlineOf(found.program, found.flows))).toContain(name);
    }
  });
});
