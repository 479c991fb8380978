// What a batch of issues will probably cost and how long it will take side by side, before anybody approves it.
import type { Figures, IssueEstimate, PastIssue, Range } from '../comments/view.ts';
import { normals } from '../../lib/normals.ts';
import { expectedOf, type Means, rangeOf, type Spread, spreadOf } from './estimate.ts';
import { orderOf } from './order.ts';
import { bestPlan, play } from './play.ts';
import type { ScheduledIssue } from './tracked-issue.ts';

export interface PlannedIssue extends Omit<ScheduledIssue, 'state' | 'standsOn'> {
  /** Of its text. */
  characters: number;
}

export interface Forecast {
  /** By the issue's number. */
  issues: Map<number, IssueEstimate>;
  /** Of all: the dollars added up, the minutes from the first start to the last delivery. */
  whole: Figures<Range>;
}

/** Runs that are drawn for the whole; the tenth and the ninetieth of a hundred are steady within some percent. */
const DRAWS = 100;

/** A pure function: what is drawn at random is the same each time. */
export function forecast(
  issues: readonly PlannedIssue[],
  { past, means, slots }: { past: readonly PastIssue[]; means: Means; slots: number },
): Forecast {
  const rows = new Map(
    issues.map(({ number, domain, characters, paths, estimateMinutes }) => {
      const expected = expectedOf({ domain, characters, paths: paths.length, estimateMinutes }, means);
      const spread = { usd: spreadOf(past, domain, 'usd'), minutes: spreadOf(past, domain, 'minutes') };
      return [number, { expected, spread }] as const;
    }),
  );
  const found = new Map(
    [...rows].map(([number, { expected, spread }]): [number, IssueEstimate] => [
      number,
      {
        usd: rangeOf(expected.usd, spread.usd),
        minutes: rangeOf(expected.minutes, spread.minutes),
        expected,
      },
    ]),
  );
  return { issues: found, whole: wholeOf(issues, rows, found, slots) };
}

interface Row {
  expected: Figures;
  spread: Figures<Spread>;
}

/**
 * Runs of the batch are drawn and played in the order that the estimates give. What is not known of the repository is drawn once
 * a run, since it makes all issues dearer or all cheaper.
 */
function wholeOf(
  issues: readonly PlannedIssue[],
  rows: ReadonlyMap<number, Row>,
  found: ReadonlyMap<number, IssueEstimate>,
  slots: number,
): Figures<Range> {
  const estimated = issues.map(
    (issue): ScheduledIssue => ({
      ...issue,
      state: 'pending',
      estimateMinutes: found.get(issue.number)?.minutes.likely,
    }),
  );
  const order = orderOf(estimated, new Map());
  const { start, manner } = bestPlan(order, slots);
  const normal = normals(1);
  const usd: number[] = [];
  const minutes: number[] = [];
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const shared = normal();
    const drawn = new Map(
      [...rows].map(([number, row]) => [number, drawnFrom(row, shared, normal())] as const),
    );
    usd.push([...drawn.values()].reduce((sum, each) => sum + each.usd, 0));
    minutes.push(play(order, start, manner, ({ issue }) => drawn.get(issue.number)?.minutes ?? 0));
  }
  return { usd: rangeIn(usd), minutes: rangeIn(minutes) };
}

function drawnFrom({ expected, spread }: Row, shared: number, own: number): Figures {
  const one = (figure: keyof Figures) => {
    const { mean, ...deviations } = spread[figure];
    return expected[figure] * Math.exp(mean + deviations.shared * shared + deviations.own * own);
  };
  return { usd: one('usd'), minutes: one('minutes') };
}

function rangeIn(values: readonly number[]): Range {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? 0;
  return { low: at(0.1), likely: at(0.5), high: at(0.9) };
}
