// /cancel
import { bare, changing } from './command.ts';

export const cancel = changing({
  ...bare('cancel'),
  what: 'ends the run and its jobs at once',
  who: 'write',
  carries: {},
  interrupts: true,
});
