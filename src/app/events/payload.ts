// The parts of GitHub's webhook payloads that are read, as loose schemas: what is not named here is let through.
import { z } from 'zod';

/** `type` is `User`, `Bot` or `Organization`; older servers may send others. */
const Account = z.looseObject({ login: z.string().min(1), type: z.string().default('User') });

export const Common = z.looseObject({
  action: z.string().optional(),
  repository: z
    .looseObject({ id: z.int(), name: z.string().min(1), owner: Account, fork: z.boolean().default(false) })
    .optional(),
  installation: z.looseObject({ id: z.int() }).optional(),
  sender: Account.optional(),
});

const number = z.int().positive();
const Branch = z.looseObject({
  ref: z.string(),
  sha: z.string(),
  repo: z.looseObject({ id: z.int() }).nullable(),
});
const Pull = z.looseObject({ number, head: Branch, base: Branch });
/** The author is null when the account was deleted. */
const author = Account.nullable();

export const Labelled = z.looseObject({
  issue: z.looseObject({ number }),
  label: z.looseObject({ name: z.string() }).optional(),
});

export const OfIssue = z.looseObject({ issue: z.looseObject({ number }) });

export const IssueComment = z.looseObject({
  issue: z.looseObject({ number, pull_request: z.unknown().optional() }),
  comment: z.looseObject({
    id: z.int(),
    body: z.string(),
    user: author,
    created_at: z.string(),
    updated_at: z.string(),
  }),
});

/** `changes.body` is there when the text was changed. */
export const CommentEdited = IssueComment.extend({
  changes: z.looseObject({ body: z.looseObject({ from: z.string() }).optional() }).default({}),
});

export const Review = z.looseObject({
  pull_request: Pull,
  review: z.looseObject({
    id: z.int(),
    state: z.string(),
    body: z.string().nullable(),
    user: author,
    submitted_at: z.string().nullable(),
  }),
});

export const ReviewComment = z.looseObject({
  pull_request: Pull,
  comment: z.looseObject({
    id: z.int(),
    body: z.string(),
    user: author,
    path: z.string(),
    line: z.int().nullable().default(null),
    created_at: z.string(),
    updated_at: z.string(),
  }),
});

export const PullClosed = z.looseObject({ pull_request: Pull.extend({ merged: z.boolean() }) });

export const WorkflowJob = z.looseObject({
  workflow_job: z.looseObject({
    id: z.int(),
    run_id: z.int(),
    name: z.string(),
    conclusion: z.string().nullable(),
  }),
});

export const WorkflowRun = z.looseObject({
  workflow_run: z.looseObject({
    id: z.int(),
    name: z.string().nullable(),
    path: z.string().default(''),
    event: z.string(),
    head_branch: z.string().nullable(),
    conclusion: z.string().nullable(),
  }),
});
