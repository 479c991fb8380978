// /retry [#n]
import type { Misfit, Row } from './command.ts';

export interface Retry {
  name: 'retry';
  /** Absent: every failed issue, or the layer that failed. */
  issue?: number;
}

export const retry: Row<'retry', Retry> = {
  name: 'retry',
  usage: '/retry [#n]',
  what: 'the failed issue, all failed issues, or the failed layer again',
  who: 'write',
  example: '/retry #12',
  parse(rest): Retry | Misfit {
    if (rest === '') return { name: 'retry' };
    const number = /^#?([1-9]\d{0,8})$/.exec(rest)?.[1];
    if (!number) return { wrong: 'not the number of one issue, such as #12', at: 0 };
    return { name: 'retry', issue: Number(number) };
  },
};
