// Operator caps for all repositories, and the limit of runs per hour.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { playedOnce } from './played-once.ts';
import { costing, engineeringLead, quiet, strategist, teamLead, toWork } from './script.ts';

test('a budget above the cap: no run begins, and the place, the cap and who set it are named', async () => {
  await using d = await openDialogue({
    config: 'budget: { total: 30 }\n',
    caps: { budget: { most: 20, by: 'ECHELON_MAX_BUDGET' } },
    replies: quiet,
  });
  await d.label();
  expect(await d.last()).toMatchInlineSnapshot(`
    "The run does not begin, because \`.github/echelon.yml\` on the default branch has a problem:

    - \`.github/echelon.yml:2:11\` budget.total: at most 20 is allowed; the operator of this installation has set that (ECHELON_MAX_BUDGET)

    Mend the file, then take the label off and put it on again."
  `);
});

const dear = {
  caps: { budget: { most: 1, by: 'ECHELON_MAX_BUDGET' } },
  replies: [
    costing(strategist('As directed.'), 1.5),
    costing(engineeringLead('Nothing to add.'), 0.25),
    teamLead('Nothing to do.'),
  ],
};
const openDear = playedOnce(dear);

test("the product's default is lowered to the cap, and /budget beyond it is refused with the cap, after a restart too", async () => {
  await using d = await openDear();
  expect(await d.last()).toContain('it has cost $1.50, $0.50 more than its limit of $1.00');
  const comment = await d.comment('mia', '/budget +5');
  expect(await d.last()).toMatchInlineSnapshot(
    `"\`/budget\` by \`mia\` was not followed: the run's limit would be $6.00, and the operator of this installation allows at most $1.00 (ECHELON_MAX_BUDGET). It stays at $1.00."`,
  );
  expect(await d.reactions(comment)).not.toContain('rocket');
  expect(await d.status()).toContain('waiting: budget');
  await d.restart();
  await d.comment('mia', '/budget 3');
  expect((await d.said()).filter(text => text.includes('ECHELON_MAX_BUDGET'))).toHaveLength(2);
});

test('/budget beyond the cap while issues are worked: refused with the cap, and they go on', async () => {
  await using d = await openDialogue({
    caps: { budget: { most: 9, by: 'ECHELON_MAX_BUDGET' } },
    replies: [
      ...toWork({ title: 'Ask', body: 'Ask.' }),
      { for: 'engineer.director', tool_calls: [{ name: 'ask', input: { question: 'Which colour?' } }] },
    ],
  });
  await d.label();
  await d.comment('you', '/approve');
  await d.until('a question', async () => (await d.last()).includes('Which colour?'));
  await d.comment('mia', '/budget +5');
  expect(await d.last()).toContain('allows at most $9.00 (ECHELON_MAX_BUDGET)');
  expect(await d.status()).toBe('waiting: question');
});

test('more runs within an hour than the repository allows: the next is refused, with its time, by another process too', async () => {
  await using d = await openDialogue({ config: 'limits: { runs_per_hour: 1 }\n', replies: quiet });
  await d.label();
  expect(await d.last()).toContain('No issue was worked on.');
  await d.relabel();
  expect((await d.last()).replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'DATE TIME')).toMatchInlineSnapshot(
    `"The run does not begin: 1 run has begun in this repository within the last hour, which is all that \`limits.runs_per_hour\` of the configuration allows. Wait until DATE TIME UTC. Then take the label off and put it on again."`,
  );
  await d.restart();
  await d.relabel();
  expect((await d.said()).filter(text => text.includes('within the last hour'))).toHaveLength(2);
});

test('runs that another process began count where nothing leads to them any more', async () => {
  await using d = await openDialogue({ config: 'limits: { runs_per_hour: 1 }\n', replies: quiet });
  await d.label();
  await d.call('you', 'DELETE', `/issues/${d.issue}/labels/echelon`);
  await d.restart();
  const next = { title: 'Another', body: 'One.', labels: ['echelon'] };
  const { number } = await d.call<{ number: number }>('you', 'POST', '/issues', next);
  await d.settled();
  expect(await d.last(number)).toContain('within the last hour');
});

test('an operator who allows fewer runs an hour is named', async () => {
  await using d = await openDialogue({
    caps: { runs_per_hour: { most: 1, by: 'ECHELON_MAX_RUNS_PER_HOUR' } },
    replies: quiet,
  });
  await d.label();
  await d.relabel();
  expect(await d.last()).toContain('the operator of this installation (ECHELON_MAX_RUNS_PER_HOUR)');
});
