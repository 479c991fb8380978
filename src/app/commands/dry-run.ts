// /dry-run
import { dryRunBegins } from '../comments/replies.ts';
import { bare, type Reading } from './command.ts';

/** Changes no run: what begins the next one reads it (handlers/labelled-text.ts). */
export const dryRun: Reading<'dry-run'> = {
  kind: 'reads',
  ...bare('dry-run'),
  what: 'before the label is put on: the layers say what they would do, and nothing is done',
  who: 'read',
  answers: { of: 'commands', say: () => dryRunBegins },
};
