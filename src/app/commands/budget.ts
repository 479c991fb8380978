// /budget +5 | 30
import type { Misfit, Row } from './command.ts';

export interface Budget {
  name: 'budget';
  /** USD: added to the limit of the run, or its new limit. */
  change: { add: number } | { set: number };
}

/** More than this is taken for a slip of the hand. */
const most = 100_000;

export const budget: Row<'budget', Budget> = {
  name: 'budget',
  usage: '/budget +5 | 30',
  what: "raises or sets the run's limit, in USD",
  who: 'maintain',
  example: '/budget +5',
  parse(rest): Budget | Misfit {
    const amount = /^(\+?)\s?\$?(\d{1,9}(?:\.\d{1,2})?)$/.exec(rest);
    if (!amount) return { wrong: 'an amount in USD is expected: +5 to add, 30 to set', at: 0 };
    const usd = Number(amount[2]);
    if (usd > most) return { wrong: `more than ${most} USD`, at: 0 };
    if (amount[1] && usd === 0) return { wrong: 'adds nothing', at: 0 };
    return { name: 'budget', change: amount[1] ? { add: usd } : { set: usd } };
  },
};
