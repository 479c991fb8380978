// A job of several candidates: what is handed over, what is told of each, what they cost together, and a process that is lost.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelRequest } from '../../../../src/engine/models/model.ts';
import { openPurse } from '../../../../src/app/engineer/attempt/purse.ts';
import type { JobReport } from '../../../../src/app/engineer/jobs/report-spec.ts';
import type { JobSpec } from '../../../../src/app/engineer/jobs/job-spec.ts';
import { costing, evaluator, type Reply } from '../../../dialogue/script.ts';
import { repository } from '../../../ground/workspace/fixture.ts';
import { playJob } from '../play-job.ts';

const library = [
  ['implement-issue', 'pick-candidate'].map(name => {
    const file = `prompts/programs/${name}.xml`;
    return { file, text: readFileSync(file, 'utf8') };
  }),
];

/** Each candidate writes its own number: it is in the name of its folder. */
const own = 'basename "$(dirname "$PWD")" | sed "s/.*-//"';
const directors = (command = `n=$(${own}); seq "$n" > made.txt`): Reply[] => [
  costing({ for: 'engineer.director', tool_calls: [{ name: 'shell', input: { command } }] }, 0.01),
  costing({ for: 'engineer.director', text: 'Done.' }, 0.01),
];
const accepts = costing(evaluator('made.txt', true), 0.02);
const picks = (best: unknown, why = 'Plainer.'): Reply =>
  costing(
    {
      for: 'pick-candidate',
      text: `<result status="COMPLETE">\n<content>Judged.</content>\n<output name="best">${best}</output>\n<output name="why">${why}</output>\n</result>`,
    },
    0.05,
  );

/** Tests that fail in the folder of this candidate. */
const failsIn = (number: number) => `case "$PWD" in *-${number}/tree) exit 1;; esac`;

async function play(
  replies: Reply[],
  { tests = 'true', ...changes }: Partial<JobSpec> & { tests?: string } = {},
) {
  await using repo = await repository({ 'a.txt': 'a\n' });
  const spec = { library, candidates: 2, settings: { test_command: tests, rounds: '1' }, ...changes };
  const played = await playJob(repo, 'op', replies, spec);
  const left = ['op', 'op-candidate-1', 'op-candidate-2'].filter(name =>
    existsSync(join(repo.path, name, 'tree')),
  );
  return { ...played, left };
}

/** The candidates of a report. */
function told({ candidates }: JobReport) {
  if (!candidates) throw new Error('nothing was told of candidates');
  return candidates;
}

test('the second alone passes its tests: its change is handed over, and both are told of and paid for', async () => {
  const { report, patch, left } = await play([...directors(), accepts], { tests: failsIn(1) });
  expect(report).toMatchObject({ kind: 'bundle', tests: { exit_code: 0 } });
  expect(patch).toMatch(/^\+2$/m);
  const { taken, why, each, ranking_usd } = told(report);
  expect({ taken, why, ranking_usd }).toEqual({ taken: 2, why: 'only', ranking_usd: 0 });
  expect(each).toMatchObject([
    { end: 'rejected', exit_code: 1, rounds: 1, cost_usd: 0.04 },
    { end: 'bundle', exit_code: 0, rounds: 1, cost_usd: 0.04 },
  ]);
  expect(report.cost_usd).toBeCloseTo(0.08);
  expect(report.model_calls).toBe(6);
  // The checkouts of all are gone.
  expect(left).toEqual([]);
});

test('both pass: the evaluator sees both diffs by number, and the one that it names is taken, with its words', async () => {
  const seen = { ...picks(2), when: '## Change 2\n' };
  const { report, patch } = await play([...directors(), accepts, seen]);
  expect(told(report)).toMatchObject({ taken: 2, why: 'ranked', said: 'Plainer.', ranking_usd: 0.05 });
  expect(patch).toMatch(/^\+2$/m);
  expect(report.cost_usd).toBeCloseTo(0.13);
});

test.for<[name: string, reply: Reply[]]>([
  ['it answers with no number', [picks('the second')]],
  ['it names one that there is not', [picks(3)]],
  ['its model fails', [{ for: 'pick-candidate', error: { type: 'crash' } }]],
])('both pass, and %s: the smaller one is taken', async ([, reply]) => {
  const { report, patch } = await play([...directors(), accepts, ...reply]);
  expect(told(report)).toMatchObject({ taken: 1, why: 'smallest' });
  expect(patch).not.toMatch(/^\+2$/m);
});

test('the budget is parted, and where none of it is left the evaluator is not asked', async () => {
  const limits = { attempt_ms: 60_000, stuck_ms: 1000, budget_usd: 0.08, turns: 10 };
  const { report } = await play([...directors(), accepts], { limits });
  expect(told(report)).toMatchObject({ taken: 1, why: 'smallest', ranking_usd: 0 });
  expect(report.cost_usd).toBeCloseTo(0.08);
});

test('what several spend at once is told one sum after the other, the whole one last', async () => {
  const told: number[] = [];
  let calls = 0;
  const spend = async ({ cost_usd }: { cost_usd: number }) => {
    if (calls++ === 0) await new Promise(resolve => setTimeout(resolve, 20));
    told.push(cost_usd);
  };
  const purse = await openPurse([], { spentBefore: { cost_usd: 0, model_calls: 0 }, spend });
  const sums = [1, 2, 3].map(cost_usd => purse.ranking.spend({ cost_usd, model_calls: 1 }));
  await Promise.all(sums);
  expect([told.length, told.at(-1)]).toEqual([3, 3]);
});

test('one may spend its own part only', async () => {
  const limits = { attempt_ms: 60_000, stuck_ms: 1000, budget_usd: 0.04, turns: 10 };
  const { report } = await play([...directors(), accepts], { limits });
  expect(told(report).each.map(({ end, cost_usd }) => [end, cost_usd])).toEqual([
    ['budget', 0.02],
    ['budget', 0.02],
  ]);
  expect(report).toMatchObject({ kind: 'failed', class: 'budget', partial: true });
});

test('none is accepted and one asks: its question is put, and the answer is taken by one attempt over what that one had', async () => {
  await using repo = await repository({ 'a.txt': 'a\n' });
  const asks: Reply[] = [
    { for: 'engineer.director', when: 'The red one.', text: 'Done.' },
    ...directors(`n=$(${own}); echo "candidate $n" > made.txt; echo "candidate $n"`).slice(0, 1),
    {
      for: 'engineer.director',
      when: 'candidate 2',
      tool_calls: [{ name: 'ask', input: { question: 'Which?' } }],
    },
    { for: 'engineer.director', text: 'Done.' },
    { ...evaluator('candidate 1', false, 'No.') },
  ];
  const given = { library, candidates: 2, settings: { test_command: '', rounds: '1' } };
  const first = await playJob(repo, 'op', asks, given);
  expect(first.report).toMatchObject({ kind: 'question', question: 'Which?' });
  const { candidates: _, ...one } = given;
  const from = { op: 'op', answer: 'The red one.' };
  const second = await playJob(repo, 'next', [...asks, evaluator('candidate 2', true)], {
    ...one,
    op: 'next',
    from,
  });
  expect([second.report.kind, second.report.candidates]).toEqual(['bundle', undefined]);
  expect(second.patch).toMatch(/^\+candidate 2$/m);
});

test('a process that is lost: the one that had ended is not paid again, the other goes on from where it stood', async () => {
  await using repo = await repository({ 'a.txt': 'a\n' });
  const given = { library, candidates: 2, settings: { test_command: failsIn(1), rounds: '1' } };
  const replies = [...directors(`n=$(${own}); echo "candidate $n" > made.txt`), accepts];
  const ended = () => existsSync(join(repo.path, 'op-candidate-1', 'report.json'));
  const first = {
    ...{ calls: [], spent: [] as number[] },
    /** The first has ended when the second's evaluator is asked, and the process is lost. */
    async before(request: ModelRequest, stop: () => void) {
      if (request.task !== 'engineer.evaluator' || !JSON.stringify(request).includes('+candidate 2')) return;
      while (!ended()) await new Promise(resolve => setImmediate(resolve));
      stop();
    },
  };
  await expect(playJob(repo, 'op', replies, given, first)).rejects.toThrow('lost');
  expect(first.spent.at(-1)).toBeCloseTo(0.06);
  const spentBefore = { cost_usd: 0.06, model_calls: 5 };
  const second = { calls: [], spent: [], spentBefore };
  const { report } = await playJob(repo, 'op', replies, given, second);
  expect(second.calls).toEqual(['engineer.evaluator']);
  expect(report.cost_usd).toBeCloseTo(0.08);
  expect(report.model_calls).toBe(6);
});
