// Opaque parts of a conversation: which of them go back to the model, and the mark by which that is known.
import { createHash, type Hash } from 'node:crypto';
import { canonical, type Json } from '../../lib/json.ts';
import type { ModelMessage, ReplyPart } from './model.ts';

/** A part of a reply as the provider gave it, an opaque one still without its marks. */
export type GivenPart = Exclude<ReplyPart, { type: 'opaque' }> | { type: 'opaque'; data: Json };

/**
 * The messages with those opaque parts only that `model` made after exactly what stands before them now: no other model
 * can read them, and after another conversation they tell of what never was. Who changed it does not matter, nor does the
 * order of an object's members, which a record sorts.
 * `marked`: the parts of the model's reply to these messages, as they are kept.
 */
export function withOwnParts(
  messages: readonly ModelMessage[],
  model: string,
): { messages: ModelMessage[]; marked(reply: readonly GivenPart[]): ReplyPart[] } {
  const before = createHash('sha256');
  const own = messages.map(({ role, content }) => {
    before.update(`${role}\n`);
    const kept = content.filter(part => {
      if (part.type === 'opaque' && (part.model !== model || part.after !== digestOf(before))) return false;
      before.update(`${canonical(part)}\n`);
      return true;
    });
    return { role, content: kept };
  });
  return {
    messages: own,
    marked(reply) {
      const so = before.copy().update('assistant\n');
      return reply.map(given => {
        const part = given.type === 'opaque' ? { ...given, model, after: digestOf(so) } : given;
        so.update(`${canonical(part)}\n`);
        return part;
      });
    },
  };
}

const digestOf = (hash: Hash) => hash.copy().digest('base64url');
