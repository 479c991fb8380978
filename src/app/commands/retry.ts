// /retry [#n]
import { z } from 'zod';
import { nothingToRetry } from '../comments/replies.ts';
import { changing } from './command.ts';

export const retry = changing({
  name: 'retry',
  usage: '/retry [#n]',
  what: 'the failed issue, all failed issues, or the failed layer again; finished work that GitHub refused is delivered',
  who: 'write',
  example: '/retry #12',
  carries: {
    /** Absent: every failed issue, or the layer that failed. */
    issue: z.number().exactOptional(),
  },
  parse(rest) {
    if (rest === '') return {};
    const number = /^#?([1-9]\d{0,8})$/.exec(rest)?.[1];
    if (!number) return { wrong: 'not the number of one issue, such as #12', at: 0 };
    return { issue: Number(number) };
  },
  notNow: () => nothingToRetry,
  anywhere: true,
});
