// Requests of a program's sessions, with samples in place of everything that a run asks.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseProgram } from '../../../../src/engine/language/program.ts';
import { libraryWith, programSettings } from '../../../../src/doors/folder-library.ts';
import { playSamples } from '../../../../src/doors/cli/task/play-samples.ts';
import { runnable } from '../../../../src/engine/runtime/runnable.ts';
import { readFolder } from '../../../../src/doors/task-setup.ts';
import { taskFolder } from './fixture.ts';

const { around } = readFolder('/nowhere', undefined);
if (!around) throw new Error('there is no configuration');
const { library } = libraryWith([], '/nowhere');

async function played(text: string, inputs = {}) {
  const source = { file: 'p.xml', text };
  const { program, problems } = parseProgram(text, 'p.xml', library, 'asked for');
  if (!program || !around) throw new Error(JSON.stringify(problems));
  const run = runnable(program, source, library);
  const { settings, reasoning } = programSettings(around.config);
  const { models } = around;
  const surroundings = {
    settings,
    reasoning,
    models,
    library: run.library,
    signal: new AbortController().signal,
  };
  const { requests, ended } = await playSamples(run.program, inputs, surroundings);
  const asked = requests.map(({ task, messages }) => {
    const texts = messages.flatMap(({ content }) =>
      content.map(part => (part.type === 'text' ? part.text : '')),
    );
    return `${task}: ${texts.join(' ')}`;
  });
  return { asked, ended };
}

test('inputs that are given stand in the prompts, the others and results as samples', async () => {
  const program = `<task type="sequential"><inputs><input name="who"/><input name="how"/></inputs><steps>
    <task name="greet"><description>Greet {{who}} {{how}}.</description></task>
    <task name="count"><description>Words of: {{greet}}</description></task></steps></task>`;
  const { asked, ended } = await played(program, { who: 'Ada' });
  expect(ended).toBeUndefined();
  expect(asked[0]).toContain('greet: Greet Ada [sample of how].');
  expect(asked[1]).toContain('count: Words of: [sample of greet]');
  expect(asked.length).toBe(2);
});

test('outputs are samples of their types, so that what reads them goes on', async () => {
  const program = `<task type="sequential"><steps>
    <task name="list"><description>Files?</description><output name="files" type="json" schema='{"type": "array", "items": {"type": "string"}}'/><output name="n" type="number"/></task>
    <task type="map" name="each"><over from="list.files"/><inner_task><description>Look at {{item}} of {{list.n}}.</description></inner_task></task>
    <task type="cond"><case test="list.n &gt; 0"><description>Some.</description></case></task>
  </steps></task>`;
  const { asked, ended } = await played(program);
  expect(ended).toBeUndefined();
  expect(asked.join('\\n')).toContain('Look at [sample of files] of 1.');
  expect(asked.at(-1)).toContain('Some.');
});

test('a director is judged well in its first round, and its command ends well without being run', async () => {
  using folder = await taskFolder({});
  const made = join(folder.path, 'made');
  const program = `<task type="director-evaluator"><max_rounds>3</max_rounds>
    <director><description>Write.</description><tools>read_file</tools></director>
    <script><task type="script"><command>touch ${made}; false</command></task></script>
    <evaluator><description>Is it good? {{stdout}}</description></evaluator></task>`;
  const { asked, ended } = await played(program);
  expect(ended).toBeUndefined();
  expect(asked.length).toBe(2);
  expect(asked[1]).toContain('[sample of output]');
  expect(existsSync(made)).toBe(false);
});

test('a program that samples do not lead to its end says why, with what was asked', async () => {
  const program = `<task type="sequential"><steps><task name="a"><description>A?</description></task>
    <task type="map"><over from="a"/><inner_task><description>{{item}}</description></inner_task></task></steps></task>`;
  const { asked, ended } = await played(program);
  expect(asked[0]).toContain('a: A?');
  expect(ended).toMatch(/list/);
});

test.each(library.templates().map(({ name }) => name))(
  '%s of the product is laid out to its end',
  async name => {
    const { ended, asked } = await played(library.get(name).source);
    expect(ended).toBeUndefined();
    expect(asked.length).toBeGreaterThan(0);
  },
);
