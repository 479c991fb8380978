// /edit 2 [title], and a text below
import { z } from 'zod';
import { nothingToDecide } from '../comments/replies.ts';
import { changing } from './command.ts';
import { placesIn } from './drop.ts';

export const edit = changing({
  name: 'edit',
  usage: '/edit 2 [title]',
  what: 'another title for an issue of the approval request; the lines below, up to the next command, are its new text',
  who: 'write',
  example: '/edit 2 Print the totals',
  carries: { place: z.int().min(1), title: z.string().exactOptional(), body: z.string().exactOptional() },
  parse(rest, below) {
    const [number = '', title = ''] = rest.split(/\s+(.*)/s);
    const named = placesIn(number);
    if ('wrong' in named) return named;
    if (title === '' && below === '')
      return { wrong: 'say the new title behind the number, or the new text below', at: rest.length };
    return { place: named.places[0]!, ...(title && { title }), ...(below && { body: below }) };
  },
  notNow: () => nothingToDecide,
});
