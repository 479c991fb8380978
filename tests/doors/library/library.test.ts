// The package as a library: what it gives, what it refuses, and the example of its page compiled and run.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createTasks,
  type Entry,
  parseScript,
  scriptedModel,
  systemClock,
  TaskError,
  type TasksOptions,
} from '../../../src/doors/library/library.ts';
import { formatProblem } from '../../../src/engine/language/problem.ts';
import type { ScriptReply } from '../../../src/engine/models/script.ts';
import { costing } from '../../dialogue/script.ts';
import { root } from '../cli/run-cli.ts';
import { counted, greeting, script, taskFolder } from '../cli/task/fixture.ts';

function opened(replies: ScriptReply[], more: Partial<TasksOptions> = {}) {
  const warnings: string[] = [];
  const errors: unknown[] = [];
  const model = scriptedModel(parseScript(script(...replies), 's.json'), { clock: systemClock });
  const tasks = createTasks({
    model,
    onWarning: text => void warnings.push(text),
    onError: error => void errors.push(error),
    ...more,
  });
  return { tasks, warnings, errors };
}

const shout = `<task type="function" name="shout"><parameters><parameter name="text"/></parameters>
  <body><task name="say"><description>{{text}}!</description></task></body></task>`;

const reviewed = `<task name="review" subtype="reviewer"><description>Review it.</description>
  <output name="verdict" type="string"/></task>`;
const reviewer = {
  turns: 2,
  outputs: [{ name: 'verdict', type: 'string' as const, nullable: false }],
  continuation: false,
  clearContext: true,
};

describe('subtypes of its own', () => {
  test('are those of programs, of registered tasks and of the folder', async () => {
    using folder = await taskFolder({ '.github/echelon/r.xml': reviewed });
    const text =
      '<result status="COMPLETE"><content>x</content><output name="verdict">fine</output></result>';
    const { tasks } = opened(
      [
        { for: 'review', text },
        { for: 'again', text },
      ],
      {
        folder: folder.path,
        subtypes: { reviewer },
      },
    );
    expect(tasks.validateTemplate(reviewed)).toEqual([]);
    expect((await tasks.executeTask('review')).outputs).toEqual({ verdict: 'fine' });
    tasks.registerTask(reviewed.replace('name="review"', 'name="again"'));
    expect((await tasks.executeTask('again')).outputs).toEqual({ verdict: 'fine' });
    const lacks = tasks.validateTemplate(
      reviewed.replace('name="verdict" type="string"', 'name="verdict" type="json"'),
    );
    expect(lacks.map(({ message }) => message).join('\n')).toContain('verdict');
    await tasks.close();
  });

  test('that cannot be are refused, each with what is wrong', () => {
    const subtypes = { director: reviewer, slow: { ...reviewer, turns: 0 } };
    expect(() => opened([], { subtypes })).toThrow(
      /subtypes: director: the language has .*\nsubtypes: slow: turns is 0/,
    );
  });
});

describe('a task is executed', () => {
  test('from its source, each execution with replies of its own', async () => {
    const { tasks } = opened([
      { for: 'greet', text: 'Hello' },
      { for: 'count', text: counted('5', 5) },
    ]);
    const first = await tasks.executeTask(greeting, { who: 'Ada' });
    expect(first).toMatchObject({ status: 'COMPLETE', outputs: { letters: 5 } });
    expect(await tasks.executeTask(greeting, { who: 'Bo' })).toMatchObject({ content: first.content });
    await tasks.close();
  });

  test('by the name it was registered under, and a function with values that stay what they are', async () => {
    const { tasks } = opened([
      { for: 'say', when: '["a"]!', text: 'A list' },
      { for: 'say', when: '<b>&"!', text: 'A text' },
    ]);
    tasks.registerTask(shout);
    expect((await tasks.executeFunctionCall('shout', { text: ['a'] })).content).toBe('A list');
    expect((await tasks.executeFunctionCall('shout', { text: '<b>&"' })).content).toBe('A text');
    await tasks.close();
  });

  test('that is a function is called, by its name and from its source', async () => {
    const { tasks } = opened([{ for: 'say', when: 'hey!', text: 'HEY' }]);
    expect((await tasks.executeTask(shout, { text: 'hey' })).content).toBe('HEY');
    tasks.registerTask(shout);
    expect((await tasks.executeTask('shout', { text: 'hey' })).content).toBe('HEY');
    await tasks.close();
  });

  test('in S-expressions, too', async () => {
    const { tasks } = opened([{ for: 'say', when: 'hey!', text: 'HEY' }]);
    const asTask =
      '; loud\n(task shout :type function (parameters (parameter text))\n  (body (task say (description "{{text}}!"))))';
    expect((await tasks.executeTask(asTask, { text: 'hey' })).content).toBe('HEY');
    tasks.registerTask(asTask);
    expect((await tasks.executeTask('(call :ref shout (arg text "hey"))')).content).toBe('HEY');
    expect(tasks.validateTemplate('(task (descripton "x"))').map(formatProblem)).toEqual([
      'program.task:1:7 <descripton> is not allowed in <task type="atomic">; did you mean "description"?',
    ]);
    await tasks.close();
  });

  test('with the files of a folder, and its templates', async () => {
    using folder = await taskFolder({
      'a.txt': 'needle',
      '.github/echelon/look.xml':
        '<task name="look"><description>Look.</description><tools>read_file</tools></task>',
    });
    const { tasks } = opened(
      [
        { for: 'look', tool_calls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
        { for: 'look', when: 'needle', text: 'seen' },
      ],
      { folder: folder.path },
    );
    expect((await tasks.executeTask('look')).content).toBe('seen');
    await tasks.close();
  });

  test('over a journal: what is in it is not done again', async () => {
    const entries: Entry[] = [];
    const journal = { entries, append: (more: readonly Entry[]) => void entries.push(...more) };
    const say = '<task name="say"><description>x</description></task>';
    const { tasks } = opened([{ for: 'say', text: 'once' }]);
    expect((await tasks.executeTask(say, {}, { key: 'k', journal })).content).toBe('once');
    const other = opened([]).tasks;
    expect((await other.executeTask(say, {}, { key: 'k', journal })).content).toBe('once');
  });
});

describe('refused', () => {
  const failure = async (act: () => unknown): Promise<TaskError> => {
    try {
      await act();
    } catch (error) {
      if (error instanceof TaskError) return error;
      throw error;
    }
    throw new Error('it was not refused');
  };

  test.each<{ what: string; act: (tasks: ReturnType<typeof opened>['tasks']) => unknown; says: string }>([
    { what: 'a source with problems', act: tasks => tasks.executeTask('<task/>'), says: 'program.xml:1:1' },
    {
      what: 'a task without a name',
      act: tasks => tasks.registerTask('<task><description>x</description></task>'),
      says: 'needs a name',
    },
    {
      what: 'a second of the name',
      act: tasks => tasks.registerTask(shout),
      says: 'a task "shout" is registered already (registered.xml)',
    },
    { what: 'a missing argument', act: tasks => tasks.executeFunctionCall('shout'), says: 'text' },
    {
      what: 'a parameter without a value',
      act: tasks => tasks.executeTask(greeting),
      says: 'Missing required input: who',
    },
    {
      what: 'a script',
      act: tasks => tasks.executeTask('<task type="script"><command>ls</command></task>'),
      says: 'commands are not allowed here',
    },
    {
      what: 'ask where nobody answers',
      act: tasks => tasks.executeTask('<task><description>x</description><tools>ask</tools></task>'),
      says: 'the tool ask',
    },
  ])('$what', async ({ act, says }) => {
    const { tasks } = opened([]);
    tasks.registerTask(shout);
    expect((await failure(() => act(tasks))).message).toContain(says);
    await tasks.close();
  });

  test.each<{ options: Partial<TasksOptions>; says: string }>([
    { options: { folder: '/no/such' }, says: 'folder: there is no folder /no/such' },
    { options: { folder: join(root, 'README.md') }, says: 'folder: there is no folder ' },
    { options: { budget: -1 }, says: 'budget: -1 is not an amount of USD above 0' },
    { options: { budget: Number.NaN }, says: 'budget: NaN is not an amount of USD above 0' },
    { options: { defaultModel: 'gpt' }, says: 'defaultModel: unknown model gpt' },
    { options: { budget: 0, defaultModel: 'gpt' }, says: 'above 0\ndefaultModel: unknown model gpt' },
  ])('at once: $options', ({ options, says }) => {
    expect(() => opened([], options)).toThrow(says);
  });

  test('an unknown name says which are near', async () => {
    const { tasks } = opened([]);
    await expect(tasks.executeTask('compil')).rejects.toThrow(
      'no task is registered as "compil"; did you mean "compile"?',
    );
  });

  test('what was refused is told, and leaves the library as it was', async () => {
    const { tasks, errors } = opened([{ for: 'say', text: 'A' }]);
    expect(() => tasks.registerTask('<task name="bad"><steps/></task>')).toThrow(TaskError);
    tasks.registerTask(shout);
    expect((await tasks.executeFunctionCall('shout', { text: 'a' })).content).toBe('A');
    await expect(tasks.executeTask('bad')).rejects.toThrow(RangeError);
    expect(errors).toEqual([expect.any(RangeError)]);
  });

  test('the budget holds over all executions', async () => {
    const { tasks } = opened([costing({ for: 'say', text: 'A' }, 2)], { budget: 1 });
    const say = '<task name="say"><description>x</description></task>';
    await tasks.executeTask(say);
    expect((await failure(() => tasks.executeTask(say))).message).toContain('the budget of $1 is used up');
  });

  test('what is aborted ends with its reason', async () => {
    const { tasks } = opened([{ for: 'say', text: 'A', delay_ms: 60_000 }]);
    const stop = new AbortController();
    const running = tasks.executeTask(
      '<task name="say"><description>x</description></task>',
      {},
      { signal: stop.signal },
    );
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });
});

test('replies side by side are told apart while they come, and not told again over a journal', async () => {
  const entries: Entry[] = [];
  const journal = { entries, append: (more: readonly Entry[]) => void entries.push(...more) };
  const words = 'Several words that come in more than one piece.';
  const map = `<task type="map" name="both"><over>["a", "b"]</over><inner_task>
    <task name="say"><description>{{item}}</description></task></inner_task></task>`;
  const heard = async () => {
    const told: Record<string, string> = {};
    const { tasks } = opened([{ for: 'say', times: 2, text: words, delay_ms: 60 }], {
      onEvent(event) {
        if (event.type === 'model_delta' && event.kind === 'text')
          told[event.session] = (told[event.session] ?? '') + event.text;
      },
    });
    await tasks.executeTask(map, {}, { key: 'k', journal });
    return told;
  };
  const told = await heard();
  expect(Object.keys(told)).toHaveLength(2);
  expect(Object.values(told)).toEqual([words, words]);
  expect(JSON.stringify(entries)).not.toContain('model_delta');
  expect(await heard()).toEqual({});
});

test('warnings are told', async () => {
  const { tasks, warnings } = opened([{ for: 'say', text: 'A' }]);
  await tasks.executeTask('<task name="say"><description>x</description></task>', { surplus: 1 });
  expect(warnings).toEqual(['input "surplus" is no parameter of the program and is ignored']);
});

test('candidates of a task, of which its evaluator names the best, within a limit and what all of it may cost', async () => {
  const program = (more: string) => `<task name="it"><description>x</description>${more}<candidates n="2">
    <evaluator><task name="judge"><description>Which?</description></task></evaluator></candidates></task>`;
  const replies = [
    { for: 'it', text: 'a long one' },
    { for: 'it', text: 'short' },
    { for: 'judge', text: '{"best": 1, "why": "It says all."}' },
  ].map(reply => costing(reply, 0.5));
  const { tasks, warnings } = opened(replies, { budget: 2.1 });
  const { content, notes } = await tasks.executeTask(program(''));
  expect(notes.dataUsage.cost_usd).toBe(1.5);
  expect(notes.candidates).toMatchObject({ why: 'ranked', said: 'It says all.' });
  expect(content).toBe('a long one');
  const limited = await tasks.executeTask(program('<limits><budget>0.5</budget></limits>'));
  expect(limited.notes).toMatchObject({ dataUsage: { cost_usd: 1 }, candidates: { why: 'smallest' } });
  expect(warnings.at(-1)).toMatch(
    /^judge did not decide between the candidates: the limit of \$0\.5 is used up by it/,
  );
  await expect(tasks.executeTask(program(''))).rejects.toMatchObject({
    detail: { code: 'RESOURCE_EXHAUSTION', resource: 'budget', limit: 2.1, used: 2.5 },
    message: expect.stringContaining('the budget of $2.1 is used up ($2.50)'),
  });
  await tasks.close();
});

test('matching and compiling', async () => {
  const program = '<task><description>Say hello.</description></task>';
  const { tasks } = opened([
    { for: 'compile', times: 2, text: program },
    { for: 'weather', text: 'Rain' },
    { for: 'standard', text: 'Hello' },
  ]);
  tasks.registerTask('<task name="weather"><description>Tell the weather of a city.</description></task>');
  const [first] = await tasks.findMatchingTasks('weather in the city');
  expect(first).toMatchObject({ template: { name: 'weather' }, taskType: 'atomic' });
  expect((await tasks.executeTask('Tell me the weather of my city')).content).toBe('Rain');
  expect((await tasks.executeTask('Say hello')).notes.program).toBe(program);
  const compiled = await tasks.compile('Say hello');
  expect(compiled.source).toBe(program);
  expect(compiled.program.type).toBe('atomic');
});

test("its page's examples compile and run", { timeout: 60_000 }, async () => {
  const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
  // The options that it names, and no others but the defaults of a strict project.
  const needed = /compiled needs ((?:`\w+`(?:, | and )?)+)/.exec(page.replaceAll(/\s+/g, ' '))?.[1];
  const named = (needed?.match(/\w+(?=`)/g) ?? []).map(option => [option, true]);
  const [example, live] = [...page.matchAll(/```ts\n(import .*? from 'echelon';\n.*?)```/gs)].map(
    ([, code]) => code,
  );
  using project = await taskFolder({
    'package.json': '{ "type": "module" }',
    'example.ts': example ?? '',
    'live.ts': live ?? '',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...{ target: 'es2024', module: 'nodenext', strict: true, types: ['node'] },
        ...Object.fromEntries(named),
        typeRoots: [join(root, 'node_modules/@types')],
      },
      files: ['example.ts', 'live.ts'],
    }),
    'node_modules/.keep': '',
  });
  symlinkSync(root, project.at('node_modules/echelon'));
  const options = { cwd: project.path, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '' } } as const;
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const compiled = spawnSync(process.execPath, [tsc, '-p', '.'], options);
  expect(compiled.stdout).toBe('');
  const said = execFileSync(process.execPath, ['example.ts'], options);
  expect(said).toMatch(/^1:7 <descripton> .*\nHello, dear Ada! 1\n$/);
  expect(execFileSync(process.execPath, ['live.ts'], options)).toBe('Hello, dear Ada, and welcome!');
});
