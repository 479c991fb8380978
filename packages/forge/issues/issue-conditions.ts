// Finds issues and pull requests by conditions, each a piece of SQL with its bound values.
import type { Core } from '../core.ts';
import type { Value } from '../database.ts';
import type { Issue } from './issue-rows.ts';

/** Over `i`, the row in issues, and `p`, that in pulls where there is one. The SQL comes from the code alone. */
export interface Condition {
  sql: string;
  values: Value[];
}

const condition = (sql: string, ...values: Value[]): Condition => ({ sql, values });

export const inRepository = (id: number) => condition('i.repository_id = ?', id);
export const isPull = condition('i.is_pull = 1');
export const isOpen = condition("i.state = 'open'");
export const isMerged = condition('p.merged_at IS NOT NULL');
/** 1 or 0, of pull requests alone. */
export const isDraft = condition('coalesce(p.draft, 0) = 1');
export const isLocked = condition('i.locked = 1');
export const closedBecause = (reason: string) => condition('coalesce(i.state_reason, ?) = ?', '', reason);
/** `time` in the tables' form. */
export const updatedSince = (time: string) => condition('i.updated_at >= ?', time);
export const hasHead = (branch: string) => condition("coalesce(p.head_ref, '') = ?", branch);
export const hasHeadCommit = (sha: string) => condition("coalesce(p.head_sha, '') = ?", sha);
export const hasBase = (branch: string) => condition("coalesce(p.base_ref, '') = ?", branch);

const userOf = '(SELECT id FROM users WHERE login = ?)';
export const writtenBy = (login: string) => condition(`i.author_id IS ${userOf}`, login);
export const isAssigned = condition('i.id IN (SELECT issue_id FROM assignees)');
export const assignedTo = (login: string) =>
  condition(`i.id IN (SELECT issue_id FROM assignees WHERE user_id = ${userOf})`, login);
export const commentedBy = (login: string) =>
  condition(`i.id IN (SELECT issue_id FROM comments WHERE author_id = ${userOf})`, login);
export const awaitsReviewOf = (login: string) =>
  condition(`coalesce(p.id, 0) IN (SELECT pull_id FROM review_requests WHERE user_id = ${userOf})`, login);
export const reviewedBy = (login: string) =>
  condition(`coalesce(p.id, 0) IN (SELECT pull_id FROM reviews WHERE author_id = ${userOf})`, login);
export const isLabelled = condition('i.id IN (SELECT issue_id FROM issue_labels)');
export const labelled = (name: string) =>
  condition(
    'i.id IN (SELECT issue_id FROM issue_labels JOIN labels ON labels.id = label_id WHERE name = ?)',
    name,
  );

const has = (text: string) => `instr(lower(coalesce(${text}, '')), lower(?)) > 0`;
const places = {
  title: has('i.title'),
  body: has('i.body'),
  comments: `i.id IN (SELECT c.issue_id FROM comments c WHERE ${has('c.body')})`,
};
export type Place = keyof typeof places;
/** Matches if one of these texts contains the word, ignoring case. */
export const contains = (word: string, within: readonly Place[]) =>
  any(within.map(place => condition(places[place], word)));

/** Matches if the issue or a comment @mentions exactly this login, not one that it is a prefix of. */
export const mentions = (login: string) =>
  any(
    ['i.body', "(SELECT group_concat(c.body, ' ') FROM comments c WHERE c.issue_id = i.id)"].map(text =>
      condition(
        `' ' || lower(coalesce(${text}, '')) || ' ' GLOB ?`,
        `*[^a-z0-9_/.]@${login.toLowerCase().replace(/[^a-z\d-]/g, '')}[^a-z0-9-]*`,
      ),
    ),
  );

export const not = ({ sql, values }: Condition): Condition => ({ sql: `NOT (${sql})`, values });
/** Joined by halves: SQLite takes no expression that is deeper than a thousand. */
function joined(operator: string, empty: string, each: readonly Condition[]): Condition {
  const half = each.length >> 1;
  if (half === 0) return each[0] ?? condition(empty);
  const left = joined(operator, empty, each.slice(0, half));
  const right = joined(operator, empty, each.slice(half));
  return condition(`(${left.sql})${operator}(${right.sql})`, ...left.values, ...right.values);
}
export const all = (each: readonly Condition[]) => joined(' AND ', '1', each);
export const any = (each: readonly Condition[]) => joined(' OR ', '0', each);

const columns = {
  created: 'i.created_at',
  updated: 'i.updated_at',
  comments: '(SELECT count(*) FROM comments WHERE issue_id = i.id)',
} as const;

export interface IssueOrder {
  by: keyof typeof columns;
  ascending: boolean;
}

/** The order that a request names; newest first where it names none, or one that is not known. */
export const issueOrder = (by: string | null, direction: string | null): IssueOrder => ({
  by: by === 'updated' || by === 'comments' ? by : 'created',
  ascending: direction?.toLowerCase() === 'asc',
});

const from = 'issues i LEFT JOIN pulls p ON p.issue_id = i.id WHERE ';

export const countIssues = (core: Core, { sql, values }: Condition): number =>
  core.db.count(from + sql, ...values);

export function findIssues(
  core: Core,
  { sql, values }: Condition,
  { by, ascending }: IssueOrder,
  limit: number,
  offset: number,
): Issue[] {
  const way = ascending ? 'ASC' : 'DESC';
  const order = `ORDER BY ${columns[by]} ${way}, i.id ${way} LIMIT ? OFFSET ?`;
  return core.db.all<Issue>(`SELECT i.* FROM ${from}${sql} ${order}`, ...values, limit, offset);
}
