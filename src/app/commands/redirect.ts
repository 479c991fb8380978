// /redirect [@2ic | @eng-lead | @team-lead] text
import { z } from 'zod';
import { nearest } from '@echelon/ground';
import { changing, wordsOf } from './command.ts';

const layers = ['2ic', 'eng-lead', 'team-lead'] as const;

export const redirect = changing({
  name: 'redirect',
  usage: '/redirect [@2ic | @eng-lead | @team-lead] text',
  what: 'new guidance: the layers plan again from that one on; issues whose work has not begun are withdrawn',
  who: 'write',
  example: '/redirect @eng-lead use the existing queue, add no new service',
  carries: {
    /** Absent: the first layer. */
    layer: z.enum(layers).exactOptional(),
    text: z.string(),
  },
  parse(rest) {
    const [first] = wordsOf(rest);
    if (!first) return { wrong: 'say what should be done instead', at: 0 };
    if (!first.word.startsWith('@')) return { text: rest };
    const said = first.word.slice(1).toLowerCase();
    const layer = layers.find(known => known === said);
    if (!layer) {
      const near = nearest(said, layers)[0];
      return {
        wrong: `not a layer (${layers.map(known => `@${known}`).join(', ')})`,
        at: 0,
        nearest: near && `/redirect @${near}`,
      };
    }
    const text = rest.slice(first.word.length).trim();
    if (text === '') return { wrong: 'say what should be done instead', at: rest.length };
    return { layer, text };
  },
});
