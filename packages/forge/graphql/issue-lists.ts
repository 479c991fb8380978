// Filters and orders of a repository's lists of issues and pull requests.
import { branchOf } from '../pulls/edit-pull.ts';
import { timestampOf } from '../core.ts';
import type { Condition } from '../issues/issue-conditions.ts';
import * as where from '../issues/issue-conditions.ts';
import type { Repository } from '../repositories/repository-rows.ts';
import { GraphqlRefusal, type Window } from './connection.ts';

export interface Order {
  orderBy?: { field: string; direction: string } | null;
}
export interface IssueArguments extends Window, Order {
  states?: string[] | null;
  labels?: string[] | null;
  filterBy?: Partial<Record<'assignee' | 'createdBy' | 'mentioned' | 'since', string | null>> & {
    states?: string[] | null;
    labels?: string[] | null;
  };
}
export interface PullArguments extends Window, Order {
  states?: string[] | null;
  labels?: string[] | null;
  headRefName?: string | null;
  baseRefName?: string | null;
}

const stateConditions: Record<string, Condition> = {
  OPEN: where.isOpen,
  CLOSED: where.all([where.not(where.isOpen), where.not(where.isMerged)]),
  MERGED: where.isMerged,
};
const inStates = (states: string[]): Condition =>
  where.any(states.flatMap(state => stateConditions[state] ?? []));

/** Conditions of a list of issues. */
export function* issueConditions({ states, labels, filterBy = {} }: IssueArguments): Generator<Condition> {
  yield where.not(where.isPull);
  for (const chosen of [states, filterBy.states]) if (chosen) yield inStates(chosen);
  for (const chosen of [labels, filterBy.labels]) if (chosen) yield where.any(chosen.map(where.labelled));
  const { assignee, createdBy, mentioned, since } = filterBy;
  if (assignee === null) yield where.not(where.isAssigned);
  else if (assignee !== undefined) yield assignee === '*' ? where.isAssigned : where.assignedTo(assignee);
  if (createdBy) yield where.writtenBy(createdBy);
  if (mentioned) yield where.mentions(mentioned);
  if (since) {
    const time = timestampOf(since);
    if (time === undefined) throw new GraphqlRefusal('UNPROCESSABLE', `since is no time: ${since}`);
    yield where.updatedSince(time);
  }
}

/** Conditions of a list of pull requests. */
export function* pullConditions(
  repository: Repository,
  { states, labels, headRefName, baseRefName }: PullArguments,
): Generator<Condition> {
  yield where.isPull;
  if (states) yield inStates(states);
  if (labels) yield where.any(labels.map(where.labelled));
  if (headRefName) yield where.hasHead(branchOf(repository, headRefName) ?? '');
  if (baseRefName) yield where.hasBase(baseRefName);
}

/** Oldest first where no order is asked for, as on GitHub. */
export const orderOf = ({ orderBy }: Order) =>
  where.issueOrder(
    orderBy?.field.toLowerCase().replace(/_at$/, '') ?? 'created',
    orderBy?.direction.toLowerCase() ?? 'asc',
  );
