// /pause
import { bare, changing } from './command.ts';

export const pause = changing({
  ...bare('pause'),
  what: 'starts nothing more, neither a layer nor a job; what runs goes on to its end',
  who: 'write',
  carries: {},
  anywhere: true,
  effect: ({ pausedBy }, { by }) =>
    pausedBy === undefined
      ? { change: 'run', to: { pausedBy: by } }
      : `the run was paused by ${pausedBy} already`,
});
