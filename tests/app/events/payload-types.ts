// GitHub's published payload types fit the schemas: the compiler checks it (`npm run types`).
import type {
  IssueCommentCreatedEvent,
  IssueCommentEditedEvent,
  IssuesClosedEvent,
  IssuesLabeledEvent,
  PullRequestClosedEvent,
  PullRequestReviewSubmittedEvent,
  WorkflowJobCompletedEvent,
} from '@octokit/webhooks-types';
import type { z } from 'zod';
import type * as payloads from '../../../src/app/events/payload.ts';

type Reads<Schema extends z.ZodType, Published extends z.input<Schema>> = Published;

export type Checked = [
  Reads<typeof payloads.Common, IssuesLabeledEvent>,
  Reads<typeof payloads.Labelled, IssuesLabeledEvent>,
  Reads<typeof payloads.WorkflowJob, WorkflowJobCompletedEvent>,
  Reads<typeof payloads.IssueComment, IssueCommentCreatedEvent>,
  Reads<typeof payloads.CommentEdited, IssueCommentEditedEvent>,
  Reads<typeof payloads.Touched, IssuesClosedEvent>,
  Reads<typeof payloads.TouchedPull, PullRequestClosedEvent>,
  Reads<typeof payloads.TouchedPull, PullRequestReviewSubmittedEvent>,
];
