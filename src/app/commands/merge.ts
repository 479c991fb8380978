// /merge (on a pull request: that one)
import { nothingDelivered } from '../comments/together.ts';
import { bare, changing } from './command.ts';

export const merge = changing({
  ...bare('merge'),
  what: 'merges the pull requests in order, each when its checks are green',
  who: 'maintain',
  carries: {},
  anywhere: true,
  notNow: () => nothingDelivered,
});
