// Opens and changes a pull request for whoever was let in.
import type { Access } from '../auth.ts';
import { mergedTree } from '../repositories/commits.ts';
import type { Core } from '../core.ts';
import { forbidden, invalid, invalidField } from '../errors.ts';
import { repositoryFolder } from '../repositories/git.ts';
import { actionsAppId } from '../apps/app-rows.ts';
import { getIssue, type Issue } from '../issues/issue-rows.ts';
import { all, countIssues, hasBase, hasHead, inRepository, isOpen } from '../issues/issue-conditions.ts';
import { getPull } from './pull-rows.ts';
import type { Repository } from '../repositories/repository-rows.ts';
import { checkReopening, checkTexts, type IssueInput, triage } from '../issues/edit-issue.ts';
import { recordEvent } from '../emit.ts';
import { closeIssue, editText, emitIssue, insertIssue, reopenIssue, touch } from '../issues/issue-changes.ts';
import { authorOrTriage } from '../permitted.ts';
import { branchHead, keepHead, measure, refreshPull } from './pull-changes.ts';

/** The branch behind `branch` or `owner:branch`; the forge has no forks, so another owner has none. */
export function branchOf(repository: Repository, text: string): string | undefined {
  const [owner, ...rest] = text.split(':');
  if (rest.length === 0) return text;
  return owner?.toLowerCase() === repository.owner.toLowerCase() ? rest.join(':') : undefined;
}

interface NewPull {
  title: string;
  body?: string | null | undefined;
  /** `branch` or `owner:branch`. */
  head: string;
  base: string;
  draft: boolean;
}

/** 422 for branches that are not there, have nothing new or are already proposed, and for texts that cannot be. */
export async function createPull(access: Access, input: NewPull): Promise<Issue> {
  const { core, repository, by } = access;
  const folder = repositoryFolder(core, repository);
  if (by.app?.id === actionsAppId && repository.actions_open_pulls === 0)
    throw forbidden('GitHub Actions is not permitted to create or approve pull requests.');
  checkTexts('PullRequest', input);
  const head = branchOf(repository, input.head);
  const headSha = head === undefined ? undefined : branchHead(core, repository, head);
  if (head === undefined || headSha === undefined) throw invalidField('PullRequest', 'head', 'invalid');
  const baseSha = branchHead(core, repository, input.base);
  if (baseSha === undefined) throw invalidField('PullRequest', 'base', 'invalid');
  const { isRelated, size } = await measure(folder, baseSha, headSha);
  if (size.commits === 0) throw invalid('PullRequest', `No commits between ${input.base} and ${head}`);
  if (!isRelated)
    throw invalid('PullRequest', `The ${head} branch has no history in common with ${input.base}`);
  const twins = all([inRepository(repository.id), isOpen, hasHead(head), hasBase(input.base)]);
  if (countIssues(core, twins) > 0)
    throw invalid('PullRequest', `A pull request already exists for ${repository.owner}:${head}.`);
  const issue = insertIssue(access, { title: input.title, body: input.body ?? null, isPull: true });
  core.db.insert('pulls', {
    issue_id: issue.id,
    repository_id: repository.id,
    head_ref: head,
    head_sha: headSha,
    base_ref: input.base,
    base_sha: baseSha,
    draft: input.draft,
    ...size,
  });
  await keepHead(folder, issue.number, headSha);
  emitIssue(access, issue, 'opened');
  return issue;
}

interface PullChange extends IssueInput {
  state?: 'open' | 'closed' | undefined;
  base?: string | undefined;
}

/** 403 for who neither wrote it nor has `triage`, 422 for what cannot be. */
export async function changePull(access: Access, issue: Issue, input: PullChange): Promise<Issue> {
  const { core, repository } = access;
  const pull = getPull(core, issue.id);
  authorOrTriage(access, issue.author_id);
  checkTexts('PullRequest', input);
  const changes: Record<string, unknown> = editText(access, issue, input);
  if (input.base !== undefined && input.base !== pull.base_ref) {
    const sha = branchHead(core, repository, input.base);
    if (sha === undefined) throw invalidField('PullRequest', 'base', 'invalid');
    core.db.update('pulls', pull.id, { base_ref: input.base, base_sha: sha });
    await refreshPull(core, repository, getPull(core, issue.id));
    recordEvent(access, issue, 'base_ref_changed');
    changes['base'] = { ref: { from: pull.base_ref }, sha: { from: pull.base_sha } };
  }
  if (Object.keys(changes).length > 0) emitIssue(access, issue, 'edited', () => ({ changes }));
  triage(access, issue, input);
  if (input.state === 'closed' && issue.state === 'open') closeIssue(access, issue, null);
  if (input.state === 'open' && issue.state === 'closed') {
    checkReopening(access, issue);
    await refreshPull(core, repository, pull);
    reopenIssue(access, issue);
  }
  return getIssue(core, issue.id);
}

/** Makes it a draft, or ready for review. */
export function setDraft(access: Access, issue: Issue, draft: boolean): void {
  const { core } = access;
  const pull = getPull(core, issue.id);
  if ((pull.draft === 1) === draft) return;
  core.db.update('pulls', pull.id, { draft });
  touch(core, issue);
  recordEvent(access, issue, draft ? 'convert_to_draft' : 'ready_for_review');
  emitIssue(access, issue, draft ? 'converted_to_draft' : 'ready_for_review');
}

/** True if git can merge an open pull request now; null for one that is not open. */
export async function isMergeable(core: Core, repository: Repository, issue: Issue): Promise<boolean | null> {
  if (issue.state !== 'open') return null;
  const pull = getPull(core, issue.id);
  const base = branchHead(core, repository, pull.base_ref) ?? pull.base_sha;
  return (await mergedTree(repositoryFolder(core, repository), base, pull.head_sha)) !== undefined;
}
