// Checks that the names in an `/approve` or `/reject` fit the listing that waits.
import type { CommandSignal } from '../commands/signal.ts';

/** Reason that a command does not fit the listing, in one sentence; undefined if it fits. `last`: its newest comment. */
export function misfit(
  command: CommandSignal<'approve' | 'reject'>,
  listing: { last: number; sum: string; undecided: ReadonlyMap<string, unknown> },
): string | undefined {
  if (command.value.comment < listing.last)
    return 'your comment is older than the listing it would decide on';
  const digest = digestOf(command);
  if (digest !== undefined && !listing.sum.startsWith(digest))
    return `${digest} is not the listing that waits, which is ${listing.sum.slice(0, 12)}`;
  const unknown = idsOf(command).filter(id => !listing.undecided.has(id));
  const open = [...listing.undecided.keys()].join(', ');
  if (unknown.length > 0) return `${unknown.join(', ')} does not wait for a decision; what does: ${open}`;
  return undefined;
}

/** The actions a command names; none: everything that is listed. */
export function idsOf(command: CommandSignal<'approve' | 'reject'>): string[] {
  if (command.name === 'reject') return command.value.ids;
  const { what } = command.value;
  return typeof what === 'object' && 'ids' in what ? what.ids : [];
}

/** The listing a command names, by the beginning of its digest. */
function digestOf(command: CommandSignal<'approve' | 'reject'>): string | undefined {
  if (command.name === 'reject') return undefined;
  const { what } = command.value;
  return typeof what === 'object' && 'digest' in what ? what.digest : undefined;
}
