// /resume
import { resumeRun } from '../comments/view.ts';
import { bare, type Changing, CommandOrigin } from './command.ts';

export const resume: Changing<'resume'> = {
  kind: 'changes',
  ...bare('resume'),
  what: 'goes on after a pause',
  who: 'write',
  value: CommandOrigin,
  anywhere: true,
  meanwhile: resumeRun,
};
