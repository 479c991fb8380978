// /resume
import { bare, changing } from './command.ts';

export const notPaused = 'the run is not paused';

export const resume = changing({
  ...bare('resume'),
  what: 'goes on after a pause',
  who: 'write',
  carries: {},
  anywhere: true,
  effect: ({ pausedBy }) =>
    pausedBy === undefined ? notPaused : { change: 'run', to: { pausedBy: undefined } },
});
