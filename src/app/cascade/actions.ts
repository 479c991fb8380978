// The actions a layer may ask for: their schemas.
import { z } from 'zod';
import { issueSchema, line, name, posted, text } from './issue-plan.ts';

/** So that a question fits a comment whole. */
const asked = text.max(8000);

const scheduleFields = {
  label: name(50).optional(),
  issues: z
    .array(z.union([z.int().min(1), z.string().regex(/^#[1-9]\d{0,9}$/)]))
    .max(100)
    .optional(),
  max_parallel: z.int().min(1).max(20).optional(),
};

/** A branch name git takes: the common subset, on the safe side of `git check-ref-format`. */
const branch = text
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/, 'not a branch name')
  .refine(name => !/\.\.|\/\/|\/\.|\.lock(\/|$)|[./]$/.test(name), 'not a branch name');

export const actionSchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('update_plan'),
    plan: z
      .unknown()
      .refine(plan => plan !== undefined, 'stands neither here nor under a heading "Plan" of the reply')
      .pipe(posted(40_000)),
    workstreams: z.array(line).max(50).optional(),
  }),
  z.strictObject({ action: z.literal('create_issues'), issues: z.array(issueSchema).min(1).max(50) }),
  z.strictObject({ action: z.literal('schedule'), ...scheduleFields }),
  z.strictObject({ action: z.literal('create_branch'), branch_name: branch, from: branch.optional() }),
  z.strictObject({
    action: z.literal('request_review'),
    pr_number: z.int().min(1),
    focus: posted(2000).optional(),
  }),
  z.strictObject({
    action: z.literal('request_info'),
    target: z.enum(['2ic', 'eng-lead', 'team-lead', 'ceo']),
    question: asked,
  }),
  z.strictObject({ action: z.literal('escalate'), reason: asked, decision_needed: asked }),
]);
export type Action = z.infer<typeof actionSchema>;
