// Divides the run's budget among jobs: a share that pays for no call is none.
import { endStates } from '../../comments/view.ts';
import { activeStates } from '../../scheduler/slots.ts';
import type { BatchContext, Slot } from './context.ts';

/** The attempt is under way; who waits for an answer has no job. */
export const isWorking = ({ state, asks }: Slot) => activeStates.has(state) && !asks;

/** Money that is neither spent nor given to a running job (USD). */
export const freeMoney = ({ view, outstanding }: Pick<BatchContext, 'view' | 'outstanding'>): number =>
  [...outstanding.values()].reduce(
    // Tests ask no model.
    (left, spec) => ('kind' in spec ? left : left - spec.limits.budget_usd),
    view.budget_usd - view.cost_usd,
  );

/**
 * Share of the next job (USD): what is free, shared among the issues that still want some, fewer where a share
 * would not pay for a first call. Undefined where not even all of it would.
 */
export function nextShare(ctx: BatchContext): number | undefined {
  const free = freeMoney(ctx);
  const wanting = ctx.slots.filter(
    slot => (!endStates.includes(slot.state) && !isWorking(slot)) || slot.wants !== undefined,
  ).length;
  const shares = Math.min(wanting, Math.floor(free / ctx.settings.leastUsd));
  const share = Math.floor((free / shares) * 10_000) / 10_000;
  return shares >= 1 && share > 0 ? share : undefined;
}
