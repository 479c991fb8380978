// Budgets that run out, and GitHub asking to wait.
import nock from 'nock';
import { expect, test } from 'vitest';
import { isBoard, statusOf } from '../board.ts';
import type { ForgeCall } from '../../packages/forge/calls.ts';
import { holdRequests } from '../held-requests.ts';
import { type Dialogue, openDialogue } from './fixture.ts';
import { playedOnce } from './played-once.ts';
import { costing, engineeringLead, quietLeads, strategist, teamLead, toWork, waiting } from './script.ts';

/** The second layer is not asked before someone raises the limit. */
const dear = {
  config: 'budget: { total: 1 }\n',
  replies: [
    costing(strategist('As directed.'), 1.5),
    costing(engineeringLead('Nothing to add.'), 0.25),
    teamLead('Nothing to do.'),
  ],
};
const openDear = playedOnce(dear);

test('the budget used up: the run waits, /budget by someone who only writes is refused, a raise that is not enough waits on, and enough goes on', async () => {
  await using d = await openDear();
  expect(await d.last()).toMatchInlineSnapshot(
    `"The run waits: it has cost $1.50, $0.50 more than its limit of $1.00. /budget +5 raises the run's limit."`,
  );
  await d.comment('rita', '/cost');
  expect(await d.last()).toContain(
    '**$1.50 of $1.00** spent, nothing is left; `/budget +5` raises the limit.\n',
  );
  await d.comment('wanda', '/budget +5');
  expect(await d.last()).toBe('`/budget` needs maintain access to this repository; `wanda` has write.');
  await d.comment('mia', '/budget +0.1');
  expect(await d.status()).toContain('waiting: budget');
  expect(d.events.filter(event => event.type === 'message')).toHaveLength(1);
  const comment = await d.comment('mia', '/budget 30');
  expect(await d.reactions(comment)).toEqual(['eyes', 'rocket']);
  expect(await d.last()).toContain('$1.75 of $30.00');
});

test('a layer comes to its own budget in its turn: said which and by how much, and a raise is what it may spend more', async () => {
  await using d = await openDialogue({
    config: 'budget: { layers: { eng-lead: 1 } }\n',
    replies: [
      { ...strategist('Oak.'), when: 'Which wood?' },
      strategist('As directed.'),
      { ...engineeringLead('Oak, then.'), when: '> Oak.' },
      costing({ for: 'eng-lead', tool_calls: [{ name: 'read_file', input: { path: 'README.md' } }] }, 1.25),
      costing(
        engineeringLead('One question.', { action: 'request_info', target: '2ic', question: 'Which wood?' }),
        1,
      ),
      teamLead('Nothing to do.'),
    ],
  });
  await d.label();
  expect(await d.status()).toBe('waiting: budget');
  expect(await d.last()).toMatchInlineSnapshot(
    `"The run waits: the Engineering lead has cost $1.25, $0.25 more than its own limit of $1.00 (\`budget.layers.eng-lead\`). /budget +5 lets the Engineering lead cost $5 more, and the run as well."`,
  );
  await d.comment('mia', '/budget +0.1');
  expect(await d.last()).toContain('$0.15 more than its own limit of $1.10');
  await d.comment('mia', '/budget +5');
  // Its second turn, too, is paid by that raise.
  expect(await d.last()).toContain('No issue was worked on.');
  expect(await d.last()).toContain('$2.25 of $55.10');
});

test('a layer’s own budget used up where the run may cost no more: what is left of the run is given to it', async () => {
  await using d = await openDialogue({
    config: 'budget: { layers: { eng-lead: 0 } }\n',
    caps: { budget: { most: 50, by: 'ECHELON_BUDGET' } },
    replies: [...quietLeads, teamLead('Nothing to do.')],
  });
  await d.label();
  expect(await d.last()).toMatchInlineSnapshot(
    `"The run waits: the Engineering lead has used up its own limit of $0.00 (\`budget.layers.eng-lead\`). /budget 50 lets the Engineering lead use what is left of the run's limit."`,
  );
  await d.comment('mia', '/budget 50');
  expect(await d.last()).toContain('No issue was worked on.');
});

test('a turn whose last reply is lost: that call is made again, and none before it', async () => {
  const asked = (): number =>
    d.logged.filter(line => line.startsWith('event model_reply {"task":"2ic"')).length;
  let isBroken = true;
  await using d = await openDialogue({
    debug: true,
    replies: [
      { for: '2ic', tool_calls: [{ name: 'read_file', input: { path: 'README.md' } }] },
      strategist('As directed.'),
      engineeringLead('Nothing to add.'),
      teamLead('Nothing to do.'),
    ],
    onCall({ route }, phase) {
      const isSaving = route === 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
      if (isBroken && isSaving && phase === 'received' && asked() === 2)
        throw new Error('it cannot be saved');
    },
  });
  await d.label();
  // The App that looks at the run again writes its board, maybe before the third question is asked.
  isBroken = false;
  await d.restart();
  expect(await d.last()).toContain('No issue was worked on.');
  expect(asked()).toBe(3);
});

/** A GitHub that asks an App opened after this to wait, once, at a call that fits; keeps when the App called after that. */
function waitOnce(seconds: number, fits = (call: string) => / \/api\/(v3\/repos|graphql)/.test(call)) {
  holdRequests();
  const calls: number[] = [];
  const place = {
    /** Time of its call (milliseconds since the epoch); 0: not yet. */
    at: 0,
    after: () => calls.filter(at => at > place.at),
    onCall({ actor }: ForgeCall, phase: string) {
      if (actor === 'echelon[bot]' && phase === 'received' && place.at > 0) calls.push(Date.now());
    },
    /** From here on the next call is answered so; every other one reaches the forge. */
    arm({ forge }: Dialogue) {
      const scope = nock(forge.url, { allowUnmocked: true });
      for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])
        scope
          .intercept(path => place.at === 0 && fits(`${method} ${path}`), method)
          .reply(() => {
            place.at = Date.now();
            return [
              403,
              { message: 'You have exceeded a secondary rate limit.' },
              { 'retry-after': String(seconds) },
            ];
          });
    },
  };
  return place;
}

/** Another repository of the same installation, with an issue that carries the label. */
async function anotherRepository({ forge }: Dialogue) {
  await forge.addRepository({ owner: 'you', name: 'other' });
  forge.installApp('echelon', 'you', 'other');
  await forge.call('you', 'POST', '/repos/you/other/issues', { title: 'Another', labels: ['echelon'] });
}

test('GitHub asks to wait: nothing is sent before, in any repository, and what was said meanwhile is done then', async () => {
  const github = waitOnce(3);
  await using d = await openDialogue({ replies: waiting.replies, onCall: github.onCall });
  await d.label();
  github.arm(d);
  await d.comment('you', '/approve');
  await anotherRepository(d);
  await d.comment('mia', '/status');
  await d.local.webhooks.reconcileAll(true);
  await d.progress('the end of the wait', () => github.after().length > 0);
  expect(github.after()[0]).toBeGreaterThanOrEqual(github.at + 2990);
  await d.ended();
  await d.until('the answer to mia', async () => (await d.said()).some(isBoard));
});

test('GitHub asks to wait while a run goes on: it goes on by itself when that is over', async () => {
  const github = waitOnce(2, call => /^POST .*\/issues\/\d+\/comments$/.test(call));
  await using d = await openDialogue({
    replies: [...quietLeads, teamLead('Nothing.')],
    onCall: github.onCall,
  });
  // The look at the process's start is over: what is under way cannot be called back.
  await d.settled();
  github.arm(d);
  await d.run();
  expect(github.after()[0]).toBeGreaterThanOrEqual(github.at + 1990);
  expect(new Set(await d.said()).size).toBe((await d.said()).length);
});

test('GitHub asks to wait as a layer’s reply is to be saved: it is kept, and nobody is asked again', async () => {
  // The first write after the first reply is what saves it.
  const github = waitOnce(2, call => /^PATCH .*\/issues\/comments\/\d+$/.test(call) && replied().length > 0);
  await using d = await openDialogue({ replies: [...quietLeads, teamLead('Nothing.')], debug: true });
  const replied = () => d.logged.filter(line => line.startsWith('event model_reply'));
  github.arm(d);
  await d.run();
  expect(github.at).toBeGreaterThan(0);
  expect(replied()).toHaveLength(3);
});

/** Only what is asked for the first issue is answered with a wait. */
const busy = [
  { for: '2ic', when: 'Tidy the shelf', error: { type: 'rate_limit', retry_after: 300 } },
  ...quietLeads,
  teamLead('Nothing to do.'),
];
const until = (d: Dialogue) =>
  d.events.flatMap(event =>
    event.type === 'rate_limited'
      ? [`${new Date(event.until + 59_999).toISOString().slice(0, 16).replace('T', ' ')} UTC`]
      : [],
  );

/** Opens a second issue with the label, and answers how its run stands. */
async function second(d: Dialogue, title: string): Promise<string> {
  const { number } = await d.call<{ number: number }>('you', 'POST', '/issues', {
    ...{ title, body: '', labels: ['echelon'] },
  });
  await d.settled();
  const board = (await d.comments(number)).find(({ body }) => isBoard(body));
  return board ? statusOf(board.body) : 'no run';
}

test('the model’s provider asks to wait: the board says until when, no other run asks it before, and another process keeps it', async () => {
  await using d = await openDialogue({ replies: busy });
  await d.label();
  const [end] = until(d);
  expect(await d.status()).toBe(`waiting: the model's provider, until ${end}`);
  expect(await second(d, 'Another')).toBe(`waiting: the model's provider, until ${end}`);
  await d.restart();
  expect(await d.status()).toBe(`waiting: the model's provider, until ${end}`);
  expect(await second(d, 'A third')).toBe(`waiting: the model's provider, until ${end}`);
});

test('an engineer whose provider asks to wait goes on when that is over: it counts as no attempt', async () => {
  await using d = await openDialogue({
    config: 'approval: none\nretries: 0\n',
    replies: [
      ...toWork({ title: 'A mark' }),
      { for: 'engineer.director', error: { type: 'rate_limit', retry_after: 300 } },
    ],
  });
  await d.label();
  await d.until('the wait', async () => (await d.status()).startsWith("waiting: the model's provider"));
  expect(d.events.flatMap(event => (event.type === 'slot_changed' ? [event.to] : []))).not.toContain(
    'failed',
  );
});

test('while the provider is waited for, a run is asked about and cancelled at once, and then keeps no other waiting in another process', async () => {
  await using d = await openDialogue({ replies: busy });
  await d.label();
  await d.comment('rita', '/echelon status');
  expect(await d.last()).toContain(`Waiting for the model's provider, until ${until(d)[0]}`);
  await d.comment('you', '/cancel');
  expect(await d.status()).toBe('cancelled');
  await d.restart();
  expect(await second(d, 'Another')).not.toContain("the model's provider");
});
