// /pause
import { bare, type Changing, CommandOrigin } from './command.ts';

export const pause: Changing<'pause'> = {
  kind: 'changes',
  ...bare('pause'),
  what: 'starts nothing more, neither a layer nor a job; what runs goes on to its end',
  who: 'write',
  value: CommandOrigin,
  anywhere: true,
  effect: ({ pausedBy }, { by }) =>
    pausedBy === undefined
      ? { change: 'run', to: { pausedBy: by } }
      : `the run was paused by ${pausedBy} already`,
};
