// What a run of the sample cost before, as `npm run bench -- tokens --baseline-from` measured it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { added, nothing, type Tally } from '../engine/tokens/priced-model.ts';
import type { RoleTokens } from './tokens-run.ts';

export const baselineFile = join(import.meta.dirname, 'tokens-baseline.json');

const count = z.number().nonnegative();
const Tallied = z.strictObject({
  ...{ calls: count, raw: count, read: count, written: count, priced: count, output: count },
});
/** A run of an earlier commit. */
const Baseline = z.strictObject({
  commit: z.string(),
  command: z.string(),
  roles: z.record(z.string(), Tallied),
});
export type Baseline = z.infer<typeof Baseline>;

export const tokensBefore = (): Baseline => Baseline.parse(JSON.parse(readFileSync(baselineFile, 'utf8')));

/** Of the earlier run's tokens of input, that a run may cost. */
export const SHARE = 0.6;

export const sum = (run: RoleTokens): Tally =>
  Object.values(run).reduce(
    (all, each) => ({ ...added(all, each, each.output), calls: all.calls + each.calls }),
    nothing,
  );
