// /pause
import { bare, type Planned } from './command.ts';

export const pause: Planned<'pause'> = {
  kind: 'planned',
  ...bare('pause'),
  what: 'starts no more jobs; running ones end at the next safe point',
  who: 'write',
};
