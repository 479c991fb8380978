// /cost
import { bare, type Planned } from './command.ts';

export const cost: Planned<'cost'> = {
  kind: 'planned',
  ...bare('cost'),
  what: 'what was spent, by layer and issue',
  who: 'read',
};
