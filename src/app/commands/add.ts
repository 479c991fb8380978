// /add title, and a text below
import { z } from 'zod';
import { nothingToDecide } from '../comments/replies.ts';
import { changing } from './command.ts';

export const add = changing({
  name: 'add',
  usage: '/add title',
  what: 'adds an issue to the approval request; the lines below, up to the next command, are its text',
  who: 'write',
  example: '/add Print the totals\nOne line for each month, and one for the year.',
  carries: { title: z.string(), body: z.string() },
  parse: (title, body) =>
    title === '' || body === ''
      ? { wrong: 'say the title behind the command, and the text below', at: title.length }
      : { title, body },
  notNow: () => nothingToDecide,
});
