// /budget +5 | 30
import { z } from 'zod';
import { nothingToPay } from '../comments/budget.ts';
import { dollars } from '../comments/figures.ts';
import { changing } from './command.ts';

/** More than this is taken for a slip of the hand. */
const most = 100_000;

export const budget = changing({
  name: 'budget',
  usage: '/budget +5 | 30',
  what: "raises or sets the run's limit, in USD",
  who: 'maintain',
  example: '/budget +5',
  carries: {
    /** USD: added to the limit of the run, or its new limit. */
    change: z.union([z.object({ add: z.number() }), z.object({ set: z.number() })]),
  },
  anywhere: true,
  parse(rest) {
    const amount = /^(\+?)\s?\$?(\d{1,9}(?:\.\d{1,2})?)$/.exec(rest);
    if (!amount) return { wrong: 'an amount in USD is expected: +5 to add, 30 to set', at: 0 };
    const usd = Number(amount[2]);
    if (usd > most) return { wrong: `more than ${most} USD`, at: 0 };
    if (amount[1] && usd === 0) return { wrong: 'adds nothing', at: 0 };
    return { change: amount[1] ? { add: usd } : { set: usd } };
  },
  effect({ flatPlan, budget_usd, budget_cap: cap }, { change }) {
    if (flatPlan) return 'a flat plan pays for this run (`billing: max`): no limit is enforced';
    const usd = 'set' in change ? change.set : budget_usd + change.add;
    if (cap && usd > cap.most)
      return `the run's limit would be ${dollars(usd)}, and the operator of this installation allows at most ${dollars(cap.most)} (${cap.by}). It stays at ${dollars(budget_usd)}`;
    return { change: 'run', to: { budget_usd: usd } };
  },
  afterEnd: ({ status }) => nothingToPay(status),
});
