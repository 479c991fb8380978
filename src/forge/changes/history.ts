// The history of an issue: what was done to it, and who speaks of it.
import { type Core, now } from '../core.ts';
import { findIssue, type Issue } from '../store/issues.ts';
import { findRepository, getRepository, type Repository, roleOf } from '../store/repositories.ts';
import type { By } from './emit.ts';

/** Adds to the issue's history. `detail` holds what only this kind of event has; users as `<role>_id`. */
export function recordEvent(
  core: Core,
  by: By,
  issue: Issue,
  event: string,
  detail: Record<string, unknown> = {},
  commit: string | null = null,
): void {
  core.db.insert('issue_events', {
    issue_id: issue.id,
    actor_id: by.user.id,
    app_id: by.app?.id ?? null,
    event,
    commit_id: commit,
    detail: JSON.stringify(detail),
    created_at: now(core),
  });
}

/** Tells the issues that a text of this one names; each hears once of the same issue. */
export function recordMentions(core: Core, by: By, from: Issue, text: string | null | undefined): void {
  for (const issue of issuesNamed(core, by, getRepository(core, from.repository_id), text ?? '')) {
    const detail = { source: from.id };
    const known = core.db.count(
      "issue_events WHERE issue_id = ? AND event = 'cross-referenced' AND detail = ?",
      issue.id,
      JSON.stringify(detail),
    );
    if (issue.id !== from.id && known === 0) recordEvent(core, by, issue, 'cross-referenced', detail);
  }
}

/** Tells the issues that a commit's message names. */
export function recordCommit(
  core: Core,
  by: By,
  repository: Repository,
  { sha, message }: { sha: string; message: string },
): void {
  for (const issue of issuesNamed(core, by, repository, message)) {
    const known = core.db.count(
      "issue_events WHERE issue_id = ? AND event = 'referenced' AND commit_id = ?",
      issue.id,
      sha,
    );
    if (known === 0) recordEvent(core, by, issue, 'referenced', {}, sha);
  }
}

/** What is named beyond these in one text hears nothing. */
const mostNamed = 100;

/** `#1`, `GH-1`, `owner/name#1`; the last also where it is the address of a page. */
const references = /(?<![\w/&#-])(?:(?:([\w-]+)\/([\w.-]+))?#|GH-)(\d{1,9})(?!\w)/g;

/** The issues that a text names outside of code and comments, as far as who wrote it may know their repository. */
function issuesNamed(core: Core, by: By, here: Repository, text: string): Issue[] {
  const site = (core.own ?? core).site;
  const named = new Map<number, Issue>();
  for (const [, owner, name, number] of withoutCode(shortened(site, text)).matchAll(references)) {
    const repository = owner === undefined || name === undefined ? here : findRepository(core, owner, name);
    const foreign = repository?.id !== here.id;
    if (!repository || (foreign && roleOf(core, repository, by.user.id) === 'none')) continue;
    const issue = findIssue(core, repository.id, Number(number));
    if (issue) named.set(issue.id, issue);
    if (named.size >= mostNamed) break;
  }
  return [...named.values()];
}

/** Addresses of issues written as `owner/name#1`. Each is looked at where it begins: no text makes this slow. */
function shortened(site: string, text: string): string {
  const [first = '', ...rest] = text.split(`${site}/`);
  const named = rest.map(part => part.replace(/^([\w-]+\/[\w.-]+)\/(?:issues|pull)\/(\d{1,9})/, '$1#$2'));
  return [first, ...named].join(' ');
}

/** In one pass each, however hostile the text. */
function withoutCode(text: string): string {
  const parts = withoutComments(text).split(/(`+|~{3,})/);
  const last = new Map(parts.map((part, at) => [part, at]));
  let kept = '';
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    // Every other part is a mark; one that comes again ends the code that it begins.
    if (at % 2 === 1 && (last.get(part) ?? 0) > at) at = parts.indexOf(part, at + 1);
    else kept += part;
  }
  return kept;
}

function withoutComments(text: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const begin = text.indexOf('<!--', from);
    const end = begin < 0 ? -1 : text.indexOf('-->', begin + 4);
    if (end < 0) return kept + text.slice(from);
    kept += text.slice(from, begin);
    from = end + 3;
  }
}
