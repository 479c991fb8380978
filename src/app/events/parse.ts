// The door for what GitHub reports: a webhook's name and payload become one Event, or are ignored with a reason.
import type { z } from 'zod';
import * as payloads from './payload.ts';

export interface Actor {
  login: string;
  /** `User`, `Bot`, `Organization`. */
  type: string;
}

interface Origin {
  repository: { owner: string; name: string; id: number };
  /** Id of the app's installation; absent in Actions and for repository webhooks. */
  installation?: number;
  sender: Actor;
}

export interface CommentSaid {
  id: number;
  body: string;
  author: Actor;
  /** ISO 8601. They differ when the comment was edited before it was reported. */
  createdAt: string;
  updatedAt: string;
}

/** A pull request whose head lies in the same repository. */
export interface PullNamed {
  number: number;
  head: { ref: string; sha: string };
  base: { ref: string };
}

export type Event = Origin &
  (
    | { kind: 'issues.labeled' | 'issues.unlabeled'; issue: number; label: string }
    | { kind: 'issues.closed' | 'issues.reopened' | 'issues.deleted' | 'issues.transferred'; issue: number }
    | { kind: 'issue_comment.created'; issue: number; isPullRequest: boolean; comment: CommentSaid }
    /** `before`: the text that the sender changed. */
    | {
        kind: 'issue_comment.edited';
        issue: number;
        isPullRequest: boolean;
        comment: CommentSaid;
        before: string;
      }
    | {
        kind: 'pull_request_review.submitted';
        pull: PullNamed;
        /** `state` in lower case: `approved`, `changes_requested`, `commented`. */
        review: { id: number; state: string; body: string; author: Actor; submittedAt: string | null };
      }
    | {
        kind: 'pull_request_review_comment.created';
        pull: PullNamed;
        comment: CommentSaid & { path: string; line: number | null };
      }
    | { kind: 'pull_request.closed'; pull: PullNamed; merged: boolean }
    | {
        kind: 'workflow_job.completed';
        job: { id: number; run: number; name: string; conclusion: string | null };
      }
    | {
        kind: 'workflow_run.completed';
        run: {
          id: number;
          name: string | null;
          /** Path of the workflow's file, or empty. */
          path: string;
          /** What triggered it: `workflow_dispatch`, `push` ... */
          event: string;
          branch: string | null;
          conclusion: string | null;
        };
      }
  );

export type EventKind = Event['kind'];

/** A payload of a known event that lacks what GitHub always sends. The message names the place in it. */
export class MalformedPayload extends Error {
  override readonly name = 'MalformedPayload';
}

/** Every comment and body that the bot itself writes carries a marker that begins like this. */
const ownMarker = '<!-- echelon:';

type Read = (payload: unknown, from: Origin) => Event | { ignored: string };

const readers: { readonly [K in EventKind]: Read } = {
  'issues.labeled': (payload, from) => labelled('issues.labeled', payload, from),
  'issues.unlabeled': (payload, from) => labelled('issues.unlabeled', payload, from),
  'issues.closed': (payload, from) => ofIssue('issues.closed', payload, from),
  'issues.reopened': (payload, from) => ofIssue('issues.reopened', payload, from),
  'issues.deleted': (payload, from) => ofIssue('issues.deleted', payload, from),
  'issues.transferred': (payload, from) => ofIssue('issues.transferred', payload, from),

  'issue_comment.created'(payload, from) {
    const read = check('issue_comment.created', payloads.IssueComment, payload);
    const commented = onIssue(read, from);
    return 'ignored' in commented ? commented : { ...commented, kind: 'issue_comment.created' };
  },

  'issue_comment.edited'(payload, from) {
    const read = check('issue_comment.edited', payloads.CommentEdited, payload);
    const before = read.changes.body?.from;
    if (before === undefined) return { ignored: 'the text of the comment was not changed' };
    const commented = onIssue(read, from);
    return 'ignored' in commented ? commented : { ...commented, kind: 'issue_comment.edited', before };
  },

  'pull_request_review.submitted'(payload, from) {
    const { pull_request, review } = check('pull_request_review.submitted', payloads.Review, payload);
    const pull = pullNamed(pull_request, from);
    if ('ignored' in pull) return pull;
    const author = personIn({ ...review, body: review.body ?? '' }, from);
    if ('ignored' in author) return author;
    const { id, submitted_at } = review;
    return {
      ...from,
      kind: 'pull_request_review.submitted',
      pull,
      review: {
        id,
        state: review.state.toLowerCase(),
        body: review.body ?? '',
        author,
        submittedAt: submitted_at,
      },
    };
  },

  'pull_request_review_comment.created'(payload, from) {
    const { pull_request, comment } = check(
      'pull_request_review_comment.created',
      payloads.ReviewComment,
      payload,
    );
    const pull = pullNamed(pull_request, from);
    if ('ignored' in pull) return pull;
    const author = personIn(comment, from);
    if ('ignored' in author) return author;
    return {
      ...from,
      kind: 'pull_request_review_comment.created',
      pull,
      comment: { ...said(comment, author), path: comment.path, line: comment.line },
    };
  },

  'pull_request.closed'(payload, from) {
    const { pull_request } = check('pull_request.closed', payloads.PullClosed, payload);
    const pull = pullNamed(pull_request, from);
    if ('ignored' in pull) return pull;
    return { ...from, kind: 'pull_request.closed', pull, merged: pull_request.merged };
  },

  'workflow_job.completed'(payload, from) {
    const { id, run_id, name, conclusion } = check(
      'workflow_job.completed',
      payloads.WorkflowJob,
      payload,
    ).workflow_job;
    return { ...from, kind: 'workflow_job.completed', job: { id, run: run_id, name, conclusion } };
  },

  'workflow_run.completed'(payload, from) {
    const { id, name, path, event, head_branch, conclusion } = check(
      'workflow_run.completed',
      payloads.WorkflowRun,
      payload,
    ).workflow_run;
    const run = { id, name, path, event, branch: head_branch, conclusion };
    return { ...from, kind: 'workflow_run.completed', run };
  },
};

/** All events that are read, as `name.action`. */
const eventKinds = Object.keys(readers) as readonly EventKind[];

/**
 * Reads a webhook's payload, or that of a workflow's event file. What triggers nothing is ignored with a reason:
 * other events and actions, forks, comments by bots or by ourselves. Throws MalformedPayload for a known event
 * that lacks a part.
 */
export function eventOf(name: string, payload: unknown): Event | { ignored: string } {
  const named = eventKinds.filter(kind => kind.startsWith(`${name}.`));
  if (named.length === 0) return { ignored: `${quote(name)} events trigger nothing` };
  const common = check(name, payloads.Common, payload);
  const kind = named.find(known => known === `${name}.${common.action}`);
  if (!kind) return { ignored: `${name} events with the action ${quote(common.action)} trigger nothing` };
  const { repository, installation, sender } = common;
  if (!repository) throw new MalformedPayload(`${kind}: repository: missing`);
  if (!sender) throw new MalformedPayload(`${kind}: sender: missing`);
  if (repository.fork) return { ignored: 'the repository is a fork' };
  return readers[kind](payload, {
    repository: { owner: repository.owner.login, name: repository.name, id: repository.id },
    ...(installation ? { installation: installation.id } : {}),
    sender: { login: sender.login, type: sender.type },
  });
}

function check<T>(kind: string, schema: z.ZodType<T>, payload: unknown): T {
  const read = schema.safeParse(payload);
  if (read.success) return read.data;
  const places = read.error.issues.slice(0, 5).map(issue => {
    const place = issue.path.map(String).join('.');
    return `${place === '' ? 'payload' : place}: ${issue.message}`;
  });
  throw new MalformedPayload(`${kind}: ${places.join('; ')}`, { cause: read.error });
}

function labelled(
  kind: 'issues.labeled' | 'issues.unlabeled',
  payload: unknown,
  from: Origin,
): Event | { ignored: string } {
  const { issue, label } = check(kind, payloads.Labelled, payload);
  // GitHub leaves the label out when it was deleted from the repository.
  if (!label) return { ignored: 'the label itself was deleted' };
  if (!isPerson(from.sender)) return { ignored: `${from.sender.login} is a bot` };
  return { ...from, kind, issue: issue.number, label: label.name };
}

function ofIssue(
  kind: 'issues.closed' | 'issues.reopened' | 'issues.deleted' | 'issues.transferred',
  payload: unknown,
  from: Origin,
): Event {
  return { ...from, kind, issue: check(kind, payloads.OfIssue, payload).issue.number };
}

function isPerson(actor: Actor): boolean {
  return actor.type === 'User' && !actor.login.endsWith('[bot]');
}

/** The person who wrote a comment and whom the event reports; anyone else's words trigger nothing. */
function personIn(comment: { body: string; user: Actor | null }, from: Origin): Actor | { ignored: string } {
  const { user } = comment;
  if (!user) return { ignored: 'the author has no account any more' };
  for (const actor of [user, from.sender])
    if (!isPerson(actor)) return { ignored: `${actor.login} is a bot` };
  if (comment.body.includes(ownMarker)) return { ignored: 'the comment is our own' };
  return { login: user.login, type: user.type };
}

function onIssue({ issue, comment }: z.infer<typeof payloads.IssueComment>, from: Origin) {
  const author = personIn(comment, from);
  if ('ignored' in author) return author;
  return {
    ...from,
    issue: issue.number,
    isPullRequest: issue.pull_request !== undefined && issue.pull_request !== null,
    comment: said(comment, author),
  };
}

function said(
  comment: { id: number; body: string; created_at: string; updated_at: string },
  author: Actor,
): CommentSaid {
  const { id, body, created_at, updated_at } = comment;
  return { id, body, author, createdAt: created_at, updatedAt: updated_at };
}

function pullNamed(
  pull: z.infer<typeof payloads.PullClosed>['pull_request'] | z.infer<typeof payloads.Review>['pull_request'],
  from: Origin,
): PullNamed | { ignored: string } {
  if (pull.head.repo?.id !== from.repository.id) return { ignored: 'the pull request comes from a fork' };
  return {
    number: pull.number,
    head: { ref: pull.head.ref, sha: pull.head.sha },
    base: { ref: pull.base.ref },
  };
}

function quote(value: string | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value.slice(0, 60));
}
