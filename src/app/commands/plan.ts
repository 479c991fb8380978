// /plan
import { planReply } from '../comments/plan.ts';
import { bare, type Reading } from './command.ts';

export const plan: Reading<'plan'> = {
  kind: 'reads',
  ...bare('plan'),
  what: 'the present plan',
  who: 'read',
  answers: { of: 'run', say: planReply },
};
