// /resume
import { bare, type Planned } from './command.ts';

export const resume: Planned<'resume'> = {
  kind: 'planned',
  ...bare('resume'),
  what: 'goes on after a pause',
  who: 'write',
};
