// What an issue will probably cost and how long it will take: from what it is, what models cost, and what issues of the repository came to before.
import { costOf, type PriceRow } from '../../engine/models/prices.ts';
import type { Figures, IssueView, PastIssue, Range, RunView } from '../comments/view.ts';
import type { Domain } from './domains.ts';

export interface IssueFacts {
  domain: Domain;
  /** Of its text. */
  characters: number;
  /** How many globs it names. */
  paths: number;
  /** What the team lead thinks. */
  estimateMinutes?: number | undefined;
}

/** What the work is done with. */
export interface Means {
  director: PriceRow;
  evaluator: PriceRow;
  /** One run of the project's tests. */
  testMinutes: number;
  /** How often each issue is worked side by side, of which the evaluator then chooses. */
  candidates: number;
}

/**
 * Model calls of an issue that names two paths: 22 of a whole run of three issues, less those of three layers
 * (PERFORMANCE, 2026-11-22: a Go library, a strong model).
 */
const CALLS = 6;
/** Rounds of an issue: some are sent back once. An assumption. */
const ROUNDS = 1.4;
/** Tokens of a call, by the same run: 118.6k in and 11.6k out by 22 calls, of which an issue's text was about 500. */
const CALL_INPUT = 4900;
const CALL_OUTPUT = 530;
/** Share of the input that the cache has: the conversation so far, at every call but the first. An assumption. */
const CACHED = 0.8;
/** Minutes of a call: 530 tokens at 60 a second, and three seconds to the first. An assumption. */
const CALL_MINUTES = 0.2;
/** A checkout, and the delivery. An assumption, on the safe side of what the demo takes. */
const AROUND_MINUTES = 0.3;
/** What a team lead writes where nothing is special: the example of `prompts/roles/team-lead.xml`. */
const USUAL_ESTIMATE = 20;

/** What an issue comes to where nothing is known of the repository; its estimate counts by its square root. */
export function expectedOf(facts: IssueFacts, means: Means): Figures {
  const { director, evaluator, testMinutes, candidates } = means;
  const size = Math.sqrt(clamped((facts.estimateMinutes ?? USUAL_ESTIMATE) / USUAL_ESTIMATE, 0.2, 10));
  // Each path beyond two is one more file that is opened and changed.
  const calls = (CALLS - 2 + clamped(facts.paths || 2, 1, 12)) * size;
  const input = CALL_INPUT + facts.characters / 4;
  const usage = {
    input_tokens: 0,
    output_tokens: CALL_OUTPUT,
    cache_read_tokens: input * CACHED,
    cache_write_tokens: input * (1 - CACHED),
  };
  const one = Math.max(0, calls - ROUNDS) * costOf(usage, director) + ROUNDS * costOf(usage, evaluator);
  return {
    usd: candidates * one + (candidates > 1 ? costOf(usage, evaluator) : 0),
    minutes: calls * CALL_MINUTES + ROUNDS * testMinutes + AROUND_MINUTES,
  };
}

/** How actual / expected is spread, as the logarithm's mean and deviations. */
export interface Spread {
  mean: number;
  /** Of what all issues of the repository share: how far the mean may be off. */
  shared: number;
  /** Of each issue by itself. */
  own: number;
}

/** Standard deviations of the logarithm before anything is known: of repositories, of domains in one, of issues. Assumptions. */
const REPOSITORIES = 0.5;
const DOMAINS = 0.3;
const ISSUES = 0.6;
/** As many issues as the deviation of issues above counts for. */
const WEIGHT = 6;

/** What the past says of an issue of this domain: the less there is, the nearer to what was expected and the wider. */
export function spreadOf(past: readonly PastIssue[], domain: string, figure: keyof Figures): Spread {
  const known = past
    .filter(each => each[figure] > 0 && Number.isFinite(each[figure]))
    .map(each => ({ domain: each.domain, log: clamped(Math.log(each[figure]), -4, 4) }));
  const byDomain = [...Map.groupBy(known, each => each.domain).values()].map(same =>
    same.map(({ log }) => log),
  );
  const squares = byDomain.flatMap(logs => logs.map(log => (log - meanOf(logs)) ** 2));
  const own2 =
    (WEIGHT * ISSUES ** 2 + squares.reduce((sum, each) => sum + each, 0)) /
    (WEIGHT + known.length - byDomain.length);
  const all = shrunk(
    known.map(({ log }) => log),
    REPOSITORIES ** 2,
    own2 + DOMAINS ** 2,
  );
  const alike = known.filter(each => each.domain === domain).map(({ log }) => log - all.mean);
  const apart = shrunk(alike, DOMAINS ** 2, own2);
  return {
    mean: all.mean + apart.mean,
    shared: Math.sqrt(all.variance),
    own: Math.sqrt(own2 + apart.variance),
  };
}

/** The mean of a normal distribution that lies about 0, after these observations of it, and what is left of doubt. */
function shrunk(observed: readonly number[], variance: number, noise: number) {
  const left = 1 / (1 / variance + observed.length / noise);
  return { mean: (left * observed.reduce((sum, each) => sum + each, 0)) / noise, variance: left };
}

/** Deviations from the middle beyond which one of ten lies, of a normal distribution. */
const TENTH = 1.2816;

export function rangeOf(expected: number, { mean, shared, own }: Spread): Range {
  const likely = expected * Math.exp(mean);
  const factor = Math.exp(TENTH * Math.hypot(shared, own));
  return { low: likely / factor, likely, high: likely * factor };
}

const meanOf = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;

const clamped = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** Issues of the past that count: those before were worked by other models on other code. */
const MOST_PAST = 40;

/** What ended in these runs and what they knew already, the newest first. */
export function pastOf(views: readonly RunView[]): PastIssue[] {
  const newest = views.toSorted((a, b) => b.updated - a.updated);
  const rows = [
    ...newest.flatMap(({ issues }) => issues.flatMap(comparedWithExpected)),
    ...newest.flatMap(({ past }) => past),
  ];
  const first = rows.filter((row, at) => rows.findIndex(({ issue }) => issue === row.issue) === at);
  return first.slice(0, MOST_PAST);
}

function comparedWithExpected({ number, domain, state, cost_usd, ms, estimate }: IssueView): PastIssue | [] {
  if (!estimate || cost_usd === 0 || (state !== 'done' && state !== 'failed')) return [];
  const { usd, minutes } = estimate.expected;
  return {
    issue: number,
    domain,
    usd: threeDigits(cost_usd / usd),
    minutes: threeDigits(ms / 60_000 / minutes),
  };
}

/** More would only lengthen the record. */
export const threeDigits = (value: number) => Number(value.toPrecision(3));
