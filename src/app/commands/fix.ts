// /fix text (on a pull request), /fix #n text (on the directive)
import { z } from 'zod';
import { noPullHere } from '../comments/round.ts';
import { type Changing, CommandOrigin } from './command.ts';

const value = CommandOrigin.extend({ text: z.string() });
type Fix = z.infer<typeof value>;

export const fix: Changing<'fix', Fix> = {
  kind: 'changes',
  name: 'fix',
  usage: '/fix [#n] text',
  what: 'on a pull request, or with its number: another round of the engineer with this feedback',
  who: 'write',
  example: '/fix the empty list should give 0',
  value,
  anywhere: true,
  parse: rest => (rest === '' ? { wrong: 'say what should be fixed', at: 0 } : { text: rest }),
  notNow: () => noPullHere,
};
