// `limits.open_drafts`: finished work beyond the limit waits as a branch, and opens when a draft is merged or closed.
import { expect, test } from 'vitest';
import { alike, type Dialogue, type Given, openDialogue } from './fixture.ts';
import { passes, toWork } from './script.ts';

const limited = (limits: string, rest = '') =>
  `approval: none\ndraft: false\nmax_parallel: 1\nlimits: { open_drafts: { ${limits} } }\n${rest}`;
const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
const files = (title: string) => ({ [`${title.toLowerCase()}.txt`]: 'x\n' });

/** So many siblings, of which two drafts may be open. */
const siblings = (count: number, rest: Given = {}) => {
  const names = titles.slice(0, count);
  const works = names.flatMap(title => passes(`Title: "${title}"`, files(title)));
  const replies = [...toWork(...names.map(title => ({ title }))), ...works];
  return openDialogue({ config: limited('run: 2'), replies, ...rest });
};

interface Pull {
  number: number;
  title: string;
  base: { ref: string };
}
const open = async (d: Dialogue) =>
  (await d.call<Pull[]>('you', 'GET', '/pulls'))
    .toSorted((a, b) => a.number - b.number)
    .map(({ number, title }) => `#${number} ${title}`);
const merge = async (d: Dialogue, pull: number) => {
  await d.call('wanda', 'PUT', `/pulls/${pull}/merge`, { merge_method: 'squash' });
  await d.settled();
};

test('six siblings, two open drafts: each merge or closing opens the next, in order, and nothing is worked again', async () => {
  await using d = await siblings(6);
  await d.run();
  expect(await open(d)).toEqual(['#8 One', '#9 Two']);
  expect(await d.branches()).toHaveLength(6);
  const board = alike((await d.board()).body);
  expect(board).toContain('Done: 2 of 6 issues delivered; review and merge 2 pull requests, #8 first');
  expect(board.split('\n').filter(line => line.includes('queued'))).toMatchInlineSnapshot(`
    [
      "| #4 Three | finished, queued | the merge or closing of one of #8, #9, then opens by itself | green |  | $0.00 (est. $0.05) |",
      "| #5 Four | finished, queued | the merge or closing of one of #8, #9, then opens by itself | green |  | $0.00 (est. $0.05) |",
      "| #6 Five | finished, queued | the merge or closing of one of #8, #9, then opens by itself | green |  | $0.00 (est. $0.05) |",
      "| #7 Six | finished, queued | the merge or closing of one of #8, #9, then opens by itself | green |  | $0.00 (est. $0.05) |",
    ]
  `);
  expect((await d.last()).split('\n\nIt cost')[0]).toMatchInlineSnapshot(`
    "The run is completed. Of 6 issues: 2 delivered, 4 finished, queued.

    **Review, then merge in this order:**

    1. #8 for #2, One
    2. #9 for #3, Two

    Merged into the base branch as it is now, the work passes the tests.

    **Not delivered:**

    - #4 finished, queued: waits for the merge or closing of one of #8, #9, then opens by itself (on \`echelon/<hex>/4-three\`)
    - #5 finished, queued: waits for the merge or closing of one of #8, #9, then opens by itself (on \`echelon/<hex>/5-four\`)
    - #6 finished, queued: waits for the merge or closing of one of #8, #9, then opens by itself (on \`echelon/<hex>/6-five\`)
    - #7 finished, queued: waits for the merge or closing of one of #8, #9, then opens by itself (on \`echelon/<hex>/7-six\`)"
  `);
  await d.comment('wanda', '/fix #4 more');
  expect(await d.last()).toMatchInlineSnapshot(
    `"\`/fix\` by \`wanda\` was not followed: #4 has no pull request yet: say it there once it is open."`,
  );
  await merge(d, 8);
  expect(await open(d)).toEqual(['#9 Two', '#10 Three']);
  await d.call('wanda', 'PATCH', '/pulls/9', { state: 'closed' });
  await d.settled();
  expect(await open(d)).toEqual(['#10 Three', '#11 Four']);
  await merge(d, 11);
  await merge(d, 10);
  expect(await open(d)).toEqual(['#12 Five', '#13 Six']);
  expect(d.attemptFolders()).toHaveLength(6);
});

test('a merge that nobody told of opens the next when it is looked for', async () => {
  await using d = await siblings(3);
  await d.run();
  await d.whileAway(async forge => {
    await forge.call('wanda', 'PUT', '/repos/you/shelf/pulls/5/merge', {});
  });
  await d.local.webhooks.reconcileAll(true);
  await d.settled();
  expect(await open(d)).toEqual(['#6 Two', '#7 Three']);
});

test.for(['received', 'applied'] as const)('killed when the next opens (%s): it opens once', async at => {
  let dies = false;
  await using d = await siblings(3, {
    onCall({ method, path }, phase) {
      if (!dies || method !== 'POST' || !path.endsWith('/pulls') || phase !== at) return;
      dies = false;
      throw new Error('the process dies');
    },
  });
  await d.run();
  dies = true;
  await merge(d, 5);
  await d.restart();
  await d.until('it is open', async () => (await open(d)).length === 2);
  expect([await open(d), dies]).toEqual([['#6 Two', '#7 Three'], false]);
});

test('what depends on finished work begins at its branch, and opens where that was merged', async () => {
  await using d = await openDialogue({
    config: limited('run: 1'),
    replies: [
      ...toWork({ title: 'One' }, { title: 'Two' }, { title: 'Three', depends_on: [2] }),
      ...['One', 'Two', 'Three'].flatMap(title => passes(`Title: "${title}"`, files(title))),
    ],
  });
  await d.run();
  expect(await open(d)).toEqual(['#5 Two']);
  await merge(d, 5);
  await merge(d, 6);
  const [pull] = await d.call<Pull[]>('you', 'GET', '/pulls');
  expect(pull).toMatchObject({ number: 7, title: 'Three', base: { ref: 'main' } });
  const changed = await d.call<{ filename: string }[]>('you', 'GET', '/pulls/7/files');
  expect(changed.map(({ filename }) => filename)).toEqual(['three.txt']);
});

test('a repository with as many as it may have: the place that another run leaves is taken', async () => {
  await using d = await openDialogue({
    config: limited('repository: 1'),
    replies: [...toWork({ title: 'One' }), ...passes('Title: "One"', files('One'))],
  });
  await d.run();
  const { number } = await d.call<{ number: number }>('you', 'POST', '/issues', { title: 'More', body: '' });
  await d.call('you', 'POST', `/issues/${number}/labels`, { labels: ['echelon'] });
  await d.until('it waits', async () => (await d.last(number)).includes('waits for a place'));
  expect(await open(d)).toEqual(['#3 One']);
  await merge(d, 3);
  await d.until('it is open', async () => (await open(d)).includes('#6 One'));
});

test('a cancelled run opens nothing more, and says where its work is', async () => {
  await using d = await siblings(3);
  await d.run();
  await d.comment('wanda', '/cancel');
  expect(await d.last()).toMatchInlineSnapshot(
    `
    "The run was cancelled. Of 3 issues: 2 delivered, 1 finished, queued.

    Cancelled by wanda.

    **Review, then merge in this order:**

    1. #5 for #2, One
    2. #6 for #3, Two

    **Not delivered:**

    - #4 finished, queued (on \`echelon/<hex>/4-three\`)

    Take the label off and put it on again to begin anew.

    It cost $0.00 of $50.00 and took N s; estimated were about $0.15 (0.06 to 0.45), N minutes (N to N). It was played by the scripted model.

    <details><summary>Estimated and actual, by issue</summary>

    | Issue | Estimated | Cost | Estimated | Took |
    | --- | --- | --- | --- | --- |
    | #2 | $0.05 (0.02 to 0.15) | $0.00 | N min (N to N) | 1 min |
    | #3 | $0.05 (0.02 to 0.15) | $0.00 | N min (N to N) | 1 min |
    | #4 | $0.05 (0.02 to 0.15) | $0.00 | N min (N to N) | 1 min |
    | Planning | $0.00 | $0.00 |  |  |
    | **In all** | $0.15 (0.06 to 0.45) | $0.00 | N min (N to N) | 1 min |

    </details>"
  `,
  );
});
