// /fix text (on a pull request)
import type { Planned } from './command.ts';

export const fix: Planned<'fix', { text: string }> = {
  kind: 'planned',
  name: 'fix',
  usage: '/fix text',
  what: 'on a pull request: another round of the engineer with this feedback',
  who: 'write',
  example: '/fix the empty list should give 0',
  parse: rest => (rest === '' ? { wrong: 'say what should be fixed', at: 0 } : { text: rest }),
};
