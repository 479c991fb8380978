// Result of a demo, as it prints it.
import { z } from 'zod';

/** The object that --json promises. */
export const Outcome = z.strictObject({
  run: z.strictObject({
    issue: z.int(),
    status: z.string(),
    phase: z.string().nullable(),
    cost_usd: z.number(),
  }),
  issues: z.array(
    z.strictObject({
      number: z.int(),
      title: z.string(),
      domain: z.string(),
      state: z.string(),
      attempts: z.int(),
      branch: z.string().nullable(),
      pull: z.int().nullable(),
      merged: z.boolean(),
    }),
  ),
  pulls: z.array(
    z.strictObject({
      number: z.int(),
      draft: z.boolean(),
      head: z.string(),
      base: z.string(),
      title: z.string(),
      tests: z.strictObject({ command: z.string(), exit_code: z.number().nullable() }).nullable(),
      rounds: z.int(),
    }),
  ),
  comments: z.number(),
  calls: z.strictObject({ github_read: z.int(), github_write: z.int(), model: z.int() }),
  jobs: z.int(),
  isolation: z.string().nullable(),
  seconds: z.number(),
});
export type Outcome = z.infer<typeof Outcome>;
