// Estimates of issues and of batches.
import { fold } from '../../../src/app/comments/fold.ts';
import { describe, expect, test } from 'vitest';
import type { PastIssue, Range } from '../../../src/app/comments/view.ts';
import type { Domain } from '../../../src/app/scheduler/domains.ts';
import {
  type EstimatedIssue,
  estimateOf,
  estimateRun,
  expectedOf,
  type IssueFacts,
  type Means,
  pastOf,
  wholeOf,
} from '../../../src/app/scheduler/estimate.ts';
import { delivered, issueView, runView } from '../comments/view.ts';
import { rowOf } from '../../../src/engine/models/table.ts';

const price = rowOf('claude-sonnet-5-5').price;
const means: Means = { director: price, evaluator: price, testMinutes: 0.5, candidates: 1 };
const facts = (more: Partial<IssueFacts> = {}): IssueFacts => ({
  domain: 'backend',
  characters: 2000,
  paths: 2,
  ...more,
});

describe('an issue', () => {
  test('costs by its models, and takes its time by the tests', () => {
    const dear = {
      ...means,
      director: rowOf('claude-opus-5').price,
      evaluator: rowOf('claude-opus-5').price,
    };
    expect(expectedOf(facts(), dear).usd).toBeGreaterThan(2 * expectedOf(facts(), means).usd);
    expect(expectedOf(facts(), dear).minutes).toBe(expectedOf(facts(), means).minutes);
    const slow = { ...means, testMinutes: 5 };
    expect(expectedOf(facts(), slow).minutes).toBeGreaterThan(5 + expectedOf(facts(), means).minutes);
  });
  test.each<[string, Partial<IssueFacts>]>([
    ['text', { characters: 8000 }],
    ['paths', { paths: 6 }],
    ['minutes, as the team lead thinks', { estimateMinutes: 60 }],
  ])('costs more with more %s', (_name, more) => {
    expect(expectedOf(facts(more), means).usd).toBeGreaterThan(1.1 * expectedOf(facts(), means).usd);
  });
  test('worked by several candidates costs as often as much and the choice, and takes no longer', () => {
    const [one, three] = [1, 3].map(candidates => expectedOf(facts(), { ...means, candidates }));
    expect(three!.usd).toBeGreaterThan(3 * one!.usd);
    expect(three!.usd).toBeLessThan(3.5 * one!.usd);
    expect(three!.minutes).toBe(one!.minutes);
  });
  test('the measured run of three issues comes to what it came to', () => {
    // Three issues of a Go library with two paths each, at the prices of the middle model, layers left out.
    const { usd } = expectedOf(facts(), means);
    const calls = 6;
    const measured =
      (calls * (5400 * (0.8 * price.cache_read + 0.2 * price.cache_write) + 530 * price.output)) / 1e6;
    expect(usd / measured).toBeCloseTo(1, 1);
  });
});

describe('estimateOf, as ratios to what is expected', () => {
  const row = (domain: Domain, usd: number): PastIssue => ({ issue: 1, domain, usd, minutes: 1 });
  const ratios = (past: PastIssue[], domain: Domain) => {
    const { usd, expected } = estimateOf(facts({ domain }), past, means);
    const of = (figure: keyof Range) => Number((usd[figure] / expected.usd).toPrecision(2));
    return { low: of('low'), likely: of('likely'), high: of('high') };
  };
  const docs = [0.5, 0.6, 0.7, 0.8, 0.9].map(usd => row('docs', usd));
  const backend = [1, 2, 3, 4].map(usd => row('backend', usd));

  test.each<[string, PastIssue[], Domain, Range]>([
    ['nothing is known', [], 'docs', { low: 0.33, likely: 1, high: 3 }],
    ['too few for a range', backend, 'backend', { low: 1, likely: 3, high: 9 }],
    [
      'the same domain, where it has enough',
      [...docs, ...backend],
      'docs',
      { low: 0.5, likely: 0.7, high: 0.9 },
    ],
    ['all of the repository otherwise', [...docs, ...backend], 'backend', { low: 0.5, likely: 0.9, high: 4 }],
    [
      'forty of them',
      Array.from({ length: 40 }, (_none, at) => row('docs', at + 1)),
      'docs',
      { low: 5, likely: 21, high: 37 },
    ],
    [
      'what makes no sense counts for nothing',
      [...docs, ...[0, -1, NaN, Infinity].map(usd => row('docs', usd))],
      'docs',
      { low: 0.5, likely: 0.7, high: 0.9 },
    ],
    [
      'an accident is bounded',
      Array.from({ length: 5 }, () => row('docs', 1e300)),
      'docs',
      { low: 50, likely: 50, high: 50 },
    ],
  ])('%s', (_name, past, domain, expected) => expect(ratios(past, domain)).toEqual(expected));
});

describe('pastOf', () => {
  const range = { low: 1, likely: 1, high: 1 };
  const estimate = { usd: range, minutes: range, expected: { usd: 0.5, minutes: 4 } };
  const row = (issue: number, usd = 1): PastIssue => ({ issue, domain: 'docs', usd, minutes: 1 });

  test('compares what ended with what was expected of it', () => {
    const worked = { estimate, cost_usd: 1, ms: 120_000 };
    const issues = [
      delivered(2, 5, worked),
      issueView(3, { ...worked, state: 'failed', cost_usd: 0.25 }),
      issueView(4, { ...worked, state: 'running' }),
      issueView(5, { ...worked, state: 'failed', cost_usd: 0 }),
      delivered(6, 7, { cost_usd: 1, ms: 1 }),
    ];
    expect(pastOf([runView({ issues })])).toEqual([
      { issue: 2, domain: 'backend', usd: 2, minutes: 0.5 },
      { issue: 3, domain: 'backend', usd: 0.5, minutes: 0.5 },
    ]);
  });
  test('each issue counts once, of a newer run first, forty at most', () => {
    const [older, newer] = [
      runView({ updated: 1, past: [row(1), row(2)] }),
      runView({ updated: 2, past: [row(2, 3), row(3)] }),
    ];
    expect(pastOf([older, newer])).toEqual([row(2, 3), row(3), row(1)]);
    const many = Array.from({ length: 60 }, (_none, at) => row(at + 1));
    expect(pastOf([runView({ past: many })])).toEqual(many.slice(0, 40));
  });
});

describe('wholeOf', () => {
  const range = { low: 5, likely: 10, high: 30 };
  const issue = (number: number, more: Partial<EstimatedIssue> = {}): EstimatedIssue => ({
    ...{ number, domain: 'tests', paths: [`part-${number}/**`], dependsOn: [], usd: range, minutes: range },
    ...more,
  });
  const three = [1, 2, 3].map(number => issue(number));
  const inLine = three.map(each => ({ ...each, dependsOn: each.number > 1 ? [each.number - 1] : [] }));

  test.each<[string, EstimatedIssue[], number, number]>([
    ['nothing', [], 3, 0],
    ['side by side', three, 3, 10],
    ['on one slot', three, 1, 30],
    ['depending on each other', inLine, 3, 30],
    ['work that runs alone', [...three, issue(4, { domain: 'database' })], 3, 20],
  ])('%s takes so many minutes', (_name, issues, slots, likely) => {
    const { minutes } = wholeOf(issues, slots);
    expect(minutes).toEqual({ low: likely / 2, likely, high: likely * 3 });
  });
  test('dollars add up, as they are shown', () => {
    const parts = three.map(each => ({ ...each, usd: { low: 0.014, likely: 0.034, high: 10.044 } }));
    expect(wholeOf(parts, 3).usd).toEqual({
      low: 0.03,
      likely: 0.09,
      high: 30.12,
    });
  });
  test.each<[string, Parameters<typeof estimateRun>[1], Range | undefined, number]>([
    ['issues that are listed: added to what is there', { usd: range, minutes: range }, range, 30],
    ['nothing is listed: what is there, and the minutes of what is left of it', {}, undefined, 20],
  ])('of a run, %s', (_name, planned, more, likely) => {
    const estimate = { usd: range, minutes: range, expected: { usd: 1, minutes: 1 } };
    const long = { low: 20, likely: 20, high: 20 };
    const issues = [
      delivered(2, 5, { estimate: { ...estimate, minutes: { ...long, high: 99 } } }),
      issueView(3, { state: 'running', estimate: { ...estimate, minutes: long } }),
      issueView(4, { state: 'cancelled' }),
    ];
    const layers = runView({}).layers.map(layer => ({ ...layer, cost_usd: 0.5 }));
    const view = runView({ issues, layers });
    fold(view, estimateRun(view, planned));
    const parts = more ? 3 : 2;
    const planning = layers.length / 2;
    expect(view.estimate).toEqual({
      planning,
      usd: { low: planning + 5 * parts, likely: planning + 10 * parts, high: planning + 30 * parts },
      minutes: { low: 20, likely: 20, high: likely },
    });
  });
});
