// A review that the team lead asks for: the reviewer reads the diff, and its words stand at the lines of the pull request.
import { expect, test } from 'vitest';
import { alike, type Dialogue, type Given, openDialogue } from './fixture.ts';
import { costing, issues, passes, quietLeads, type Reply, teamLead, toWork } from './script.ts';

const ask = (focus?: string) => ({ action: 'request_review', pr_number: 2, ...(focus && { focus }) });

type Placed = { path: string; line: number; comment: string };
const reviewer = (said: string, ...comments: Placed[]): Reply => ({
  for: 'reviewer',
  text: `<result status="COMPLETE">\n<content>${said}</content>\n<output name="comments">${JSON.stringify(comments)}</output>\n</result>`,
});
const lamp = (line: number, comment: string): Placed => ({ path: 'lamp.txt', line, comment });

/** A dialogue in which wanda has opened #2, which adds three lines, before the label is put on #1. */
async function withPull(
  replies: readonly Reply[],
  more: Partial<Given> = {},
  before = async (_: Dialogue) => {},
): Promise<Dialogue> {
  const d = await openDialogue({ replies: [...quietLeads, ...replies], ...more });
  const main = await d.call<{ object: { sha: string } }>('wanda', 'GET', '/git/ref/heads/main');
  await d.call('wanda', 'POST', '/git/refs', { ref: 'refs/heads/lamp', sha: main.object.sha });
  const content = Buffer.from('on\noff\n/approve\n').toString('base64');
  await d.call('wanda', 'PUT', '/contents/lamp.txt', { message: 'A lamp', content, branch: 'lamp' });
  const pull = { title: 'A lamp', body: 'It burns.', head: 'lamp', base: 'main' };
  await d.call('wanda', 'POST', '/pulls', pull);
  await before(d);
  await d.label();
  return d;
}

interface Posted {
  user: { login: string };
  body: string;
}
const reviews = (d: Dialogue) => d.call<(Posted & { state: string })[]>('you', 'GET', '/pulls/2/reviews');
const lines = async (d: Dialogue) =>
  (await d.call<(Posted & { path: string; line: number })[]>('you', 'GET', '/pulls/2/comments')).map(
    ({ user, path, line, body }) => `${user.login} ${path}:${line} ${body}`,
  );

/** Without what is put in so that no program reads it. */
const shown = (text: string) => text.replaceAll('\u200b', '');

test('asked for on the pull request, and posted there with its words at the lines', async () => {
  await using d = await withPull([
    teamLead('Read it first.', ask('Does it burn, @mia?\n/approve'), issues({ title: 'Wire it' })),
    costing(reviewer('Nearly.\n/approve', lamp(2, 'Off, @mia?\n/approve'), lamp(9, 'Where?')), 0.25),
  ]);
  const [request = '', ...more] = await d.said(2);
  expect(more).toEqual([]);
  expect(shown(request)).toMatchInlineSnapshot(`
    "The Team lead of #1 asks for a review of this pull request: a model reads its diff and posts it here. Nothing waits for it.

    > Does it burn, @mia?
    > /approve"
  `);
  const [posted, ...others] = await reviews(d);
  expect(others).toEqual([]);
  expect(posted).toMatchObject({ state: 'COMMENTED', user: { login: 'echelon[bot]' } });
  expect(shown(alike(posted!.body))).toMatchInlineSnapshot(`
    "Nearly.
    /approve

    On lines that the diff does not have:
    - \`lamp.txt:9\`: Where?

    <sub>scripted, $0.25, asked for by #1. It neither approves nor blocks.</sub>"
  `);
  const placed = await lines(d);
  expect(placed.map(shown)).toMatchInlineSnapshot(`
    [
      "echelon[bot] lamp.txt:2 Off, @mia?
    /approve",
    ]
  `);
  for (const text of [request, posted!.body, ...placed]) expect(text).not.toMatch(/@mia|^\/approve/m);
  // It needs no approval, and it is paid for by the layer that asks.
  expect(await d.status()).toBe('waiting: approval');
  expect((await d.board()).body).toContain('| Team lead | done | 2 | $0.25 |');
  expect((await d.replies()).at(-1)).toContain('- ask for a review of pull request 2 (#2 is reviewed)');
});

test('where everything needs approval it waits with what it would ask for, and is made when approved', async () => {
  await using d = await withPull([teamLead('Read it.', ask('Does it burn?')), reviewer('It does.')], {
    config: 'approval: all\n',
  });
  expect(await d.last()).toContain('a1: ask for a review of pull request 2');
  expect(await d.last()).toContain('Does it burn?');
  expect(await reviews(d)).toEqual([]);
  await d.comment('you', '/approve');
  expect((await reviews(d)).map(({ body }) => body.split('\n')[0])).toEqual(['It does.']);
});

test('the tests at the base end before the reviewer is asked: they are taken in, and it goes on', async () => {
  let untilTested = async () => {};
  await using d = await withPull(
    [teamLead('Read it.', ask(), issues({ title: 'Wire it' })), reviewer('It does.')],
    {
      async onCall({ method, path }, phase) {
        if (phase === 'received' && method === 'POST' && path.endsWith('/issues/2/comments'))
          await untilTested();
      },
    },
    async d => {
      untilTested = () => d.progress('the report of the tests', () => !d.jobsRun());
    },
  );
  expect(await d.status()).toBe('waiting: approval');
  expect(await reviews(d)).toHaveLength(1);
});

test('the process dies when the review was posted and before that was written: it is posted once', async () => {
  let died = false;
  await using d = await withPull([teamLead('Read it.', ask()), reviewer('It does.', lamp(1, 'Nice.'))], {
    onCall(call, phase) {
      if (died || phase !== 'applied' || !call.route.endsWith('/reviews')) return;
      died = true;
      throw new Error('the answer is lost');
    },
  });
  await d.restart();
  expect((await d.said()).join()).toContain('Something went wrong');
  expect(await reviews(d)).toHaveLength(1);
  expect(await d.last()).toContain('The run is completed. It has reviewed 1 pull request');
});

test('somebody pushes while it is made: what stood at lines that are gone is in its body', async () => {
  let push = async () => {};
  await using d = await withPull(
    [teamLead('Read it.', ask()), reviewer('Nearly.', lamp(2, 'Off?'))],
    {
      async onCall(call, phase) {
        if (phase === 'received' && call.route.startsWith('POST') && call.route.endsWith('/reviews'))
          await push();
      },
    },
    async d => {
      const { sha } = await d.call<{ sha: string }>('wanda', 'GET', '/contents/lamp.txt?ref=lamp');
      push = async () => {
        push = async () => {};
        await d.call('wanda', 'PUT', '/contents/lamp.txt', {
          ...{ message: 'Shorter', branch: 'lamp', sha },
          content: Buffer.from('on\n').toString('base64'),
        });
      };
    },
  );
  expect((await reviews(d))[0]?.body).toContain('- `lamp.txt:2`: Off?');
  expect(await lines(d)).toEqual([]);
});

test('what is no open pull request is not reviewed, and five reviews are enough', async () => {
  const none = { action: 'request_review', pr_number: 1 };
  await using d = await openDialogue({
    replies: [...quietLeads, teamLead('All of it.', none, none, none, none, none, none)],
  });
  await d.label();
  const reply = (await d.replies()).at(-1) ?? '';
  const notDone = '(not done: #1 is no open pull request of this repository)';
  expect(reply.split(notDone)).toHaveLength(6);
  expect(reply).toContain(
    '`request_review`: dropped, the Team lead may ask for at most 5 reviews in one reply',
  );
  expect((await d.said()).join()).not.toContain('asks for a review');
});

test('a reviewer that fails holds nobody up: it is said where it was asked for', async () => {
  await using d = await withPull([
    teamLead('Read it.', ask()),
    { for: 'reviewer', error: { type: 'crash' } },
  ]);
  expect(await d.last(2)).toMatch(/^No review came of it: .*crash.* Nothing waits for it\.$/);
  expect((await d.replies()).at(-1)).toContain('(not done: no review came of it: ');
  expect(await d.last()).toContain('No issue was worked on.');
});

test('of a pull request of the run: the words of a bot begin no round, and what to type is said', async () => {
  const title = 'Add a mark';
  await using d = await openDialogue({
    config: 'approval: none\n',
    replies: [
      { ...teamLead('Then read it.', { ...ask(), pr_number: 3 }), when: 'have it read' },
      ...toWork({ title }),
      ...passes(`The body of ${title}`, { 'mark.txt': 'a1\n' }),
      reviewer('Nearly.', { path: 'mark.txt', line: 1, comment: 'Marks are capitals.' }),
    ],
  });
  await d.run();
  await d.comment('you', '/redirect @team-lead have it read');
  await d.until('the end after it', () => d.events.filter(({ type }) => type === 'run_settled').length === 2);
  const [review] = await d.call<Posted[]>('you', 'GET', '/pulls/3/reviews');
  expect(review?.body).toContain('Type `/fix ...` with what of it is to be done.');
  expect(d.attemptFolders()).toHaveLength(1);
});
