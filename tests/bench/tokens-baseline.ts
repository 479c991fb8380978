// Costs of two runs of the sample at an earlier commit.
import { added, nothing, type Tally } from '../engine/tokens/priced-model.ts';
import baseline from './tokens-baseline.json' with { type: 'json' };
import type { RoleTokens } from './tokens-run.ts';

/**
 * Made by `sampleRun` (tokens-run.ts) over a checkout of that commit, whose own script of the sample it plays; the layers
 * of `oneIssue` reply the same at both.
 */
export const before: Record<'fourIssues' | 'oneIssue', RoleTokens> & { commit: string } = baseline;

/** The most that a run may cost now, by what the same came to before. */
export const SHARE = { fourIssues: 0.6, oneIssue: 0.45 };

export const sum = (run: RoleTokens): Tally =>
  Object.values(run).reduce(
    (all, each) => ({ ...added(all, each, each.output), calls: all.calls + each.calls }),
    nothing,
  );
