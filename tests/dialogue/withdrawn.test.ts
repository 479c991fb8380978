// Approved and then withdrawn actions are not performed: before the first effect, and between any two effects.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { branch, engineeringLead, issues, passes, quietLeads, strategist, teamLead, work } from './script.ts';

/** An issue that a person is to do, so that nothing more comes of it. */
const planned = (title: string, more: object = {}) => ({ title, assignee: 'mia', ...more });
const created = async (d: Dialogue) =>
  (await d.call<{ title: string; pull_request?: object }[]>('you', 'GET', '/issues?state=all'))
    .filter(each => !each.pull_request)
    .map(({ title }) => title)
    .filter(title => title.startsWith('No. '))
    .toReversed();

/** Three issues wait as a1; `withdraw` happens once wanda has approved and the first of them is created. */
async function withdrawnAfterTheFirst(
  withdraw: (d: Dialogue, approval: number, listing: number) => Promise<unknown>,
): Promise<Dialogue> {
  let opened: Dialogue | undefined;
  let withdrawing = false;
  const d = await openDialogue({
    replies: [
      ...quietLeads,
      teamLead(
        'Three.',
        issues(planned('No. 1'), planned('No. 2', { depends_on: [1] }), planned('No. 3')),
        work,
      ),
    ],
    async onCall(call, phase) {
      if (!opened || withdrawing || phase !== 'applied') return;
      if (call.method !== 'POST' || !call.path.endsWith('/issues')) return;
      withdrawing = true;
      const said = await opened.comments();
      const approval = said.findLast(({ user }) => user.login === 'wanda')!;
      await withdraw(opened, approval.id, (await opened.listings())[0]!.id);
    },
  });
  await d.label();
  opened = d;
  await d.comment('wanda', '/approve');
  return d;
}

test.for<[string, string, (d: Dialogue, approval: number, listing: number) => Promise<unknown>]>([
  [
    'the comment that approved is deleted',
    'the comment by wanda that approved was deleted',
    (d, approval) => d.call('wanda', 'DELETE', `/issues/comments/${approval}`),
  ],
  [
    'the listing is edited and edited back',
    'the listing was edited by mia',
    async (d, _approval, listing) => {
      const { body } = (await d.comments()).find(({ id }) => id === listing)!;
      await d.edit('mia', listing, 'Something else.');
      await d.edit('mia', listing, body);
    },
  ],
  [
    'who approved may only read any more',
    'wanda, who approved, has only read access now',
    async d => d.permit('wanda', 'read'),
  ],
  [
    'the description of the directive is changed',
    'the title or the description of this issue was changed since',
    d => d.call('you', 'PATCH', `/issues/${d.issue}`, { body: 'Something else.' }),
  ],
  [
    'the label is taken off',
    'the label echelon was taken off. Put it on again first',
    d => d.call('you', 'DELETE', `/issues/${d.issue}/labels/echelon`),
  ],
])('%s after the first creation: the rest is not created, and is listed again', async ([, why, withdraw]) => {
  await using d = await withdrawnAfterTheFirst(withdraw);
  expect(await created(d)).toEqual(['No. 1']);
  const { body } = (await d.listings()).at(-1)!;
  expect(body).toContain(why);
  expect(body).toContain('#2 was created by then and stays; what is left is listed again.');
  expect(body).not.toContain('`No. 1`');
  expect(body).toContain('**2.** `No. 2`');
  expect(body).toContain('**3.** `No. 3`');
  expect(await d.status()).toBe('waiting: approval');
});

test('the directive is closed after the first creation: no more is created', async () => {
  await using d = await withdrawnAfterTheFirst(each =>
    each.call('you', 'PATCH', `/issues/${each.issue}`, { state: 'closed' }),
  );
  expect(await created(d)).toEqual(['No. 1']);
});

test('what is listed again and approved again is created once, and knows what was there before', async () => {
  await using d = await withdrawnAfterTheFirst((each, approval) => each.edit('wanda', approval, 'Wait.'));
  await d.restart();
  expect(await created(d)).toEqual(['No. 1']);
  await d.comment('mia', '/approve');
  expect(await created(d)).toEqual(['No. 1', 'No. 2', 'No. 3']);
  const [, , second] = await d.call<{ title: string; body: string }[]>(
    'you',
    'GET',
    '/issues?state=all&direction=asc',
  );
  expect(second!.body).toContain('After #2.');
  await d.ended();
  expect((await d.board()).body).not.toContain('does not count');
});

test('an approval that was withdrawn while another listing waited does not count', async () => {
  await using d = await openDialogue({
    replies: [
      strategist('As directed.'),
      engineeringLead('Two places.', branch('left'), branch('right')),
      teamLead('Nothing to do.'),
      { ...engineeringLead('Another place.', branch('middle')), when: 'right is taken' },
    ],
  });
  await d.label();
  const approval = await d.comment('wanda', '/approve a1');
  await d.comment('wanda', '/reject a2 right is taken');
  await d.edit('wanda', approval, 'Wait.');
  await d.comment('wanda', '/approve a3');
  const names = (await d.call<{ name: string }[]>('you', 'GET', '/branches')).map(({ name }) => name);
  expect(names).toEqual(['main']);
  expect(await d.last()).toContain('the comment by wanda that approved was edited');
  await d.comment('mia', '/approve');
  const then = (await d.call<{ name: string }[]>('you', 'GET', '/branches')).map(({ name }) => name);
  expect(then).toEqual(['left', 'main', 'middle']);
});

test('a look between two creations is one read of the issue, and one of the rights', async () => {
  await using d = await openDialogue({
    replies: [
      ...quietLeads,
      teamLead('Three.', issues(planned('No. 1'), planned('No. 2'), planned('No. 3'))),
    ],
  });
  await d.label();
  const before = d.forge.calls.length;
  await d.comment('wanda', '/approve');
  const calls = d.forge.calls
    .slice(before)
    .map(({ method, path }) => `${method} ${path.replace(/^\/repos\/you\/shelf/, '')}`);
  const from = calls.indexOf('POST /issues');
  const to = calls.indexOf('POST /issues', from + 1);
  expect(calls.slice(from + 1, to)).toEqual([
    'POST /issues/1/sub_issues',
    'POST /graphql',
    'GET /collaborators/wanda/permission',
  ]);
});

test('a number in a schedule is a place of its listing, over all its actions, whatever of it was rejected', async () => {
  await using d = await openDialogue({
    replies: [
      ...quietLeads,
      teamLead(
        'Three.',
        issues({ title: 'No. 1' }, { title: 'No. 2' }),
        issues({ title: 'No. 3', depends_on: [] }),
        {
          action: 'schedule',
          issues: [1, 3],
        },
      ),
      { ...teamLead('Then not.'), when: 'The person rejected' },
      ...passes('Title: "No. 3"', { 'three.txt': '3\n' }),
    ],
  });
  await d.label();
  expect((await d.listings())[0]!.body).toContain('**3.** `No. 3`');
  await d.comment('wanda', '/approve a2 a3');
  await d.comment('wanda', '/reject a1 not these');
  await d.ended();
  expect(await created(d)).toEqual(['No. 3']);
  const pulls = await d.call<{ title: string }[]>('you', 'GET', '/pulls?state=all');
  expect(pulls.map(({ title }) => title)).toEqual(['No. 3']);
  expect(await d.last()).toContain('no. 1 was not created by this run');
});

test('numbers of what a layer answers to a rejection are places of the new listing', async () => {
  await using d = await openDialogue({
    replies: [
      ...quietLeads,
      teamLead('Two.', issues(planned('No. 1')), issues({ title: 'No. 2' })),
      {
        ...teamLead('Another.', issues({ title: 'No. 3' }), { action: 'schedule', issues: [1] }),
        when: 'The person rejected',
      },
      ...passes('Title: "No. 3"', { 'three.txt': '3\n' }),
    ],
  });
  await d.label();
  await d.comment('wanda', '/approve a1\n/reject a2 another');
  await d.comment('wanda', '/approve');
  await d.ended();
  const pulls = await d.call<{ title: string }[]>('you', 'GET', '/pulls?state=all');
  expect(pulls.map(({ title }) => title)).toEqual(['No. 3']);
});
