// Lists of GitHub, read to their end: page by page, up to a bound past which it is said that there is more.
import { z } from 'zod';

/** A list is longer than is read. The message says which, and how far it was read. */
export class TooLong extends Error {
  constructor(what: string, read: number) {
    super(`${what}: there are more than the ${read} that are read`);
  }
}

/** Items a page holds at most, by REST and by GraphQL. */
export const PAGE = 100;

/**
 * Pages of one list that are read. What GitHub itself bounds stays below it: 2,500 comments an issue, 100 sub-issues.
 * A longer list was made long on purpose, and each page is one of 5,000 calls an hour.
 */
const MAX_PAGES = 50;

/** Every item of a list by page number, in its order. Throws TooLong. */
export async function everyPage<T>(what: string, page: (number: number) => Promise<T[]>): Promise<T[]> {
  const { items, more } = await firstPages(MAX_PAGES, page);
  if (more) throw new TooLong(what, items.length);
  return items;
}

/** The items of the first pages, at most so many; `more`: that is not all. */
export async function firstPages<T>(
  most: number,
  page: (number: number) => Promise<T[]>,
): Promise<{ items: T[]; more: boolean }> {
  const items: T[] = [];
  for (let number = 1; number <= most; number++) {
    const found = await page(number);
    items.push(...found);
    if (found.length < PAGE) return { items, more: false };
  }
  return { items, more: true };
}

/** A list of GraphQL, or the part of it that was asked for. */
export const connection = <Node extends z.ZodType>(node: Node) =>
  z.object({
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
    nodes: z.array(node),
  });

type Connection<T> = z.infer<ReturnType<typeof connection<z.ZodType<T>>>>;

/** Every item of a list by cursor, in its order; of what has no such list, none. Throws TooLong. */
export async function everyNode<T>(
  what: string,
  page: (after: string | null) => Promise<Connection<T> | null | undefined>,
): Promise<T[]> {
  const nodes: T[] = [];
  let after: string | null = null;
  for (let number = 1; number <= MAX_PAGES; number++) {
    const found: Connection<T> | null | undefined = await page(after);
    nodes.push(...(found?.nodes ?? []));
    if (!found?.pageInfo.hasNextPage) return nodes;
    after = found.pageInfo.endCursor;
  }
  throw new TooLong(what, nodes.length);
}

/** The number of the last page, as the first one's Link header tells; 1 where there is none. */
export const lastPage = (link: string | undefined): number =>
  Number(/[?&]page=(\d+)[^>]*>; rel="last"/.exec(link ?? '')?.[1] ?? 1);
