// The places of planned issues: counted over a listing, so that a number means what was shown.
import type { LayerId } from '../layers.ts';
import type { Listed, Queued } from './context.ts';

/** Progress of a run's approvals. */
export interface ApprovalRounds {
  round: number;
  lists: number;
  /** Layers that were told of a rejection. */
  revised: Set<LayerId>;
}

export const newRounds = (): ApprovalRounds => ({ round: 0, lists: 0, revised: new Set() });

/**
 * Gives the issues of newly listed actions their places: from 1 over all of a listing, whatever becomes of them. A
 * listing without issues of its own means those of the one before.
 */
export function placed(queue: readonly Queued[], rounds: ApprovalRounds): Listed[] {
  if (queue.some(({ action }) => action.action === 'create_issues')) rounds.lists += 1;
  let before = 0;
  return queue.map(each => {
    const listed = { ...each, list: rounds.lists, before, done: new Map() };
    if (each.action.action === 'create_issues') before += each.action.issues.length;
    return listed;
  });
}
