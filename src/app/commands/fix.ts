// /fix text (on a pull request), /fix #n text (on the directive)
import { z } from 'zod';
import { noPullHere } from '../comments/round.ts';
import { changing } from './command.ts';

export const fix = changing({
  name: 'fix',
  usage: '/fix [#n] text',
  what: 'on a pull request, or with its number: another round of the engineer with this feedback',
  who: 'write',
  example: '/fix the empty list should give 0',
  carries: { text: z.string() },
  anywhere: true,
  parse: rest => (rest === '' ? { wrong: 'say what should be fixed', at: 0 } : { text: rest }),
  notNow: () => noPullHere,
});
