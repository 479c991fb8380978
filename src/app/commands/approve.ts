// /approve [a1 a3 | all | digest] [without 7]
import { z } from 'zod';
import { nothingToDecide } from '../comments/replies.ts';
import { changing, type Misfit, wordsOf } from './command.ts';
import { places, placesIn } from './drop.ts';

export const actionId = /^a[1-9]\d{0,5}$/i;
const digest = /^[0-9a-f]{8,64}$/i;

export const approve = changing({
  name: 'approve',
  usage: '/approve [a1 a3 ... | all | digest] [without 7 ...]',
  what: 'performs pending actions: all that are listed, some of them, or exactly the listing with this digest; without some of the issues',
  who: 'write',
  example: '/approve a1 a3',
  carries: {
    /** `all`: what the listing showed. */
    what: z.union([
      z.literal('all'),
      z.object({ ids: z.array(z.string()) }),
      z.object({ digest: z.string() }),
    ]),
    /** Issues of it that are left out. */
    without: places.exactOptional(),
  },
  parse(rest) {
    const but = /(?:^|\s)without(?:\s|$)/i.exec(rest);
    const said = whatIn(rest.slice(0, but?.index));
    if (!but || 'wrong' in said) return said;
    const at = but.index + but[0].length;
    const left = placesIn(rest.slice(at));
    return 'wrong' in left ? { ...left, at: at + left.at } : { ...said, without: left.places };
  },
  notNow: () => nothingToDecide,
});

function whatIn(rest: string): { what: 'all' | { ids: string[] } | { digest: string } } | Misfit {
  const words = wordsOf(rest, true);
  const [first] = words;
  if (!first || (words.length === 1 && first.word.toLowerCase() === 'all')) return { what: 'all' };
  if (words.length === 1 && digest.test(first.word) && !actionId.test(first.word))
    return { what: { digest: first.word.toLowerCase() } };
  const odd = words.find(({ word }) => !actionId.test(word));
  if (odd) return { wrong: 'not the id of an action, such as a1', at: odd.at };
  return { what: { ids: [...new Set(words.map(({ word }) => word.toLowerCase()))] } };
}
