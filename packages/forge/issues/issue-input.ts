// Request input of the issue routes: the issue in the path, and label names.
import { z } from 'zod';
import { timestampOf } from '../core.ts';
import { found, invalidField } from '../errors.ts';
import type { RepositoryCall } from '../route.ts';
import { type Condition, isOpen, labelled, not, updatedSince } from './issue-conditions.ts';
import { findIssue, type Issue } from './issue-rows.ts';

/** Either permission lets an app read issues and pull requests alike. */
export const readScopes = ['issues:read', 'pull_requests:read'];

/** The issue or pull request of the path's number. */
export function issueOf(call: RepositoryCall): Issue {
  return found(findIssue(call.core, call.repository.id, Number(call.params['issue_number'])));
}

/** Names of labels, given plainly or as objects with one. */
export const labelList = z.array(
  z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]),
);

/** The `since` of a query in the form the tables hold; without one, before all times. */
export function sinceOf(query: URLSearchParams): string {
  const text = query.get('since');
  const time = text ? timestampOf(text) : '';
  if (time === undefined) throw invalidField('Issue', 'since', 'invalid');
  return time;
}

/** Filters of every issue listing: `state` (default: open), `since` and `labels`. */
export function filtersOf(query: URLSearchParams): Condition[] {
  const state = query.get('state') ?? 'open';
  const labels = (query.get('labels') ?? '').split(',').map(name => name.trim());
  return [
    ...(state === 'all' ? [] : [state === 'closed' ? not(isOpen) : isOpen]),
    updatedSince(sinceOf(query)),
    ...labels.filter(name => name !== '').map(labelled),
  ];
}
