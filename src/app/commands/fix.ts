// /fix text (on a pull request)
import type { Misfit, Row } from './command.ts';

export interface Fix {
  name: 'fix';
  text: string;
}

export const fix: Row<'fix', Fix> = {
  name: 'fix',
  usage: '/fix text',
  what: 'on a pull request: another round of the engineer with this feedback',
  who: 'write',
  example: '/fix the empty list should give 0',
  parse: (rest): Fix | Misfit =>
    rest === '' ? { wrong: 'say what should be fixed', at: 0 } : { name: 'fix', text: rest },
};
