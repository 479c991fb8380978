// /drop 3 5
import { z } from 'zod';
import { nothingToDecide } from '../comments/replies.ts';
import { changing, type Misfit, wordsOf } from './command.ts';

/** Issues by the numbers under which the approval request lists them. */
export const places = z.array(z.int().min(1));

export const drop = changing({
  name: 'drop',
  usage: '/drop 3 [5 ...]',
  what: 'leaves issues out of the approval request, by their numbers in it',
  who: 'write',
  example: '/drop 3',
  carries: { places },
  parse: placesIn,
  notNow: () => nothingToDecide,
});

/** The numbers that `rest` lists, each once. */
export function placesIn(rest: string): { places: number[] } | Misfit {
  const found = new Set<number>();
  const wrong = 'an issue is named by its number in the approval request, such as 3';
  for (const { word, at } of wordsOf(rest, true)) {
    if (!/^[1-9]\d{0,3}$/.test(word)) return { wrong, at };
    found.add(Number(word));
  }
  return found.size > 0 ? { places: [...found] } : { wrong, at: 0 };
}
