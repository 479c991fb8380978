// Lists in pages, with the Link header that leads from one to the next.
import { countIssues, type Condition, findIssues, type IssueOrder } from './issues/issue-conditions.ts';
import type { Issue } from './issues/issue-rows.ts';
import type { Value } from './database.ts';
import type { Answer, Call } from './route.ts';

/** GitHub's default and largest size of a page. */
const usual = 30;
const largest = 100;
/** No list is as long; the database counts no further than 2^63. */
const lastPage = 1e9;

/**
 * Answers one page of a list of `total` items. `items(limit, offset)` reads it; `wrap` puts it in an object where
 * GitHub does.
 */
export async function page(
  call: Call,
  total: number,
  items: (limit: number, offset: number) => unknown[] | Promise<unknown[]>,
  wrap: (items: unknown[]) => unknown = list => list,
): Promise<Answer> {
  const perPage = perPageOf(call.query);
  const number = Math.min(whole(call.query.get('page'), 1), lastPage);
  const body = wrap(await items(perPage, (number - 1) * perPage));
  const link = linkHeader(call, number, Math.max(1, Math.ceil(total / perPage)));
  return { status: 200, body, ...(link && { headers: { link } }) };
}

interface Rows {
  /** A table with its conditions, for which `values` stand. */
  from: string;
  values: readonly Value[];
  order?: string;
  /** See `counted`. */
  name?: string;
}

/** The same for rows of the database. */
export function pageOfRows<Row>(
  call: Call,
  { from, values, order = 'id', name }: Rows,
  json: (row: Row) => unknown,
): Promise<Answer> {
  const { db } = call.core;
  const sql = `SELECT * FROM ${from} ORDER BY ${order} LIMIT ? OFFSET ?`;
  const total = db.count(from, ...values);
  const items = (limit: number, offset: number) =>
    Promise.all(db.all<Row>(sql, ...values, limit, offset).map(json));
  return page(call, total, items, counted(name, total));
}

/** The same for issues and pull requests. */
export const pageOfIssues = (
  call: Call,
  wanted: Condition,
  order: IssueOrder,
  json: (issue: Issue) => unknown,
) =>
  page(call, countIssues(call.core, wanted), (limit, offset) =>
    findIssues(call.core, wanted, order, limit, offset).map(json),
  );

/** The same for a list that is already in memory; `name`: see `counted`. */
export const pageOfAll = <T>(call: Call, all: readonly T[], json: (each: T) => unknown, name?: string) =>
  page(
    call,
    all.length,
    (limit, offset) => Promise.all(all.slice(offset, offset + limit).map(json)),
    counted(name, all.length),
  );

/** A list under its name with the number of all, where GitHub does so. */
const counted = (name: string | undefined, total_count: number) => (items: unknown[]) =>
  name === undefined ? items : { total_count, [name]: items };

/** The same for a list that is in GitHub's form already. */
export const pageOf = (call: Call, all: unknown[], wrap?: (items: unknown[]) => unknown) =>
  page(call, all.length, (limit, offset) => all.slice(offset, offset + limit), wrap);

export const perPageOf = (query: URLSearchParams): number =>
  Math.min(whole(query.get('per_page'), usual), largest);

function linkHeader(call: Call, number: number, last: number): string {
  const to = (target: number, rel: string) => {
    const query = new URLSearchParams(call.query);
    query.set('page', String(target));
    return `<${call.url}?${query}>; rel="${rel}"`;
  };
  const links: string[] = [];
  if (number > 1) links.push(to(Math.min(number - 1, last), 'prev'));
  if (number < last) links.push(to(number + 1, 'next'), to(last, 'last'));
  if (number > 1) links.push(to(1, 'first'));
  return links.join(', ');
}

function whole(text: string | null, fallback: number): number {
  const value = Number(text ?? Number.NaN);
  return Number.isInteger(value) && value > 0 ? value : fallback;
}
