// /cancel
import { bare, type Changing, CommandOrigin } from './command.ts';

export const cancel: Changing<'cancel'> = {
  kind: 'changes',
  ...bare('cancel'),
  what: 'ends the run and its jobs at once',
  who: 'write',
  value: CommandOrigin,
  interrupts: true,
};
