// The door for what GitHub reports: a webhook's name and payload become one Event, or are ignored with a reason.
import type { z } from 'zod';
import { type ParsedComment, type Spoken, spoken } from '../commands/parse.ts';
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

interface Commented {
  issue: number;
  isPullRequest: boolean;
  comment: Spoken;
}

/** People's actions on issues and pull requests besides comments; the resulting state is looked up. */
type TouchedKind =
  | 'issues.closed'
  | 'issues.reopened'
  | 'issues.assigned'
  | 'issues.unassigned'
  | 'pull_request.closed'
  | 'pull_request.reopened'
  | 'pull_request.synchronize'
  | 'pull_request.ready_for_review'
  | 'pull_request.labeled'
  | 'pull_request.unlabeled'
  | 'pull_request_review.submitted';

type GoneKind = 'issues.deleted' | 'issues.transferred';
type LabelKind = 'issues.labeled' | 'issues.unlabeled';

export type Event = Origin &
  (
    | { kind: LabelKind; issue: number; label: string }
    | { kind: TouchedKind; issue: number }
    /** Its text, since it cannot be read any more. */
    | { kind: GoneKind; issue: number; body: string; author: string }
    /** `issue`: the directive whose job it was. */
    | { kind: 'workflow_job.completed'; issue: number }
    /** `issue`: the pull request. `app`: whose checks ended, as a login. */
    | { kind: 'check_suite.completed'; issue: number; app: string }
    | ({ kind: 'issue_comment.created' } & Commented)
    /** `before`: the text that the sender changed, who counts as its author. */
    | ({ kind: 'issue_comment.edited'; before: ParsedComment } & Commented)
  );

/** A payload of a known event that lacks what GitHub always sends. The message names the place in it. */
export class MalformedPayload extends Error {}

/** Every comment and body that the bot itself writes carries a marker that begins like this. */
const ownMarker = '<!-- echelon:';

/** Every branch that the bot pushes an issue's work to begins like this. */
const isOurBranch = (ref: string) => ref.startsWith('echelon/');

/** A job that an App has dispatched, as the repository's workflow names it (doors/cli/init/echelon-app.yml). */
const jobOfOurs = /^Echelon #([1-9]\d{0,8}) \/ .*\[[\w-]{1,100}\]/;

type Read = (payload: unknown, from: Origin) => Event | { ignored: string };

const touchedIssue =
  (kind: TouchedKind): Read =>
  (payload, from) => ({ ...from, kind, issue: check(kind, payloads.Touched, payload).issue.number });

const gone =
  (kind: GoneKind): Read =>
  (payload, from) => {
    const { number, body, user } = check(kind, payloads.Gone, payload).issue;
    return { ...from, kind, issue: number, body: body ?? '', author: user?.login ?? 'ghost' };
  };

/** Assignments of other issues are ignored. */
const takenOver =
  (kind: TouchedKind): Read =>
  (payload, from) => {
    const { number, body } = check(kind, payloads.Touched, payload).issue;
    return body?.includes(ownMarker)
      ? { ...from, kind, issue: number }
      : { ignored: 'the issue is none of ours' };
  };

const labelOf =
  (kind: LabelKind): Read =>
  (payload, from) => {
    const { issue, label } = check(kind, payloads.Labelled, payload);
    // GitHub leaves the label out when it was deleted from the repository.
    if (!label) return { ignored: 'the label itself was deleted' };
    if (!isPerson(from.sender)) return { ignored: `${from.sender.login} is a bot` };
    return { ...from, kind, issue: issue.number, label: label.name };
  };

/** Of the others there may be thousands a day: not one call is spent on them. */
const touchedPull =
  (kind: TouchedKind): Read =>
  (payload, from) => {
    const { number, head } = check(kind, payloads.TouchedPull, payload).pull_request;
    if (!isOurBranch(head.ref) || head.repo?.id !== from.repository.id)
      return { ignored: 'the pull request is not from a branch of ours' };
    return { ...from, kind, issue: number };
  };

const readers: { readonly [K in Event['kind']]: Read } = {
  'issues.closed': touchedIssue('issues.closed'),
  'issues.reopened': touchedIssue('issues.reopened'),
  'issues.deleted': gone('issues.deleted'),
  'issues.transferred': gone('issues.transferred'),
  'issues.assigned': takenOver('issues.assigned'),
  'issues.unassigned': takenOver('issues.unassigned'),
  'issues.labeled': labelOf('issues.labeled'),
  'issues.unlabeled': labelOf('issues.unlabeled'),
  'pull_request.closed': touchedPull('pull_request.closed'),
  'pull_request.reopened': touchedPull('pull_request.reopened'),
  'pull_request.synchronize': touchedPull('pull_request.synchronize'),
  'pull_request.ready_for_review': touchedPull('pull_request.ready_for_review'),
  'pull_request.labeled': touchedPull('pull_request.labeled'),
  'pull_request.unlabeled': touchedPull('pull_request.unlabeled'),
  'pull_request_review.submitted': touchedPull('pull_request_review.submitted'),

  'workflow_job.completed'(payload, from) {
    const { workflow_job: job } = check('workflow_job.completed', payloads.WorkflowJob, payload);
    const directive = jobOfOurs.exec(job.name)?.[1];
    if (directive === undefined) return { ignored: 'the job is none of ours' };
    return { ...from, kind: 'workflow_job.completed', issue: Number(directive) };
  },

  'check_suite.completed'(payload, from) {
    const { check_suite: suite } = check('check_suite.completed', payloads.CheckSuite, payload);
    const [pull] = suite.pull_requests;
    if (!pull || !isOurBranch(suite.head_branch ?? ''))
      return { ignored: 'the checks are not of a branch of ours' };
    return { ...from, kind: 'check_suite.completed', issue: pull.number, app: `${suite.app?.slug}[bot]` };
  },

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
    if ('ignored' in commented) return commented;
    const comment = { ...commented.comment, author: from.sender.login };
    return { ...commented, kind: 'issue_comment.edited', comment, before: spoken({ body: before }) };
  },
};

/** All events that are read, as `name.action`. */
const eventKinds = Object.keys(readers) as readonly Event['kind'][];

type NameOf<K extends string> = K extends `${infer Name}.${string}` ? Name : never;

/** The names of webhooks that hold them. */
export const eventNames = [...new Set(eventKinds.map(kind => kind.split('.')[0]))] as readonly NameOf<
  Event['kind']
>[];

/**
 * Reads a webhook's payload, or that of a workflow's event file. What triggers nothing is ignored with a reason:
 * other events and actions, comments by bots or by ourselves, and forks without `forks`. Throws MalformedPayload for a
 * known event that lacks a part.
 */
export function eventOf(
  name: string,
  payload: unknown,
  { forks = false }: { forks?: boolean } = {},
): Event | { ignored: string } {
  const named = eventKinds.filter(kind => kind.startsWith(`${name}.`));
  if (named.length === 0) return { ignored: `${quote(name)} events trigger nothing` };
  const common = check(name, payloads.Common, payload);
  const kind = named.find(known => known === `${name}.${common.action}`);
  if (!kind) return { ignored: `${name} events with the action ${quote(common.action)} trigger nothing` };
  const { repository, installation, sender } = common;
  if (!repository) throw new MalformedPayload(`${kind}: repository: missing`);
  if (!sender) throw new MalformedPayload(`${kind}: sender: missing`);
  if (repository.fork && !forks) return { ignored: 'the repository is a fork' };
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

function onIssue(
  { issue, comment }: z.infer<typeof payloads.IssueComment>,
  from: Origin,
): (Origin & Commented) | { ignored: string } {
  const author = personIn(comment, from);
  if ('ignored' in author) return author;
  const { id, body, created_at: createdAt } = comment;
  return {
    ...from,
    issue: issue.number,
    isPullRequest: issue.pull_request !== undefined && issue.pull_request !== null,
    comment: spoken({ id, body, author: author.login, createdAt: Date.parse(createdAt) }),
  };
}

function quote(value: string | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value.slice(0, 60));
}
