// Results of an evaluation: a row for each directive, as a table and as JSON.
import type { Played } from './play.ts';
import { type RolesScore, scoreRoles } from './roles.ts';
import type { Directive } from './directives.ts';
import type { Mode } from './play.ts';

interface Tokens {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
}

export interface Row {
  directive: string;
  /** Absent: ours. */
  agent?: string;
  language: string;
  passed: boolean;
  /** Reason that it was not played; it counts neither way. */
  skipped?: string;
  roles?: RolesScore;
  engineer?: { issues: number; delivered: number; rounds: number; hidden: boolean };
  calls: number;
  tokens: Tokens;
  cost_usd: number;
  seconds: number;
  /** Faults, a clause each. */
  why: string[];
}

const nothing = {
  calls: 0,
  tokens: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
  cost_usd: 0,
  seconds: 0,
};

export const skippedRow = ({ id, language }: Directive, why: string): Row => ({
  ...{ directive: id, language, passed: false, skipped: why, ...nothing, why: [] },
});

/** One that broke: it was not played to its end. */
export const brokenRow = ({ id, language }: Directive, why: string): Row => ({
  ...{ directive: id, language, passed: false, ...nothing, why: [why] },
});

export function rowOf({ id, language }: Directive, mode: Mode, played: Played): Row {
  const { said, issues, fault, replies, seconds } = played;
  const roles = mode === 'engineer' ? undefined : scoreRoles(said);
  const delivered = issues.filter(({ state }) => state === 'done').length;
  const engineer =
    mode === 'roles'
      ? undefined
      : {
          ...{ issues: issues.length, delivered, hidden: fault === undefined },
          rounds: issues.reduce((sum, each) => sum + each.rounds, 0),
        };
  const used = replies.flatMap(({ usage }) => usage ?? []);
  const sum = (of: (each: (typeof used)[number]) => number) => used.reduce((all, each) => all + of(each), 0);
  return {
    ...{ directive: id, language },
    passed:
      (!roles || (roles.valid && roles.acyclic && roles.criteria && roles.paths)) &&
      (!engineer || (engineer.hidden && delivered === issues.length)),
    ...(roles && { roles }),
    ...(engineer && { engineer }),
    calls: replies.length,
    tokens: {
      input: sum(each => each.input_tokens),
      output: sum(each => each.output_tokens),
      cache_read: sum(each => each.cache_read_tokens),
      cache_write: sum(each => each.cache_write_tokens),
    },
    cost_usd: sum(each => each.cost_usd ?? 0),
    seconds,
    // Without a run there is nothing else to report.
    why: [...(fault === undefined ? [] : [fault]), ...(said.length > 0 ? (roles?.why ?? []) : [])],
  };
}

export function table(rows: readonly Row[]): string {
  const head = [
    'directive',
    'valid',
    'acyclic',
    'criteria',
    'paths',
    'delivered',
    'hidden',
    'calls',
    'in',
    'out',
    'USD',
    's',
    '',
  ];
  const mark = (value: boolean | undefined) => (value === undefined ? '-' : value ? 'yes' : 'NO');
  const cells = rows.map(
    ({ directive: id, agent, skipped, passed, roles, engineer, calls, tokens, cost_usd, seconds }) => {
      const directive = agent === undefined ? id : `  ${agent}`;
      if (skipped !== undefined) return [directive, ...Array(11).fill('-'), `skipped: ${skipped}`];
      return [
        ...[directive, mark(roles?.valid), mark(roles?.acyclic), mark(roles?.criteria), mark(roles?.paths)],
        ...[engineer ? `${engineer.delivered}/${engineer.issues}` : '-', mark(engineer?.hidden)],
        ...[
          String(calls),
          String(inputOf(tokens)),
          String(tokens.output),
          cost_usd.toFixed(3),
          seconds.toFixed(0),
        ],
        passed ? 'passed' : 'FAILED',
      ];
    },
  );
  const widths = head.map((title, at) =>
    Math.max(title.length, ...cells.slice(0, -1 || undefined).map(row => row[at]?.length ?? 0)),
  );
  return [head, ...cells]
    .map(row =>
      row
        .map((cell, at) =>
          at > 5 && at < 12 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Cached tokens included. */
const inputOf = ({ input, cache_read, cache_write }: Tokens): number => input + cache_read + cache_write;

export function totalsOf(rows: readonly Row[]) {
  const played = rows.filter(({ skipped }) => skipped === undefined);
  const sum = (of: (row: Row) => number) => played.reduce((all, row) => all + of(row), 0);
  return {
    played: played.length,
    passed: played.filter(({ passed }) => passed).length,
    skipped: rows.length - played.length,
    calls: sum(row => row.calls),
    input_tokens: sum(row => inputOf(row.tokens)),
    output_tokens: sum(row => row.tokens.output),
    cost_usd: sum(row => row.cost_usd),
    seconds: sum(row => row.seconds),
  };
}
