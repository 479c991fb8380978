// /reject [a1 a3] [reason]
import { z } from 'zod';
import { nothingToDecide } from '../comments/replies.ts';
import { actionId } from './approve.ts';
import { changing, wordsOf } from './command.ts';

export const reject = changing({
  name: 'reject',
  usage: '/reject [a1 a3 ...] [reason]',
  what: 'rejects pending actions, all or some; the reason goes to the layer that asked for them',
  who: 'write',
  example: '/reject a2 the table exists already',
  carries: {
    /** Empty: all that are pending. */
    ids: z.array(z.string()),
    reason: z.string().exactOptional(),
  },
  parse(rest) {
    const words = wordsOf(rest, true);
    const firstOther = words.findIndex(({ word }) => !actionId.test(word));
    const named = words
      .slice(0, firstOther < 0 ? words.length : firstOther)
      .map(({ word }) => word.toLowerCase());
    const ids = [...new Set(named)];
    const reason = firstOther < 0 ? '' : rest.slice(words[firstOther]!.at);
    return reason === '' || (ids.length === 0 && reason.toLowerCase() === 'all') ? { ids } : { ids, reason };
  },
  notNow: () => nothingToDecide,
});
