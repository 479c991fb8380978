// /resume
import { bare, type Changing, CommandOrigin } from './command.ts';

export const notPaused = 'the run is not paused';

export const resume: Changing<'resume'> = {
  kind: 'changes',
  ...bare('resume'),
  what: 'goes on after a pause',
  who: 'write',
  value: CommandOrigin,
  anywhere: true,
  effect: ({ pausedBy }) =>
    pausedBy === undefined ? notPaused : { change: 'run', to: { pausedBy: undefined } },
};
