// Filters and orders of a repository's lists of issues and pull requests.
import { branchOf } from '../pulls/edit-pull.ts';
import { timestampOf } from '../core.ts';
import {
  all,
  any,
  assignedTo,
  type Condition,
  hasBase,
  hasHead,
  isAssigned,
  isMerged,
  isOpen,
  isPull,
  issueOrder,
  labelled,
  mentions,
  not,
  updatedSince,
  writtenBy,
} from '../issues/issue-conditions.ts';
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
  OPEN: isOpen,
  CLOSED: all([not(isOpen), not(isMerged)]),
  MERGED: isMerged,
};
const inStates = (states: string[]): Condition => any(states.flatMap(state => stateConditions[state] ?? []));

/** Conditions of a list of issues. */
export function* issueConditions({ states, labels, filterBy = {} }: IssueArguments): Generator<Condition> {
  yield not(isPull);
  for (const chosen of [states, filterBy.states]) if (chosen) yield inStates(chosen);
  for (const chosen of [labels, filterBy.labels]) if (chosen) yield any(chosen.map(labelled));
  const { assignee, createdBy, mentioned, since } = filterBy;
  if (assignee === null) yield not(isAssigned);
  else if (assignee !== undefined) yield assignee === '*' ? isAssigned : assignedTo(assignee);
  if (createdBy) yield writtenBy(createdBy);
  if (mentioned) yield mentions(mentioned);
  if (since) {
    const time = timestampOf(since);
    if (time === undefined) throw new GraphqlRefusal('UNPROCESSABLE', `since is no time: ${since}`);
    yield updatedSince(time);
  }
}

/** Conditions of a list of pull requests. */
export function* pullConditions(
  repository: Repository,
  { states, labels, headRefName, baseRefName }: PullArguments,
): Generator<Condition> {
  yield isPull;
  if (states) yield inStates(states);
  if (labels) yield any(labels.map(labelled));
  if (headRefName) yield hasHead(branchOf(repository, headRefName) ?? '');
  if (baseRefName) yield hasBase(baseRefName);
}

/** Oldest first where no order is asked for, as on GitHub. */
export const orderOf = ({ orderBy }: Order) =>
  issueOrder(
    orderBy?.field.toLowerCase().replace(/_at$/, '') ?? 'created',
    orderBy?.direction.toLowerCase() ?? 'asc',
  );
