// What the routes about issues take from a request: the issue named in the path, and names of labels.
import { z } from 'zod';
import { notFound } from '../errors.ts';
import type { RepositoryCall } from '../route.ts';
import { findIssue, type Issue } from '../store/issues.ts';

/** Either permission lets an app read issues and pull requests alike. */
export const readScopes = ['issues:read', 'pull_requests:read'];

/** The issue or pull request of the path's number. */
export function issueOf(call: RepositoryCall): Issue {
  const issue = findIssue(call.core, call.repository.id, Number(call.params['issue_number']));
  if (!issue) throw notFound();
  return issue;
}

/** Names of labels, given plainly or as objects with one. */
export const labelList = z.array(
  z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]),
);
