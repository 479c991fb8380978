// /approve [a1 a3 | all | digest]
import { type Misfit, type Row, wordsOf } from './command.ts';

export interface Approve {
  name: 'approve';
  /** `listed`: what the listing showed, only when nothing was added since. */
  what: 'listed' | 'all' | { ids: string[] } | { digest: string };
}

export const actionId = /^a[1-9]\d{0,5}$/i;
const digest = /^[0-9a-f]{8,64}$/i;

export const approve: Row<'approve', Approve> = {
  name: 'approve',
  usage: '/approve [a1 a3 ... | all | digest]',
  what: 'performs pending actions: all that are listed, some of them, or exactly the listing with this digest',
  who: 'write',
  example: '/approve a1 a3',
  parse(rest): Approve | Misfit {
    const words = wordsOf(rest, true);
    const [first] = words;
    if (!first) return { name: 'approve', what: 'listed' };
    if (words.length === 1 && first.word.toLowerCase() === 'all') return { name: 'approve', what: 'all' };
    if (words.length === 1 && digest.test(first.word) && !actionId.test(first.word))
      return { name: 'approve', what: { digest: first.word.toLowerCase() } };
    const odd = words.find(({ word }) => !actionId.test(word));
    if (odd) return { wrong: 'not the id of an action, such as a1', at: odd.at };
    return { name: 'approve', what: { ids: [...new Set(words.map(({ word }) => word.toLowerCase()))] } };
  },
};
