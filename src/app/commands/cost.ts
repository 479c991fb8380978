// /cost
import { costReply } from '../comments/cost.ts';
import { bare, type Reading } from './command.ts';

export const cost: Reading<'cost'> = {
  kind: 'reads',
  ...bare('cost'),
  what: 'what was spent, by layer and issue',
  who: 'read',
  answers: { of: 'run', say: costReply },
};
