// The bench `tokens`: what a run, a loop and a long session cost in tokens of input, before and after.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pricedFullHistory, tokensOfLoop } from '../engine/tokens/loop.ts';
import { nothing, type Tally } from '../engine/tokens/priced-model.ts';
import { searchTokens } from '../engine/tokens/search.ts';
import { LIMIT, tokensOfSession } from '../engine/tokens/session.ts';
import type { Figure, Report } from './figures.ts';
import { SHARE, sum, tokensBefore } from './tokens-baseline.ts';
import { type RoleTokens, sampleRun } from './tokens-run.ts';

const root = join(import.meta.dirname, '../..');

export async function tokens(): Promise<Report> {
  const before = tokensBefore();
  const run = await tokensOfRun(root);
  return {
    figures: [
      ...runFigures(run, before.roles),
      ...loopFigures(await tokensOfLoop()),
      ...sessionFigures(await tokensOfSession(LIMIT), await tokensOfSession()),
      ...searchFigures(await searchTokens('code'), await searchTokens('calls')),
    ],
    notes: [
      `before: commit ${before.commit}`,
      'the run is the sample of each commit: one directive, four issues, of which one has two rounds; each plays its own script',
      'raw: every token of every request; priced: read from the cache 0.1, written to it 1.25; four bytes a token, native tools as published',
      'the cache keeps whole blocks up to a mark, from 512 tokens (Opus) or 1,024; that it forgets after five minutes is left out',
    ],
  };
}

async function tokensOfRun(checkout: string): Promise<RoleTokens> {
  const temporary = mkdtempSync(join(tmpdir(), 'echelon-tokens-'));
  try {
    return (await sampleRun(checkout, temporary)).roles;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

const kinds = ['calls', 'raw', 'priced', 'output'] as const;

function runFigures(run: RoleTokens, before: RoleTokens): Figure[] {
  const roles = [...new Set([...Object.keys(before), ...Object.keys(run)])];
  const rows: [string, Tally, Tally][] = [
    ...roles.map((role): [string, Tally, Tally] => [role, run[role] ?? nothing, before[role] ?? nothing]),
    ['all roles', sum(run), sum(before)],
  ];
  return rows.flatMap(([role, after, earlier]) =>
    kinds.map((kind): Figure => {
      const isHeld = role === 'all roles' && (kind === 'raw' || kind === 'priced');
      const most = SHARE * earlier[kind];
      return {
        name: `a run, ${role}, ${kind}`,
        value: Math.round(after[kind]),
        unit: kind === 'calls' ? 'calls' : 'tokens',
        baseline: { name: 'before', value: Math.round(earlier[kind]) },
        aim: isHeld ? `<= ${Math.floor(most)} tokens` : '',
        ok: !isHeld || after[kind] <= most,
      };
    }),
  );
}

const LOOP = 36_000;
const SESSION = 60_000;

const loopFigures = ({ priced }: Tally): Figure[] => [
  held('five rounds of a director-evaluator, priced', priced, LOOP, 'full history', pricedFullHistory()),
];

const sessionFigures = (shortened: Tally, whole: Tally): Figure[] => [
  held(
    'twenty rounds with vault and compaction, priced',
    shortened.priced,
    SESSION,
    'full history',
    whole.priced,
  ),
];

const searchFigures = (inCode: Tally, byCalls: Tally): Figure[] => [
  held(
    'twenty-four searches counted in code, priced',
    inCode.priced,
    Math.floor(byCalls.priced / 2),
    'each answer read',
    byCalls.priced,
  ),
];

const held = (name: string, value: number, most: number, other: string, beside: number): Figure => ({
  ...{ name, value: Math.round(value), unit: 'tokens' },
  baseline: { name: other, value: Math.round(beside) },
  ...{ aim: `<= ${most} tokens`, ok: value <= most },
});
