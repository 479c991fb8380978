// Estimates of cost and time: from the issue itself, the models' prices, and the repository's past issues.
import type { ViewChange } from '../comments/fold.ts';
import { costOf, type PriceRow } from '../../engine/models.ts';
import { cents } from '../comments/figures.ts';
import {
  endStates,
  type Figures,
  type IssueEstimate,
  type IssueView,
  type PastIssue,
  type Range,
  type RunView,
} from '../comments/view.ts';
import type { Domain } from './domains.ts';
import { orderOf, type Task, USUAL_ESTIMATE } from './order.ts';
import type { ScheduledIssue } from './slots.ts';

export interface IssueFacts {
  domain: Domain;
  /** Of its text. */
  characters: number;
  /** Number of globs that it names. */
  paths: number;
  /** The team lead's estimate. */
  estimateMinutes?: number | undefined;
}

/** Prices and limits of the work. */
export interface Means {
  director: PriceRow;
  evaluator: PriceRow;
  /** One run of the project's tests. */
  testMinutes: number;
  /** Number of parallel tries at each issue, among which the evaluator chooses. */
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

/** Expected figures of an issue where nothing is known of the repository; its estimate counts by its square root. */
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

/** Fewer past issues than this give no range. */
const ENOUGH = 5;
/** Spread of issues around the median if there is no range. An assumption. */
const FACTOR = 3;
/** A ratio beyond this, or below its inverse, is taken for an accident. */
const MOST_RATIO = 50;

/** Tenth, median and ninetieth of past ratios of actual to expected: of the same domain where there are enough, else of all. */
function ratioOf(past: readonly PastIssue[], domain: Domain, figure: keyof Figures): Range {
  const known = past.filter(each => each[figure] > 0 && Number.isFinite(each[figure]));
  const alike = known.filter(each => each.domain === domain);
  const sorted = (alike.length >= ENOUGH ? alike : known)
    .map(each => clamped(each[figure], 1 / MOST_RATIO, MOST_RATIO))
    .sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? 1;
  const likely = at(0.5);
  return sorted.length < ENOUGH
    ? { low: likely / FACTOR, likely, high: likely * FACTOR }
    : { low: at(0.1), likely, high: at(0.9) };
}

export function estimateOf(facts: IssueFacts, past: readonly PastIssue[], means: Means): IssueEstimate {
  const expected = expectedOf(facts, means);
  const range = (figure: keyof Figures) =>
    rangeFrom(of => expected[figure] * ratioOf(past, facts.domain, figure)[of]);
  return { usd: range('usd'), minutes: range('minutes'), expected };
}

/** An issue of a batch, with its estimate. */
export type EstimatedIssue = Omit<ScheduledIssue, 'state' | 'standsOn'> & Figures<Range>;

/** Of a batch: the dollars added up, and the minutes from the first start to the last delivery. */
export const wholeOf = (issues: readonly EstimatedIssue[], slots: number): Figures<Range> => ({
  usd: addedUp(issues.map(({ usd }) => usd)),
  minutes: rangeFrom(of => minutesOf(issues, slots, of)),
});

/**
 * The run's estimate as a change of its view: the cost of planning, its issues, and what is `planned` beside them. The
 * minutes are those of what is left.
 */
export function estimateRun(view: RunView, planned: Partial<Figures<Range>> = {}): ViewChange {
  const own = view.issues.flatMap(({ estimate, state }) => (estimate ? [{ ...estimate, state }] : []));
  const usd = [...own.map(each => each.usd), ...[planned.usd ?? []].flat()];
  if (usd.length === 0) return { change: 'run', to: { estimate: undefined } };
  const planning = sum(view.layers.map(({ cost_usd }) => cost_usd));
  const left = [
    ...own.filter(({ state }) => !endStates.includes(state)),
    ...(planned.minutes ? [planned] : []),
  ];
  const estimate = {
    planning,
    usd: addedUp([...usd, { low: planning, likely: planning, high: planning }]),
    minutes: rangeFrom(of => Math.max(0, ...left.map(({ minutes }) => minutes?.[of] ?? 0))),
  };
  return { change: 'run', to: { estimate } };
}

/** Of amounts as they are shown, so that the parts that people see come to the whole. */
const addedUp = (parts: readonly Range[]): Range => {
  const of = (figure: keyof Range) => Number(sum(parts.map(part => Number(cents(part[figure])))).toFixed(4));
  return { low: of('low'), likely: of('likely'), high: of('high') };
};

/** No batch is done before its longest chain, nor before what runs alone, and then what shares the slots. */
function minutesOf(issues: readonly EstimatedIssue[], slots: number, of: keyof Range): number {
  const { open } = orderOf(
    issues.map(issue => ({ ...issue, state: 'pending', estimateMinutes: issue.minutes[of] })),
    new Map(),
  );
  const minutes = (tasks: readonly Task[]) => sum(tasks.map(task => task.minutes));
  const alone = open.filter(({ exclusive }) => exclusive);
  const shared = open.filter(({ exclusive }) => !exclusive);
  return Math.max(...open.map(({ chain }) => chain), minutes(alone) + minutes(shared) / slots);
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

const rangeFrom = (figure: (of: keyof Range) => number): Range => ({
  low: threeDigits(figure('low')),
  likely: threeDigits(figure('likely')),
  high: threeDigits(figure('high')),
});

const clamped = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** Issues of the past that count: those before were worked by other models on other code. */
const MOST_PAST = 40;

/** Ended issues of these runs and the past that they knew already, the newest first. */
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
const threeDigits = (value: number) => Number(value.toPrecision(3));
