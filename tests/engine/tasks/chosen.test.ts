// A task that was chosen for a request stays the one that was chosen, whoever answers when it is evaluated again.
import { expect, test } from 'vitest';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { nothingSpent, TaskError } from '../../../src/engine/language/result.ts';
import type { Entry } from '../../../packages/ground/journal/journal.ts';
import { over, resultsIn } from '../../ground/journal/in-memory.ts';
import { evaluating, failed, verdict } from './surroundings.ts';

const { library } = createLibrary(
  [
    '<task name="apples"><description>Counts the apples in the cellar</description></task>',
    '<task name="pears"><description>Counts the pears in the cellar</description></task>',
    `<task name="strict" subtype="evaluator"><description>Judges apples strictly</description>${verdict}</task>`,
    `<task name="kind" subtype="evaluator"><description>Judges pears kindly</description>${verdict}</task>`,
    '<task name="matching" subtype="matching"><inputs><input name="request"/><input name="tasks"/></inputs><description>{{request}}{{tasks}}</description><output name="matches" type="json"/></task>',
  ].map((text, n) => ({ file: `${n}.xml`, text })),
);

const loop =
  '<task type="director-evaluator"><director><task name="d"><instructions>go</instructions></task></director></task>';

const down = () =>
  new TaskError({ code: 'TASK_FAILURE', reason: 'model_failure' }, 'the provider is down', {
    notes: { dataUsage: { ...nothingSpent, cost_usd: 0.5 } },
  });

test.each([
  ['a subtask', { subtask_request: { description: 'count the apples' } }, 'apples', 'pears'],
  [
    'an evaluator',
    { evaluation_request: { type: 'evaluator', criteria: 'apples strictly' } },
    'strict',
    'kind',
  ],
])('%s', async (_what, notes, first, other) => {
  const kept: Entry[] = [];
  const once = (matching: 'down' | 'up', broken: boolean) =>
    evaluating(
      loop,
      {},
      (task, _n, { key }) => {
        if (task === 'matching')
          return matching === 'down' ? down() : JSON.stringify({ matches: [{ name: other, score: 1 }] });
        if (task !== 'd') return '{"status": "COMPLETE", "content": "c", "success": true, "feedback": null}';
        if (key.endsWith('director-1')) return JSON.stringify({ status: 'CONTINUATION', content: '', notes });
        return broken ? down() : 'done';
      },
      { library, step: over(kept).step },
    );
  const before = once('down', true);
  await before.result.catch((error: unknown) => expect(error).toBeInstanceOf(TaskError));
  expect(before.requests.map(({ task }) => task)).toContain(first);
  const again = once('up', false);
  await again.result;
  expect(again.requests.map(({ task }) => task)).not.toContain(other);
  expect(again.requests.map(({ task }) => task)).not.toContain('matching');
});

test('a choice is journalled under its own key', async () => {
  const kept: Entry[] = [];
  const { result } = evaluating(
    loop,
    {},
    (task, n) =>
      task === 'd' && n === 0
        ? '{"status": "CONTINUATION", "content": "", "notes": {"subtask_request": {"description": "count the apples"}}}'
        : down(),
    { library, step: over(kept).step },
  );
  await failed(result);
  expect(resultsIn(kept)['k/subtask-1/chosen']).toMatchObject({
    best: [{ name: 'apples' }, { name: 'pears' }],
    spent: { cost_usd: 0.5 },
  });
});
