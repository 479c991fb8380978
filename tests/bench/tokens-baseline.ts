// What a run of the sample cost at an earlier commit.
import { added, nothing, type Tally } from '../engine/tokens/priced-model.ts';
import baseline from './tokens-baseline.json' with { type: 'json' };
import type { RoleTokens } from './tokens-run.ts';

export const tokensBefore = (): { commit: string; roles: RoleTokens } => baseline;

/** Of the earlier run's tokens of input, that a run may cost. */
export const SHARE = 0.6;

export const sum = (run: RoleTokens): Tally =>
  Object.values(run).reduce(
    (all, each) => ({ ...added(all, each, each.output), calls: all.calls + each.calls }),
    nothing,
  );
