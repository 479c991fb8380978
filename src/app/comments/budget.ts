// What is said of money: too little left to go on, and a limit that was changed after the end.
import { code } from './listing.ts';
import { dollars } from './figures.ts';
import type { RunView } from './view.ts';

/** Whole tenths of a cent count here. */
const exact = (usd: number) => `$${Number(Math.max(0, usd).toFixed(4))}`;

/** Why no attempt begins, as a clause (USD each). */
export const tooLittleLeft = (left: number, limit: number, least: number) =>
  `${exact(left)} of its limit of ${exact(limit)} is left, and an attempt at an issue needs at least ${exact(least)}`;

export const raisedAfterEnd = (limit: number) =>
  `The run's limit is ${dollars(limit)} now. Type ${code('/retry')} to have the issues that failed tried again.`;

/** What was spent of the limit; of a flat plan, what it would have come to. */
export const spentOf = ({
  cost_usd,
  budget_usd,
  flatPlan,
}: Pick<RunView, 'cost_usd' | 'budget_usd' | 'flatPlan'>) =>
  flatPlan ? `${dollars(cost_usd)} ${byPrices}` : `${dollars(cost_usd)} of ${dollars(budget_usd)}`;

/** Said of dollars that nobody pays. */
export const byPrices = 'by the price table (a flat plan pays, no limit is enforced)';

/** Why a command does not fit a run that can go on no more, as a clause. */
export const nothingToPay = (status: string) =>
  `the run is ${status}, and nothing of it can be tried again. Take the label off and put it on again to begin another`;
