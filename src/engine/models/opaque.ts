// Parts of a conversation that belong to a provider: opaque parts, which only their model gets back, and ids of calls.
import { createHash, type Hash } from 'node:crypto';
import { canonical, type Json } from '@echelon/ground';
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

/** Ids of calls that every provider accepts; OpenAI's own are up to 40 characters long. */
const fitId = /^[\w-]{1,40}$/;

/**
 * The messages with ids that any provider takes, each of one call only: those of another provider may have other
 * characters, and may begin anew with each reply. The same conversation gets the same ids.
 */
export function withFitIds(messages: readonly ModelMessage[]): ModelMessage[] {
  const used = new Set<string>();
  /** The ids of calls not yet answered, by the ids that they had. */
  let open = new Map<string, string[]>();
  return messages.map(({ role, content }) => {
    if (role === 'assistant') open = new Map();
    const fit = content.map(part => {
      if (part.type === 'tool_result') return { ...part, id: open.get(part.id)?.shift() ?? part.id };
      if (part.type !== 'tool_call') return part;
      let id = part.id;
      for (let n = used.size + 1; !fitId.test(id) || used.has(id); n++) id = `call_${n}`;
      used.add(id);
      open.set(part.id, [...(open.get(part.id) ?? []), id]);
      return { ...part, id };
    });
    return { role, content: fit };
  });
}

const digestOf = (hash: Hash) => hash.copy().digest('base64url');
