// /approve [a1 a3 | all | digest]
import { z } from 'zod';
import { nothingToDecide } from '../comments/replies.ts';
import { type Changing, CommandOrigin, type Misfit, type CommandArguments, wordsOf } from './command.ts';

const value = CommandOrigin.extend({
  /** `all`: what the listing showed. */
  what: z.union([z.literal('all'), z.object({ ids: z.array(z.string()) }), z.object({ digest: z.string() })]),
});
type Approve = z.infer<typeof value>;

export const actionId = /^a[1-9]\d{0,5}$/i;
const digest = /^[0-9a-f]{8,64}$/i;

export const approve: Changing<'approve', Approve> = {
  kind: 'changes',
  name: 'approve',
  usage: '/approve [a1 a3 ... | all | digest]',
  what: 'performs pending actions: all that are listed, some of them, or exactly the listing with this digest',
  who: 'write',
  example: '/approve a1 a3',
  value,
  parse(rest): CommandArguments<Approve> | Misfit {
    const words = wordsOf(rest, true);
    const [first] = words;
    if (!first || (words.length === 1 && first.word.toLowerCase() === 'all')) return { what: 'all' };
    if (words.length === 1 && digest.test(first.word) && !actionId.test(first.word))
      return { what: { digest: first.word.toLowerCase() } };
    const odd = words.find(({ word }) => !actionId.test(word));
    if (odd) return { wrong: 'not the id of an action, such as a1', at: odd.at };
    return { what: { ids: [...new Set(words.map(({ word }) => word.toLowerCase()))] } };
  },
  notNow: () => nothingToDecide,
};
