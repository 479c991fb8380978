// The hidden mark on everything the bot creates: by it a later process finds what an earlier one made.
import { digest } from '@echelon/ground';
import type { RunIdentity } from '@echelon/ground/journal';

/** Operation key of a step (20 hex digits): the same step of the same run always has the same. */
export function operationKey(identity: RunIdentity, stepKey: string): string {
  return digest([identity.repository, identity.issue, identity.run, stepKey]).slice(0, 20);
}

/** `op`: made by a step of a run. `note`: an answer or notice that belongs to no run's journal. */
type Kind = 'op' | 'note';

/** Operation key on the last line of a body, or undefined. Only bodies written by the bot itself may be asked. */
export function markOf(body: string, kind: Kind = 'op'): string | undefined {
  const [, found, key] = /<!-- echelon:(op|note)=([0-9a-f]{20}) -->\s*$/.exec(body) ?? [];
  return found === kind ? key : undefined;
}

/** The body with its mark at the end. */
export const marked = (body: string, key: string, kind: Kind = 'op') =>
  `${body.trimEnd()}\n\n<!-- echelon:${kind}=${key} -->`;
