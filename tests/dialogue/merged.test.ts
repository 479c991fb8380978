// `create_pr: false`: finished work is merged into the base branch, without a pull request.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alike, type Dialogue, openDialogue } from './fixture.ts';
import { director, evaluator, passes, type Reply, toWork } from './script.ts';

const lamp = (...rounds: Reply[]): Reply[] => [
  ...toWork({ title: 'Light the lamp' }),
  ...(rounds.length > 0 ? rounds : director('Light the lamp', { 'lamp.txt': 'on\n' }, 'The lamp is on.')),
  evaluator('Light the lamp', true),
];
const merges = 'create_pr: false\n';
const alone = `${merges}approval: none\n`;

const onMain = async (d: Dialogue, path: string) => {
  const file = await d.call<{ content: string }>('you', 'GET', `/contents/${path}`);
  return Buffer.from(file.content, 'base64').toString();
};
const subjects = async (d: Dialogue) =>
  (await d.call<{ commit: { message: string } }[]>('you', 'GET', '/commits?sha=main')).map(
    ({ commit }) => commit.message.split('\n')[0],
  );
const state = async (d: Dialogue, issue: number) =>
  (await d.call<{ state: string }>('you', 'GET', `/issues/${issue}`)).state;

test('said before anything is done; then merged, told, closed, and what depends on it begins there', async () => {
  await using d = await openDialogue({
    config: merges,
    replies: [
      ...toWork({ title: 'Light the lamp' }, { title: 'Read by it', depends_on: [1] }),
      ...passes('Title: "Light the lamp"', { 'lamp.txt': 'on\n', '.npmrc': '#\n' }, 'The lamp is on.'),
      ...passes('Title: "Read by it"', { 'book.txt': 'open\n' }),
    ],
  });
  await d.label();
  const [listing] = await d.listings();
  expect(listing!.body).toContain('the branch of each finished issue is merged into `main`');
  await d.comment('wanda', '/approve');
  await d.ended();
  expect([await onMain(d, 'lamp.txt'), await onMain(d, 'book.txt')]).toEqual(['on\n', 'open\n']);
  expect([await state(d, 2), await state(d, 3), await d.status()]).toEqual(['closed', 'closed', 'completed']);
  expect(await d.call<unknown[]>('you', 'GET', '/pulls?state=all')).toEqual([]);
  const bases = d
    .attemptFolders()
    .map(folder => JSON.parse(readFileSync(join(folder, 'job.json'), 'utf8')) as Record<string, unknown>)
    .find(({ issue }) => JSON.stringify(issue).includes('Read by it'));
  const firstMerge = (
    await d.call<{ sha: string; commit: { message: string } }[]>('you', 'GET', '/commits')
  ).find(({ commit }) => commit.message.startsWith('Merge #2'));
  expect(bases?.['base']).toBe(firstMerge!.sha);
  expect(await d.last(2)).toMatchInlineSnapshot(`
    "**Merged into \`main\`** as <hex>, without review.

    The lamp is on.

    **Read with care**: this changes what coding agents are told, what runs on a contributor's machine or in CI, or what a diff shows: \`.npmrc\`.

    **Tests**, before it was merged: \`sh test.sh\` exited 0. The evaluator accepted the change after 1 round.

    <sub>$0.00 · branch \`echelon/<hex>/2-light-the-lamp\` · to take it back: \`git revert -m 1 <hex>\`</sub>"
  `);
  expect(await d.last()).toMatchInlineSnapshot(`
    "The run is completed. Of 2 issues: 2 merged.

    **Merged into \`main\`, without review**: #2, #3. This issue can be closed.

    It cost $0.00 of $50.00 and took N s; estimated were about $0.10 (0.04 to 0.30), N minutes (N to N). It was played by the scripted model.

    <details><summary>Estimated and actual, by issue</summary>

    | Issue | Estimated | Cost | Estimated | Took |
    | --- | --- | --- | --- | --- |
    | #2 | $0.05 (0.02 to 0.15) | $0.00 | N min (N to N) | 1 min |
    | #3 | $0.05 (0.02 to 0.15) | $0.00 | N min (N to N) | 1 min |
    | Planning | $0.00 | $0.00 |  |  |
    | **In all** | $0.10 (0.04 to 0.30) | $0.00 | N min (N to N) | 1 min |

    </details>"
  `);
  expect(alike((await d.board()).body)).toContain('planned · approved · built · merged');
});

/** Once, when the branch is pushed, and when it is merged: what happens then. */
function when(route: string, phase: 'received' | 'applied', happens: () => Promise<unknown> | never) {
  let done = false;
  return {
    done: () => done,
    async onCall(call: { route: string; method: string }, at: string) {
      if (done || at !== phase || !call.route.endsWith(route) || call.method !== 'POST') return;
      done = true;
      await happens();
    },
  };
}

test.for(['received', 'applied'] as const)('a crash when it is merged (%s): merged once', async phase => {
  const crash = when('/merges', phase, () => {
    throw new Error('the process dies');
  });
  await using d = await openDialogue({ config: alone, replies: lamp(), onCall: crash.onCall });
  await d.label();
  await d.until('a crash', crash.done);
  await d.restart();
  await d.until('the end', async () => (await d.status()) === 'completed');
  expect(await subjects(d)).toEqual(['Merge #2: Light the lamp', 'Light the lamp', 'A shelf']);
  expect(await d.said(2)).toHaveLength(1);
});

test('without approval the first comment says it; somebody changes the base branch meanwhile: the two are merged, and nothing is worked again', async () => {
  const replies = lamp(...director('Light the lamp', { 'lamp.txt': 'on\n' }));
  await using d = await openDialogue({ config: alone, files: { 'shelf.txt': '' }, replies });
  const off = d.local.installations.bus.on(event => {
    if (event.type !== 'slot_changed' || event.to !== 'running') return;
    off();
    void d.putFile('shelf.txt', 'stands\n');
  });
  await d.run();
  const [first] = await d.comments();
  expect(first!.body).toContain('is merged into `main`, and nobody is asked before');
  expect([await onMain(d, 'lamp.txt'), await onMain(d, 'shelf.txt')]).toEqual(['on\n', 'stands\n']);
  expect(d.attemptFolders()).toHaveLength(1);
});

test('what does not fit any more when it is merged is worked again, from the base branch as it is', async () => {
  const own = director('Light the lamp', { 'README.md': '# A shelf with a lamp\n' });
  const change = when('/merges', 'received', () => d.putFile('README.md', '# Another shelf\n'));
  const d = await openDialogue({ config: alone, replies: lamp(...own), onCall: change.onCall });
  await using _ = d;
  await d.run();
  expect(await onMain(d, 'README.md')).toBe('# A shelf with a lamp\n');
  const retried = d.events.find(event => event.type === 'slot_changed' && event.to === 'retrying');
  expect(retried).toMatchObject({
    reason:
      'the change does not fit what the base branch has become: main has changed meanwhile, and the two conflict in `README.md`',
  });
});

test('a refusal like that of a conflict, of a base branch that nobody changed: an end, and no further try', async () => {
  const main = '/git/refs/heads/main';
  let before = '';
  const d = await openDialogue({
    config: alone,
    replies: lamp(),
    async onCall({ route, method }, phase) {
      if (method !== 'POST' || !route.endsWith('/merges')) return;
      if (phase === 'received') {
        before = (await d.call<{ object: { sha: string } }>('you', 'GET', '/git/ref/heads/main')).object.sha;
        await d.call('you', 'PUT', '/contents/lamp.txt', { message: 'Mine', content: 'bWluZQ==' });
      } else await d.call('you', 'PATCH', main, { sha: before, force: true });
    },
  });
  await using _ = d;
  await d.run();
  expect([await d.status(), await subjects(d)]).toEqual(['failed', ['A shelf']]);
  expect(await d.last(2)).toContain('GitHub does not have it merged into main (Merge conflict');
  expect(d.forge.calls.filter(({ route }) => route.endsWith('/merges'))).toHaveLength(1);
});

test('a base branch that takes no merge: an honest end, the branch kept, and what to do', async () => {
  const refs = '/git/refs';
  const away = when('/merges', 'received', () => d.call('you', 'DELETE', `${refs}/heads/trunk`));
  const d = await openDialogue({ config: `${alone}base: trunk\n`, replies: lamp(), onCall: away.onCall });
  await using _ = d;
  const { object } = await d.call<{ object: { sha: string } }>('you', 'GET', '/git/ref/heads/main');
  const trunk = { ref: 'refs/heads/trunk', sha: object.sha };
  await d.call('you', 'POST', refs, trunk);
  await d.run();
  expect([await d.status(), await state(d, 2)]).toEqual(['failed', 'open']);
  expect((await d.branches()).map(name => name.replace(/.*\//, ''))).toEqual(['2-light-the-lamp']);
  expect(await d.last(2)).toMatchInlineSnapshot(`
    "**This issue is finished, but not delivered**: the branch could not be merged into the base branch.

    **Tests**: \`sh test.sh\` exited 0.

    In detail:

    > GitHub does not have it merged into trunk (Base does not exist - https://docs.github.com/rest). Open a pull request of the branch and merge that; or let the App push to trunk where that is protected

    The finished work is kept on the branch \`echelon/<hex>/2-light-the-lamp\`, without a pull request.

    When that is changed, type \`/retry #2\` on #1: the finished work is delivered as it is, and no model is called. (1 attempt, 1 round in the last one, $0.00)"
  `);
  await d.call('you', 'POST', refs, trunk);
  await d.comment('wanda', '/retry #2');
  await d.until('it is merged', async () => (await d.status()) === 'completed');
  expect(await state(d, 2)).toBe('closed');
});
