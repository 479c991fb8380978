// Opens and changes an issue (or what a pull request has of one) for whoever was let in.
import type { Access } from '../auth.ts';
import { ApiError, invalid, invalidField } from '../errors.ts';
import { getIssue, type Issue, type Label } from './issue-rows.ts';
import { getPull } from '../pulls/pull-rows.ts';
import type { User } from '../apps/users.ts';
import {
  closeIssue,
  editText,
  emitIssue,
  insertIssue,
  reopenIssue,
  setAssignees,
  setLabels,
} from './issue-changes.ts';
import { authorOrTriage, checkLength, mayTriage } from '../permitted.ts';
import { branchHead } from '../pulls/pull-changes.ts';

export interface IssueInput {
  title?: string | undefined;
  body?: string | null | undefined;
  /** Asked for only where the caller may label and assign: a name may make a label. */
  labels?: (() => Label[]) | undefined;
  assignees?: (() => User[]) | undefined;
}

export interface IssueChange extends IssueInput {
  state?: 'open' | 'closed' | undefined;
  stateReason?: string | null | undefined;
}

/** 422 for an empty title and a body that is too long. */
export function checkTexts(resource: 'Issue' | 'PullRequest', { title, body }: IssueInput): void {
  if (title?.trim() === '') throw invalidField(resource, 'title', 'missing_field');
  checkLength(resource, body);
}

/** Those without triage may open issues, but not label or assign them: GitHub drops that part in silence. */
export function triage(access: Access, issue: Issue, { labels, assignees }: IssueInput): void {
  if (!mayTriage(access)) return;
  if (labels) setLabels(access, issue, labels());
  if (assignees) setAssignees(access, issue, assignees());
}

/** 422 for a title or a body that cannot be. */
export function openIssue(access: Access, input: IssueInput & { title: string }): Issue {
  const { core, repository } = access;
  if (repository.has_issues === 0) throw new ApiError(410, 'Issues has been disabled in this repository.');
  checkTexts('Issue', input);
  const { title, body = null } = input;
  const issue = insertIssue(access, { title, body, isPull: false });
  emitIssue(access, issue, 'opened');
  triage(access, issue, input);
  return getIssue(core, issue.id);
}

/** 403 for who neither wrote it nor has `triage`, 422 for a title or a body that cannot be. */
export function changeIssue(access: Access, issue: Issue, input: IssueChange): Issue {
  const { core } = access;
  authorOrTriage(access, issue.author_id);
  checkTexts('Issue', input);
  const changes = editText(access, issue, input);
  if (Object.keys(changes).length > 0) emitIssue(access, issue, 'edited', () => ({ changes }));
  triage(access, issue, input);
  if (input.state === 'closed' && issue.state === 'open')
    closeIssue(access, issue, issue.is_pull ? null : (input.stateReason ?? 'completed'));
  if (input.state === 'open' && issue.state === 'closed') {
    checkReopening(access, issue);
    reopenIssue(access, issue);
  }
  return getIssue(core, issue.id);
}

/** 422 for a pull request that was merged, or whose branch is gone. */
export function checkReopening({ core, repository }: Access, issue: Issue): void {
  if (!issue.is_pull) return;
  const { merged_at, head_ref } = getPull(core, issue.id);
  if (merged_at !== null || branchHead(core, repository, head_ref) === undefined)
    throw invalid('PullRequest', 'state cannot be changed. The pull request cannot be reopened.', 'state');
}
