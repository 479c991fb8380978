// The hidden mark on everything the bot creates: by it a later process finds what an earlier one made.
import { digest } from '../lib/json.ts';
import type { RunIdentity } from './journal.ts';

/** Operation key of a step (20 hex digits): the same step of the same run always has the same. */
export function operationKey(identity: RunIdentity, stepKey: string): string {
  return digest([identity.repository, identity.issue, identity.run, stepKey]).slice(0, 20);
}

export const mark = (op: string) => `<!-- echelon:op=${op} -->`;

/** Operation key on the last line of a body, or undefined. Only bodies written by the bot itself may be asked. */
export function markOf(body: string): string | undefined {
  return /<!-- echelon:op=([0-9a-f]{20}) -->\s*$/.exec(body)?.[1];
}

/** The body with its mark at the end. */
export const marked = (body: string, op: string) => `${body.trimEnd()}\n\n${mark(op)}`;
