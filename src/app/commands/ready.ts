// /ready (on a pull request: that one)
import { nothingDelivered } from '../comments/together.ts';
import { bare, changing } from './command.ts';

export const ready = changing({
  ...bare('ready'),
  what: 'marks drafts with no red or running check as ready for review',
  who: 'write',
  carries: {},
  anywhere: true,
  notNow: () => nothingDelivered,
});
