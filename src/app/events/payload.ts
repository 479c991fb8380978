// The parts of GitHub's webhook payloads that are read, as schemas: what is not named here is left out.
import { z } from 'zod';

/** `type` is `User`, `Bot` or `Organization`; older servers may send others. */
const Account = z.object({ login: z.string().min(1), type: z.string().default('User') });

export const Common = z.object({
  action: z.string().optional(),
  repository: z
    .object({ id: z.int(), name: z.string().min(1), owner: Account, fork: z.boolean().default(false) })
    .optional(),
  installation: z.object({ id: z.int() }).optional(),
  sender: Account.optional(),
});

const number = z.int().positive();
/** The author is null when the account was deleted. */
const author = Account.nullable();

export const Labelled = z.object({
  issue: z.object({ number }),
  label: z.object({ name: z.string() }).optional(),
});

/** Something about an issue has changed. */
export const Touched = z.object({ issue: z.object({ number, body: z.string().nullish() }) });

/** An issue is not there any more. */
export const Gone = z.object({ issue: z.object({ number, body: z.string().nullish(), user: author }) });

/** Something about a pull request has changed. The repository of its branch is null where that was deleted. */
export const TouchedPull = z.object({
  pull_request: z.object({
    number,
    head: z.object({ ref: z.string(), repo: z.object({ id: z.int() }).nullable() }),
  }),
});

/** Null where several branches, or none of this repository, have the commit. */
export const CheckSuite = z.object({
  check_suite: z.object({
    head_branch: z.string().nullable(),
    pull_requests: z.array(z.object({ number })),
    app: z.object({ slug: z.string().optional() }).nullish(),
  }),
});

export const WorkflowJob = z.object({ workflow_job: z.object({ name: z.string() }) });

export const IssueComment = z.object({
  issue: z.object({ number, pull_request: z.unknown().optional() }),
  comment: z.object({
    id: z.int(),
    body: z.string(),
    user: author,
    created_at: z.string(),
  }),
});

/** `changes.body` is there when the text was changed. */
export const CommentEdited = IssueComment.extend({
  changes: z.object({ body: z.object({ from: z.string() }).optional() }).default({}),
});
