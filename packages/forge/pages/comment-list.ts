// Of a long conversation its beginning and its end, as on GitHub, and all of it page by page: a page stays small.
import type { Context } from 'hono';
import { html } from 'hono/html';
import { type Api, numberOf } from './api.ts';
import { type Comment, card, type Said } from './conversation.ts';
import { type Html, pager } from './layout.ts';
import type { Place } from './markdown/markdown.ts';

const shownFirst = 10;
const shownLast = 40;
/** Page size when all comments are requested: the same number as otherwise. */
const ofAll = shownFirst + shownLast;
/** As many as the API gives at a time. */
const ofApi = 100;
/** Pages of the API at the end of a long conversation that are read. */
const lastPages = 3;

/** `?comments=all&page=3`: which page of the whole conversation; undefined: its beginning and its end. */
const asked = (c: Context): number | undefined =>
  c.req.query('comments') === 'all' ? numberOf(c.req.query('page') ?? '1') : undefined;

/** The comments of an issue at their positions, oldest first. Those that its page does not need are not read. */
export async function readComments(
  c: Context,
  api: Api,
  issue: { path: string; comments: number },
): Promise<(Comment | undefined)[]> {
  const last = Math.max(1, Math.ceil(issue.comments / ofApi));
  const page = asked(c);
  const wanted =
    page === undefined
      ? [1, ...Array.from({ length: lastPages }, (_, back) => last - back)].filter(each => each >= 1)
      : [Math.ceil((page * ofAll) / ofApi)];
  const read = await Promise.all(
    [...new Set(wanted)].map(async number => {
      const { items } = await api.page<Comment>(`${issue.path}/comments`, number);
      return items.map((item, at) => [(number - 1) * ofApi + at, item] as const);
    }),
  );
  const found = new Map(read.flat());
  // One may have been written since the issue told how many there are.
  const length = Math.max(issue.comments, ...[...found.keys()].map(at => at + 1));
  return Array.from({ length }, (_, at) => found.get(at));
}

/** Those that are shown of a list that is whole, or that `readComments` read. */
export const shownOf = <T>(c: Context, said: readonly (T | undefined)[]): T[] =>
  rangesOf(c, said.length).flatMap(range => within(said, range));

const within = <T>(said: readonly (T | undefined)[], [from, to]: readonly [number, number]): T[] =>
  said.slice(from, to).filter(each => each !== undefined);

/** Of so many comments: from where to where they are shown. */
function rangesOf(c: Context, length: number): (readonly [number, number])[] {
  if (length <= ofAll) return [[0, length]];
  const page = asked(c);
  if (page !== undefined) return [[(page - 1) * ofAll, page * ofAll]];
  return [
    [0, shownFirst],
    [length - shownLast, length],
  ];
}

/** The visible part of a comment list, with links to the rest. */
export function commentList(
  c: Context,
  where: Omit<Place, 'anchor'>,
  said: readonly (Said | undefined)[],
): Html {
  const [first, last] = rangesOf(c, said.length).map(range =>
    within(said, range).map(each => card(where, each)),
  );
  if (last !== undefined)
    return html`${first}
<p class="empty"><a href="?comments=all">${said.length - ofAll} more in between</a></p>
${last}`;
  const page = asked(c) ?? 1;
  return html`${first}
${pager('?comments=all', page, said.length > page * ofAll, ['Earlier', 'Later'])}`;
}
