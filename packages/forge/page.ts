// Lists in pages, with the Link header that leads from one to the next.
import type { Answer, Call, RepositoryCall } from './route.ts';

/** GitHub's default and largest size of a page. */
const usual = 30;
const largest = 100;
/** No list is as long; the database counts no further than 2^63. */
const lastPage = 1e9;

/**
 * Answers one page of a list of `total` items. `items(limit, offset)` reads it; `wrap` puts it in an object where
 * GitHub does.
 */
export function page(
  call: Call,
  total: number,
  items: (limit: number, offset: number) => unknown[],
  wrap: (items: unknown[]) => unknown = list => list,
): Answer {
  const perPage = Math.min(whole(call.query.get('per_page'), usual), largest);
  const number = Math.min(whole(call.query.get('page'), 1), lastPage);
  const body = wrap(items(perPage, (number - 1) * perPage));
  const link = linkHeader(call, number, Math.max(1, Math.ceil(total / perPage)));
  return { status: 200, body, ...(link && { headers: { link } }) };
}

/** The same for rows of the database: `from` is a table with its conditions, for which `values` stand. */
export function pageOfRows<Row>(
  call: RepositoryCall,
  { from, values, order = 'id' }: { from: string; values: readonly (string | number)[]; order?: string },
  json: (row: Row) => unknown,
): Answer {
  const { db } = call.core;
  const sql = `SELECT * FROM ${from} ORDER BY ${order} LIMIT ? OFFSET ?`;
  return page(call, db.count(from, ...values), (limit, offset) =>
    db.all<Row>(sql, ...values, limit, offset).map(json),
  );
}

/** The same for a list that is already in memory. */
export const pageOf = (call: Call, all: unknown[], wrap?: (items: unknown[]) => unknown): Answer =>
  page(call, all.length, (limit, offset) => all.slice(offset, offset + limit), wrap);

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
