// Estimated cost and time of work, and the actual figures.
import { cents, dollars, folded, plural, table } from './figures.ts';
import { costsOf } from './issue-table.ts';
import type { Figures, Range, RunView } from './view.ts';

/** `about $0.90 (0.40 to 2.10), 40 minutes (25 to 70)`. */
export const estimated = ({ usd, minutes }: Figures<Range>): string =>
  `about ${dollars(usd.likely)} (${between(usd, cents)}), ${plural(whole(minutes.likely), 'minute')} (${between(minutes, whole)})`;

/** `$0.30 (0.12 to 0.80)`. */
const inDollars = (usd: Range): string => `${dollars(usd.likely)} (${between(usd, cents)})`;

/** `9 min (4 to 20)`. */
const inMinutes = (minutes: Range): string => `${whole(minutes.likely)} min (${between(minutes, whole)})`;

const between = ({ low, high }: Range, shown: (value: number) => number | string) =>
  `${shown(low)} to ${shown(high)}`;
/** Nothing takes no time at all. */
const whole = (minutes: number) => Math.max(1, Math.round(minutes));

/** Of a run whose issues were estimated: the sum, and a folded row for each. Else empty. */
export function estimateAndActual(view: RunView): string {
  const { estimate, issues, work, cost_usd } = view;
  if (!estimate) return '';
  const costs = costsOf(view);
  const rows = issues.flatMap(({ number, estimate: own, ms }, at) =>
    own
      ? [[`#${number}`, inDollars(own.usd), dollars(costs.issues[at] ?? 0), inMinutes(own.minutes), took(ms)]]
      : [],
  );
  if (rows.length === 0) return '';
  const planned = costs.layers.reduce((all, each) => all + each, 0);
  const planning = ['Planning', dollars(estimate.planning), dollars(planned), '', ''];
  const all = [
    '**In all**',
    inDollars(estimate.usd),
    dollars(cost_usd),
    inMinutes(estimate.minutes),
    work ? took(work.to - work.from) : '',
  ];
  return folded(
    'Estimated and actual, by issue',
    table(['Issue', 'Estimated', 'Cost', 'Estimated', 'Took'], [...rows, planning, all]),
  );
}

const took = (ms: number) => (ms === 0 ? '' : `${whole(ms / 60_000)} min`);
