// The text that each role is sent, for one small story, held against files in this folder: a change of a prompt is read there.
// `npx vitest run tests/prompts -u` writes them anew.
import { expect, test } from 'vitest';
import { rendered } from './rendered.ts';
import { engineerRequests, layersRequests, ownRequests, type Requests, wanted } from './requests.ts';

async function holds(requests: Requests, files: Record<string, string>): Promise<void> {
  for (const [task, file] of Object.entries(files)) {
    const request = requests.get(task);
    if (!request) throw new Error(`${task} was not asked; ${[...requests.keys()].join(', ')} were`);
    await expect(rendered(request)).toMatchFileSnapshot(`${file}.txt`);
  }
}

test('the layers, and the reviewer', async () => {
  const names = ['2ic', 'eng-lead', 'team-lead', 'reviewer'];
  await holds(await layersRequests(), Object.fromEntries(names.map(name => [name, name])));
});

test('the engineer and its evaluator, at an issue', async () => {
  const requests = await engineerRequests({}, 'It counts.');
  await holds(requests, {
    'engineer.director': 'engineer.director',
    'engineer.evaluator': 'engineer.evaluator',
  });
});

test('the engineer and its evaluator, at a pull request that is to be changed', async () => {
  const answers = [{ thread: 'T1', done: true, answer: 'Only those that are read.' }];
  const requests = await engineerRequests({ wanted }, JSON.stringify({ content: 'It counts.', answers }));
  await holds(requests, {
    'engineer.director': 'engineer.director-at-review',
    'engineer.evaluator': 'engineer.evaluator-at-review',
  });
});

test("the evaluator's own tasks", async () => {
  const names = ['associative_memory', 'reparse', 'matching', 'compile'];
  await holds(await ownRequests(), Object.fromEntries(names.map(name => [name, name])));
});
