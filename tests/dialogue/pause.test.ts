// /pause and /resume: nothing more is started, what runs goes on to its end, on whatever page they are written.
import { expect, test } from 'vitest';
import { until } from '../until.ts';
import { type Dialogue, openDialogue } from './fixture.ts';
import { playedOnce } from './played-once.ts';
import { director, evaluator, toWork, waiting } from './script.ts';

const openWaiting = playedOnce(waiting);

const two = {
  config: 'max_parallel: 1\n',
  replies: [
    ...toWork({ title: 'Light the lamp' }, { title: 'Dust the shelf' }),
    ...director('Title: "Light the lamp"', { lamp: 'on\n' }),
    evaluator('Light the lamp', true),
    ...director('Title: "Dust the shelf"', { dust: 'none\n' }),
    evaluator('Dust the shelf', true),
  ],
};
const isDone = (d: Dialogue, issue: number) => () =>
  d.events.some(event => event.type === 'slot_changed' && event.issue === issue && event.to === 'done');

test('what waits for a decision can be paused, decided, and goes on after /resume', async () => {
  await using d = await openWaiting();
  const pause = await d.comment('wanda', '/pause');
  expect(await d.status()).toBe('paused');
  expect(await d.reactions(pause)).toEqual(['eyes', 'rocket']);
  const resume = await d.comment('you', '/resume');
  expect(await d.status()).toBe('waiting: approval');
  expect(await d.reactions(resume)).toEqual(['eyes', 'rocket']);
});

test('a pause within the cascade: the layer that replies is heard, the next one is not asked before /resume', async () => {
  let pause = async (_call: { method: string }) => {};
  await using d = await openDialogue({
    ...waiting,
    // The pause comes while the first layer's reply is saved in the run comment.
    onCall: call => pause(call),
    debug: true,
  });
  pause = async ({ method }) => {
    if (method !== 'PATCH' || !d.logged.some(line => line.startsWith('event model_reply'))) return;
    pause = async () => {};
    const said = { body: '/pause' };
    const { id } = await d.call<{ id: number }>('you', 'POST', `/issues/${d.issue}/comments`, said);
    await until('the eyes', async () => (await d.reactions(id)).at(0));
  };
  await d.label();
  expect(await d.status()).toBe('paused');
  const asked = () => d.events.flatMap(event => (event.type === 'message' ? [event.layer] : []));
  expect(asked()).toEqual(['2ic']);
  await d.comment('you', '/resume');
  expect(asked()).toEqual(['2ic', 'eng-lead', 'team-lead']);
  expect(await d.status()).toBe('waiting: approval');
});

test('approved while paused: issues are created, no engineer starts; after a restart neither, until somebody who may writes /resume', async () => {
  await using d = await openDialogue(two);
  await d.label();
  await d.comment('you', '/pause');
  await d.comment('you', '/approve');
  expect(await d.status()).toBe('paused');
  await d.restart();
  expect(d.attemptFolders()).toEqual([]);
  expect(await d.status()).toBe('paused');
  await d.comment('rita', '/resume', 2);
  expect(await d.last(2)).toBe('`/resume` needs write access to this repository; `rita` has read.');
  expect(await d.status()).toBe('paused');
  await d.comment('you', '/resume', 2);
  await d.ended();
  expect(await d.status()).toBe('completed');
});

test('a pause while an engineer works: that one is delivered, the next waits', async () => {
  await using d = await openDialogue(two);
  await d.label();
  await d.comment('you', '/approve');
  // On a sub-issue: it is the run's all the same.
  await d.comment('you', '/pause', 2);
  await d.until('the first is delivered', isDone(d, 2));
  expect(await d.status()).toBe('paused');
  expect(d.attemptFolders()).toHaveLength(1);
  await d.comment('you', '/resume');
  await d.ended();
  expect(isDone(d, 3)()).toBe(true);
});
