// `/ready` and `/merge`: drafts become ready and are merged in their order, by people who may, and only what was seen.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { passes, round, toWork } from './script.ts';

/** #2 and #3, delivered as #4 and #5; `stacked`: the second builds on the first. */
const two = (config: string, stacked = false) => ({
  config: `approval: none\nmax_parallel: 1\n${config}`,
  replies: [
    ...toWork({ title: 'Light the lamp' }, { title: 'Read by it', ...(stacked && { depends_on: [1] }) }),
    ...passes('Title: "Light the lamp"', { 'lamp.txt': 'on\n' }),
    ...passes('Title: "Read by it"', { 'book.txt': 'open\n' }),
  ],
});
const auto = 'checks: auto\n';

type Pull = Record<'draft' | 'merged', boolean> & {
  base: { ref: string };
  head: Record<'sha' | 'ref', string>;
};
const pull = (d: Dialogue, number: number) => d.call<Pull>('you', 'GET', `/pulls/${number}`);
const merged = async (d: Dialogue) => [(await pull(d, 4)).merged, (await pull(d, 5)).merged];
const check = async (d: Dialogue, number: number, state: string) => {
  const { sha } = (await pull(d, number)).head;
  await d.call('you', 'POST', `/statuses/${sha}`, { state, context: 'ci' });
};
const push = async (d: Dialogue, branch: string, path: string) =>
  await d.call('wanda', 'PUT', `/contents/${path}`, { branch, message: 'More', content: 'bW9yZQo=' });

/** Once, when a pull request is merged. */
function whenMerged(phase: 'received' | 'applied', happens: () => Promise<unknown>) {
  const seen = { done: false };
  return {
    seen,
    async onCall({ route, method }: { route: string; method: string }, at: string) {
      if (seen.done || at !== phase || method !== 'PUT' || !route.endsWith('/merge')) return;
      seen.done = true;
      await happens();
    },
  };
}

test('a maintainer has all merged, what others build on first; nobody else can', async () => {
  await using d = await openDialogue(two(auto, true));
  await d.run();
  await d.comment('wanda', '/merge');
  expect(await d.last()).toContain('`/merge` needs maintain access');
  expect(await merged(d)).toEqual([false, false]);
  expect((await pull(d, 5)).base.ref).toContain('echelon/');
  await d.comment('mia', '/merge');
  expect(await d.last()).toBe('**Merged**: #4, #5.');
  expect(await merged(d)).toEqual([true, true]);
  expect((await pull(d, 5)).base.ref).toBe('main');
});

test('red checks stop it, running ones and those to come are waited for, and such drafts stay drafts', async () => {
  // Nothing runs it here: its checks are those that the test sets.
  const files = { '.github/workflows/ci.yml': 'on: push\n' };
  await using d = await openDialogue({ ...two(auto), files });
  await d.run();
  await check(d, 4, 'failure');
  await d.comment('wanda', '/ready');
  expect(await d.last()).toBe(
    '- **Not #4**: its checks are red (`ci: failure`).\n- **Not #5**: its checks have not begun.',
  );
  expect([(await pull(d, 4)).draft, (await pull(d, 5)).draft]).toEqual([true, true]);
  await d.comment('mia', '/merge');
  expect(await d.last()).toBe(
    '- **Not #4**: its checks are red (`ci: failure`).\n\nWhen that is changed, type `/merge` again.',
  );
  await check(d, 4, 'pending');
  await d.comment('mia', '/merge');
  expect(await d.last()).toContain('its checks have not ended (`ci`).\n\nIt goes on when that is over');
  expect(await merged(d)).toEqual([false, false]);
  for (const number of [4, 5]) await check(d, number, 'success');
  // Whatever comes has it look again.
  await d.call('wanda', 'POST', '/pulls/5/reviews', { event: 'COMMENT', body: 'Fine.' });
  await d.settled();
  expect(await merged(d)).toEqual([true, true]);
  expect(await d.last()).toBe('**Merged**: #4, #5.');
});

test('what an engineer is changing is not merged', async () => {
  const { replies, ...given } = two(auto);
  await using d = await openDialogue({ ...given, replies: [...replies, ...round('Brighter', {})] });
  await d.run();
  await d.comment('mia', '/fix #4 Brighter\n/merge');
  expect((await d.said()).join()).toContain('**Not #4**: the engineer is changing it');
  await d.until('the end of the round', async () => (await d.last(4)).includes('Round 1'));
  expect(await merged(d)).toEqual([false, false]);
});

test('a head that a person pushed just then is not merged', async () => {
  let d: Dialogue | undefined;
  const moves = whenMerged('received', async () => push(d!, (await pull(d!, 4)).head.ref, 'more.txt'));
  await using dialogue = await openDialogue({ ...two(auto), onCall: moves.onCall });
  d = dialogue;
  await d.run();
  await d.comment('mia', '/merge');
  expect(await merged(d)).toEqual([false, false]);
  expect((await d.said()).join()).toContain(
    '**Not #4**: GitHub does not merge it (Head branch was modified.',
  );
  await d.comment('mia', '/merge');
  expect(await merged(d)).toEqual([true, true]);
});

test('whoever may merge no more has nothing else merged', async () => {
  let d: Dialogue | undefined;
  const withdrawn = whenMerged('applied', async () => d!.permit('mia', 'write'));
  await using dialogue = await openDialogue({ ...two(auto), onCall: withdrawn.onCall });
  d = dialogue;
  await d.run();
  await d.comment('mia', '/merge');
  expect(await merged(d)).toEqual([true, false]);
  expect(await d.last()).toContain(
    '**Merged**: #4.\n\n- **Not #5**: its merge needs maintain access, which you do not have any more.',
  );
});

test.for(['received', 'applied'] as const)('a crash at a merge (%s): each is merged once', async phase => {
  const crash = whenMerged(phase, () => Promise.reject(new Error('the process dies')));
  await using d = await openDialogue({ ...two(auto), onCall: crash.onCall });
  await d.run();
  await d.call('mia', 'POST', '/issues/1/comments', { body: '/merge' });
  await d.until('a crash', () => crash.seen.done);
  await d.restart();
  await d.until('both merged', async () => (await d.last()).startsWith('**Merged**'));
  expect(await d.last()).toBe('**Merged**: #4, #5.');
  const commits = await d.call<{ commit: { message: string } }[]>('you', 'GET', '/commits?sha=main');
  expect(commits.filter(({ commit }) => commit.message.startsWith('Merge pull request'))).toHaveLength(2);
});

test('what conflicts with the base by now stops it', async () => {
  await using d = await openDialogue(two(auto));
  await d.run();
  await push(d, 'main', 'lamp.txt');
  await d.comment('mia', '/merge');
  expect(await d.last()).toContain(
    '(Pull Request is not mergeable); where it conflicts with `main`, type `/fix ...` there.',
  );
  expect(await merged(d)).toEqual([false, false]);
});

test('what nobody has read stays a draft, and is not merged', async () => {
  await using d = await openDialogue(two(''));
  await d.run();
  for (const command of ['/ready', '/merge']) {
    await d.comment('mia', command, 5);
    expect(await d.last(5)).toContain(
      '**Not #5**: its checks have not started: read the change, and type `/checks` on it.',
    );
  }
  expect(await pull(d, 5)).toMatchObject({ draft: true, merged: false });
  await d.comment('wanda', '/checks', 5);
  await d.comment('mia', '/merge', 5);
  expect(await d.last(5)).toBe('**Merged**: #5.');
  expect(await merged(d)).toEqual([false, true]);
});
