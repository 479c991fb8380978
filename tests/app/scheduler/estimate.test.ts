// What issues are thought to cost, held against simulated repositories whose truth is known.
import { describe, expect, test } from 'vitest';
import type { PastIssue } from '../../../src/app/comments/view.ts';
import type { Domain } from '../../../src/app/scheduler/domains.ts';
import {
  expectedOf,
  type IssueFacts,
  type Means,
  pastOf,
  rangeOf,
  spreadOf,
} from '../../../src/app/scheduler/estimate.ts';
import { delivered, issueView, runView } from '../comments/view.ts';
import { forecast, type PlannedIssue } from '../../../src/app/scheduler/forecast.ts';
import { rowOf } from '../../../src/engine/models/table.ts';

const price = rowOf('claude-sonnet-5-5').price;
const means: Means = { director: price, evaluator: price, testMinutes: 0.5, candidates: 1 };
const facts = (more: Partial<IssueFacts> = {}): IssueFacts => ({
  domain: 'backend',
  characters: 2000,
  paths: 2,
  ...more,
});

/** Normal numbers; a repository is as random as its seed. */
function normals(seed: number) {
  let state = seed * 48_271;
  const even = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return () => Math.sqrt(-2 * Math.log(even())) * Math.cos(2 * Math.PI * even());
}

const domains: readonly Domain[] = ['backend', 'frontend', 'tests', 'docs'];

/** A repository that is dearer or cheaper than expected as a whole, and in each domain, and in each issue. */
function repository(seed: number, { shared = 0.5, own = 0.6 } = {}) {
  const normal = normals(seed);
  const whole = shared * normal();
  const ofDomain = new Map(domains.map(domain => [domain, 0.3 * normal()]));
  let at = 0;
  return (): PastIssue => {
    const domain = domains[at++ % domains.length]!;
    const middle = whole + (ofDomain.get(domain) ?? 0);
    return {
      ...{ issue: at, domain },
      usd: Math.exp(middle + own * normal()),
      minutes: Math.exp(middle + own * normal()),
    };
  };
}

/** Over 400 repositories, the next issue after so many: mean error of the logarithm, and the share within its range. */
function judged(known: number, kind?: Parameters<typeof repository>[1]) {
  const errors: number[] = [];
  let held = 0;
  for (let seed = 1; seed <= 400; seed += 1) {
    const next = repository(seed, kind);
    const past = Array.from({ length: known }, next);
    const actual = next();
    const { low, likely, high } = rangeOf(1, spreadOf(past, actual.domain, 'usd'));
    errors.push(Math.abs(Math.log(actual.usd / likely)));
    if (low <= actual.usd && actual.usd <= high) held += 1;
  }
  return { error: errors.reduce((sum, each) => sum + each, 0) / errors.length, held: held / errors.length };
}

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

describe('the past of the repository', () => {
  const [none, few, many] = [judged(0), judged(5), judged(40)];
  test('makes the error fall', () => {
    expect(few.error).toBeLessThan(0.9 * none.error);
    expect(many.error).toBeLessThan(0.93 * few.error);
    // What each issue has of its own (0.6) can be known from nothing: its mean is 0.48.
    expect(many.error).toBeLessThan(0.55);
  });
  test.each([
    ['nothing', none],
    ['five issues', few],
    ['forty issues', many],
    ['forty of a steady repository', judged(40, { own: 0.3 })],
    ['forty of a wild one', judged(40, { own: 1 })],
    ['five of one unlike others', judged(5, { shared: 0.8 })],
  ])('after %s the range holds about eight of ten', (_name, { held }) => {
    expect(held).toBeGreaterThan(0.73);
    expect(held).toBeLessThan(0.88);
  });
  test('of the same domain counts most', () => {
    const past: PastIssue[] = Array.from({ length: 8 }, (_none, at) => ({
      issue: at,
      domain: at % 2 ? 'docs' : 'backend',
      usd: at % 2 ? 0.5 : 2,
      minutes: 1,
    }));
    const of = (domain: Domain) => rangeOf(1, spreadOf(past, domain, 'usd')).likely;
    expect(of('docs')).toBeLessThan(of('tests'));
    expect(of('tests')).toBeLessThan(of('backend'));
  });
  test('that makes no sense changes nothing beyond bounds', () => {
    const wild = [0, -1, NaN, Infinity].map(
      (usd): PastIssue => ({ issue: 1, domain: 'docs', usd, minutes: 1 }),
    );
    expect(spreadOf(wild, 'docs', 'usd')).toEqual(spreadOf([], 'docs', 'usd'));
    const far = rangeOf(1, spreadOf([{ issue: 1, domain: 'docs', usd: 1e300, minutes: 1 }], 'docs', 'usd'));
    expect(far.high).toBeLessThan(1e4);
  });
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

describe('a batch', () => {
  const issue = (number: number, more: Partial<PlannedIssue> = {}): PlannedIssue => ({
    ...{ number, domain: 'tests', paths: [`part-${number}/**`], dependsOn: [], characters: 2000 },
    ...more,
  });
  const of = (issues: PlannedIssue[], slots = 3, past: PastIssue[] = []) =>
    forecast(issues, { past, means, slots });
  const three = [issue(1), issue(2), issue(3)];
  const ratio = ({ low, high }: { low: number; high: number }) => high / low;

  test('is the same each time', () => expect(of(three)).toEqual(of(three)));
  test('costs as much as its issues, and its range is narrower than theirs', () => {
    const { issues, whole } = of(three);
    const likely = issues.get(1)!.usd.likely;
    expect(whole.usd.likely / (3 * likely)).toBeGreaterThan(0.95);
    expect(whole.usd.likely / (3 * likely)).toBeLessThan(1.5);
    expect(ratio(whole.usd)).toBeLessThan(ratio(issues.get(1)!.usd));
  });
  test('takes as long as slots, conflicts and dependencies let it', () => {
    const side = of(three).whole.minutes.likely;
    const inLine: [string, PlannedIssue[], number][] = [
      ['one slot', three, 1],
      ['one domain', three.map(each => ({ ...each, paths: [] })), 3],
      [
        'dependencies',
        three.map(each => ({ ...each, dependsOn: each.number > 1 ? [each.number - 1] : [] })),
        3,
      ],
    ];
    for (const [why, issues, slots] of inLine) {
      const { minutes } = of(issues, slots).whole;
      expect(minutes.likely / side, why).toBeGreaterThan(1.8);
      expect(minutes.low, why).toBeLessThan(minutes.likely);
      expect(minutes.likely, why).toBeLessThan(minutes.high);
    }
  });
  test('what the repository came to before moves it', () => {
    const past = Array.from(
      { length: 10 },
      (): PastIssue => ({ issue: 1, domain: 'tests', usd: 3, minutes: 2 }),
    );
    const [before, after] = [of(three).whole, of(three, 3, past).whole];
    expect(after.usd.likely / before.usd.likely).toBeGreaterThan(2);
    expect(ratio(after.usd)).toBeLessThan(ratio(before.usd));
  });
  test('nothing costs nothing', () => {
    const nothing = { low: 0, likely: 0, high: 0 };
    expect(of([]).whole).toEqual({ usd: nothing, minutes: nothing });
  });
});
