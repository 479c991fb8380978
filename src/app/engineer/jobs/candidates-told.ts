// A report's part on several candidates: the result of each, and the reason for the choice.
import { z } from 'zod';

const count = z.int().nonnegative();
const usd = z.number().nonnegative();

export const CandidatesTold = z.strictObject({
  /** From 1, as `each` has them. */
  taken: z.int().min(1),
  /**
   * `only`: no other was accepted with tests as good. `alike`: others made the same change. `none`: none was accepted, and
   * this one is gone on from.
   */
  why: z.enum(['only', 'alike', 'ranked', 'smallest', 'none']),
  /** Of `ranked`: the evaluator's words. */
  said: z.string().max(1000),
  ranking_usd: usd,
  each: z
    .array(
      z.strictObject({
        /** `bundle`, `question`, or the class of its failure. */
        end: z.string(),
        /** Null where they were killed; absent: none ran. */
        exit_code: z.number().nullable().exactOptional(),
        rounds: count,
        cost_usd: usd,
        /** Of its patch; absent: it left none. */
        bytes: count.exactOptional(),
      }),
    )
    .max(20),
});
export type CandidatesTold = z.infer<typeof CandidatesTold>;
