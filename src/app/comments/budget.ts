// Texts about money: too little left to go on, and a limit that was changed after the end.
import { code } from './neutral.ts';
import { dollars } from './figures.ts';
import type { RunView } from './view.ts';
import type { Layer } from '../layers.ts';

const over = (spent: number, limit: number) =>
  spent > limit ? `has cost ${dollars(spent)}, ${dollars(spent - limit)} more than its` : `has used up its`;

/** Reason for calling no layer, as a clause. */
export const runSpent = ({ cost_usd, budget_usd }: Pick<RunView, 'cost_usd' | 'budget_usd'>) =>
  `it ${over(cost_usd, budget_usd)} limit of ${dollars(budget_usd)}`;

/** Reason for not calling this layer, as a clause. `spent`: its cost so far (USD). */
export const layerSpent = ({ id, name, budget }: Pick<Layer, 'id' | 'name' | 'budget'>, spent: number) =>
  `the ${name} ${over(spent, budget)} own limit of ${dollars(budget)} (${code(`budget.layers.${id}`)})`;

/** The command to type then. */
export const layerRaise = (
  { name }: Pick<Layer, 'name'>,
  { budget_usd, budget_cap }: Pick<RunView, 'budget_usd' | 'budget_cap'>,
) =>
  budget_cap && budget_usd + 5 > budget_cap.most
    ? `/budget ${budget_cap.most} lets the ${name} use what is left of the run's limit.`
    : `/budget +5 lets the ${name} cost $5 more, and the run as well.`;

/** Reason for beginning no attempt, as a clause (USD each). */
export const tooLittleLeft = (left: number, limit: number, least: number) =>
  `${dollars(Math.max(0, left))} of its limit of ${dollars(limit)} is left, and an attempt at an issue needs at least ${dollars(least)}`;

export const raisedAfterEnd = (limit: number) =>
  `The run's limit is ${dollars(limit)} now. Type ${code('/retry')} to have the issues that failed tried again.`;

/** Spending compared with the limit; for a flat plan, the equivalent amount. */
export const spentOf = ({
  cost_usd,
  budget_usd,
  flatPlan,
}: Pick<RunView, 'cost_usd' | 'budget_usd' | 'flatPlan'>) =>
  flatPlan ? `${dollars(cost_usd)} ${byPrices}` : `${dollars(cost_usd)} of ${dollars(budget_usd)}`;

/** Said of dollars that nobody pays. */
export const byPrices = 'by the price table (a flat plan pays, no limit is enforced)';

/** Reason for refusing a command in a run that cannot continue, as a clause. */
export const nothingToPay = (status: string) =>
  `the run is ${status}, and nothing of it can be tried again. Take the label off and put it on again to begin another`;
