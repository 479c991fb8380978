// /tell text (on an issue or its pull request), /tell #n text (on the directive)
import { z } from 'zod';
import { noEngineerHere } from '../comments/redirect.ts';
import { changing } from './command.ts';

export const tell = changing({
  name: 'tell',
  usage: '/tell [#n] text',
  what: 'on an issue, or with its number: its engineer knows it before its next model call, or when it is worked next',
  who: 'write',
  example: '/tell #7 use the existing helper',
  carries: { text: z.string() },
  anywhere: true,
  parse: rest => (rest === '' ? { wrong: 'say what the engineer is to know', at: 0 } : { text: rest }),
  notNow: () => noEngineerHere,
});
