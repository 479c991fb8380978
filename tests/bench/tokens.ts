// The bench `tokens`: what a run, a loop and a long session cost in tokens of input, before and after.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pricedFullHistory, tokensOfLoop } from '../engine/tokens/loop.ts';
import { nothing, type Tally } from '../engine/tokens/priced-model.ts';
import { searchTokens } from '../engine/tokens/search.ts';
import { LIMIT, tokensOfSession } from '../engine/tokens/session.ts';
import type { Figure, Report } from './figures.ts';
import { oneAgent } from './one-agent.ts';
import { before, SHARE, sum } from './tokens-baseline.ts';
import { oneIssue, type RoleTokens, sampleRun } from './tokens-run.ts';

const root = join(import.meta.dirname, '../..');

export async function tokens(): Promise<Report> {
  const { four, one, agent } = await runs();
  const { priced: byCalls } = await searchTokens('calls');
  return {
    figures: [
      ...roleFigures(four, before.fourIssues),
      ...allFigures('four issues', sum(four), sum(before.fourIssues), SHARE.fourIssues),
      ...allFigures('one issue', sum(one), sum(before.oneIssue), SHARE.oneIssue),
      ...agentFigures(agent, sum(one)),
      held('five rounds of a director-evaluator', await tokensOfLoop(), 36_000, [
        'full history',
        pricedFullHistory(),
      ]),
      held('twenty rounds with vault and compaction', await tokensOfSession(LIMIT), 60_000, [
        'full history',
        (await tokensOfSession()).priced,
      ]),
      held('twenty-four searches counted in code', await searchTokens('code'), Math.floor(byCalls / 2), [
        'each answer read',
        byCalls,
      ]),
    ],
    notes: [
      `before: commit ${before.commit}`,
      'four issues: the directive of the sample, of whose four issues one has two rounds; each commit plays its own script',
      'one issue: a directive for the same repository (one-issue.json); one agent: a loop with one shell that carries it out',
      'raw: every token of every request; priced: read from the cache 0.1, written to it 1.25; four bytes a token, native tools as published',
      'the cache keeps whole blocks up to a mark, from 512 tokens (Opus) or 1,024; that it forgets after five minutes is left out',
    ],
  };
}

async function runs(): Promise<{ four: RoleTokens; one: RoleTokens; agent: Tally }> {
  const temporary = mkdtempSync(join(tmpdir(), 'echelon-tokens-'));
  try {
    const { roles: four } = await sampleRun(root, temporary);
    const { roles: one } = await sampleRun(root, temporary, oneIssue);
    return { four, one, agent: await oneAgent(join(root, 'tests/sample/project'), temporary) };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

const kinds = ['calls', 'raw', 'priced', 'output'] as const;

const roleFigures = (run: RoleTokens, earlier: RoleTokens): Figure[] =>
  Object.keys({ ...earlier, ...run }).flatMap(role =>
    kinds.map(kind => figure(`${role}, ${kind}`, kind, [run[role], earlier[role]])),
  );

const allFigures = (name: string, now: Tally, earlier: Tally, share: number): Figure[] => [
  ...kinds.map(kind => {
    const most = Math.floor(share * earlier[kind]);
    const held = kind === 'priced' ? { aim: `<= ${most} tokens`, ok: now[kind] <= most } : {};
    return { ...figure(`${name}, ${kind}`, kind, [now, earlier]), ...held };
  }),
  {
    ...{ name: `${name}, read from the cache`, value: shareRead(now), unit: '% of raw', aim: '', ok: true },
    baseline: { name: 'before', value: shareRead(earlier) },
  },
];

const agentFigures = (agent: Tally, one: Tally): Figure[] =>
  kinds.map(kind => ({
    ...figure(`one agent, ${kind}`, kind, [agent]),
    baseline: { name: 'one issue', value: Math.round(one[kind]) },
  }));

const figure = (
  name: string,
  kind: keyof Tally,
  [now = nothing, earlier = nothing]: (Tally | undefined)[],
): Figure => ({
  ...{ name, value: Math.round(now[kind]), unit: kind === 'calls' ? 'calls' : 'tokens' },
  ...{ baseline: { name: 'before', value: Math.round(earlier[kind]) }, aim: '', ok: true },
});

const shareRead = ({ read, raw }: Tally): number => Math.round((100 * read) / raw);

const held = (name: string, { priced }: Tally, most: number, [other, beside]: [string, number]): Figure => ({
  ...{ name: `${name}, priced`, value: Math.round(priced), unit: 'tokens' },
  baseline: { name: other, value: Math.round(beside) },
  ...{ aim: `<= ${most} tokens`, ok: priced <= most },
});
