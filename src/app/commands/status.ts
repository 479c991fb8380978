// /status
import { statusReply } from '../comments/board.ts';
import { bare, type Reading } from './command.ts';

export const status: Reading<'status'> = {
  kind: 'reads',
  ...bare('status'),
  what: 'where the run stands',
  who: 'read',
  answers: { of: 'run', say: statusReply },
};
