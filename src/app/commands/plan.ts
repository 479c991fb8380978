// /plan
import { bare, type Planned } from './command.ts';

export const plan: Planned<'plan'> = {
  kind: 'planned',
  ...bare('plan'),
  what: 'the present plan',
  who: 'read',
};
