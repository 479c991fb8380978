// `mode: task`: a step's inputs, checked before anything runs.
import { expect, test } from 'vitest';
import { inputNames, planTask, type StepInputs } from '../../../src/doors/action/task-plan.ts';
import { readSettings } from '../../../src/doors/settings.ts';
import { temporary, writeFiles } from '../../ground/workspace/fixture.ts';

const shout = `<task type="function" name="shout"><parameters><parameter name="words"/></parameters>
  <body><task name="say"><description>{{words}}!</description></task></body></task>`;

async function planned(inputs: Partial<StepInputs>) {
  await using folder = await temporary();
  await writeFiles(folder.path, {
    'ci/shout.xml': shout,
    '.github/echelon/s.task': `(task registered :type function (parameters (parameter words))
      (body (task say (description "{{words}}!"))))`,
    's.json': '{ "version": 1, "replies": [] }',
  });
  const none = Object.fromEntries(inputNames.map(name => [name, ''])) as StepInputs;
  return await planTask({ ...none, ...inputs }, folder.path, readSettings({}));
}

test.each([
  { task: 'ci/shout.xml', name: 'shout' },
  { task: 'registered', name: 'registered' },
])('a function is called: $task', async ({ task, name }) => {
  const plan = await planned({ task, script: 's.json', inputs: 'words=hey' });
  if ('problems' in plan) throw new Error(JSON.stringify(plan.problems));
  expect(plan.program).toMatchObject({ type: 'call', inputs: [{ name: 'words' }] });
  expect(plan.library.find(name)?.type).toBe('function');
});

test('everything that is wrong is said at once, the model that is missing too', async () => {
  const plan = await planned({ task: 'registered', budget: 'lots', model: 'gpt', inputs: 'word=hey' });
  const said = 'problems' in plan ? plan.problems.map(({ message }) => message) : [];
  expect(said).toEqual([
    'budget: lots is not an amount of USD above 0',
    expect.stringContaining('there is no model'),
    expect.stringContaining('unknown model gpt'),
    expect.stringContaining('the input words is missing (.github/echelon/s.task:1:'),
    expect.stringContaining('the program has no input word; did you mean "words"?'),
  ]);
});
