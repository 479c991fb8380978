// /reject [a1 a3] [reason]
import { actionId } from './approve.ts';
import { type Row, wordsOf } from './command.ts';

export interface Reject {
  name: 'reject';
  /** Empty: all that are pending. */
  ids: string[];
  reason?: string;
}

export const reject: Row<'reject', Reject> = {
  name: 'reject',
  usage: '/reject [a1 a3 ...] [reason]',
  what: 'rejects pending actions, all or some; the reason goes to the layer that asked for them',
  who: 'write',
  example: '/reject a2 the table exists already',
  parse(rest): Reject {
    const words = wordsOf(rest, true);
    const firstOther = words.findIndex(({ word }) => !actionId.test(word));
    const ids = words
      .slice(0, firstOther < 0 ? words.length : firstOther)
      .map(({ word }) => word.toLowerCase());
    const reason = firstOther < 0 ? '' : rest.slice(words[firstOther]!.at);
    const named = { name: 'reject' as const, ids: [...new Set(ids)] };
    return reason === '' || (ids.length === 0 && reason.toLowerCase() === 'all')
      ? named
      : { ...named, reason };
  },
};
