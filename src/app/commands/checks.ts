// /checks (on a pull request), /checks #n (on the directive)
import { z } from 'zod';
import { noPullForChecks } from '../comments/round.ts';
import { changing } from './command.ts';

export const checks = changing({
  name: 'checks',
  usage: '/checks [#n]',
  what: 'on a pull request, or with its number: you have read the change, so its checks may start',
  who: 'write',
  example: '/checks',
  carries: {
    /** Absent: the pull request that it is written on. */
    pull: z.number().exactOptional(),
  },
  anywhere: true,
  parse(rest) {
    if (rest === '') return {};
    const number = /^#?([1-9]\d{0,8})$/.exec(rest)?.[1];
    if (!number) return { wrong: 'not the number of one pull request, such as #12', at: 0 };
    return { pull: Number(number) };
  },
  notNow: () => noPullForChecks,
});
