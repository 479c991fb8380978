// Issues that a text closes: GitHub's closing words in front of a number.
import type { Core } from '../core.ts';
import { all, contains, findIssues, hasBase, inRepository, isPull, issueOrder } from './issue-conditions.ts';
import { findIssue, type Issue } from './issue-rows.ts';
import { getRepository, type Repository } from '../repositories/repository-rows.ts';

const closing = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:([\w.-]+)\/([\w.-]+))?#(\d+)\b/gi;

/** The issues of this repository that a text names with a closing word, each once. */
export function issuesClosedBy(core: Core, repository: Repository, text: string): Issue[] {
  const numbers = [...text.matchAll(closing)].flatMap(([, owner, name, number]) => {
    const elsewhere =
      owner !== undefined &&
      `${owner}/${name}`.toLowerCase() !== `${repository.owner}/${repository.name}`.toLowerCase();
    return elsewhere ? [] : [Number(number)];
  });
  return [...new Set(numbers)].flatMap(number => {
    const issue = findIssue(core, repository.id, number);
    return issue && !issue.is_pull ? [issue] : [];
  });
}

/** At most this many are looked at: who names an issue in a hundred pull requests does not read them all. */
const mostLookedAt = 100;

/** The pull requests into the default branch whose text closes an issue, newest first. */
export function pullsClosing(core: Core, issue: Issue): Issue[] {
  const repository = getRepository(core, issue.repository_id);
  const { id, default_branch } = repository;
  const naming = contains(`#${issue.number}`, ['body']);
  const wanted = all([inRepository(id), isPull, hasBase(default_branch), naming]);
  return findIssues(core, wanted, issueOrder(null, null), mostLookedAt, 0).filter(pull =>
    issuesClosedBy(core, repository, pull.body ?? '').some(each => each.id === issue.id),
  );
}
