// Lists as GraphQL shows them: a window of edges with cursors.
import type { Identity } from '../auth.ts';
import type { Core } from '../core.ts';
import type { Issue } from '../issues/issue-rows.ts';
import type { Repository } from '../repositories/repository-rows.ts';

export interface Asked {
  core: Core;
  identity: Identity;
  /** The database id of who asks; undefined for an app without an installation. */
  viewer: number | undefined;
  /** Throws a refusal in GraphQL's words where the caller may not read this of the repository; scopes as in Need. */
  mayRead(repository: Repository, scopes: string[]): void;
  repository(repository: Repository): object;
  /** An issue or a pull request; null where the caller may not know its repository. */
  thread(issue: Issue): object | null;
}

/** Facts about a repository that everybody with access may read. */
export const repositoryScopes: string[] = [];
export const issueScopes = ['issues:read', 'pull_requests:read'];
export const pullScopes = ['pull_requests:read'];

export interface Window {
  first?: number | null;
  last?: number | null;
  after?: string | null;
  before?: string | null;
}

/** An error that becomes an entry of `errors` with this `type`, as GitHub has it. */
export class GraphqlRefusal extends Error {
  readonly extensions: { type: string };
  constructor(type: string, message: string) {
    super(message);
    this.extensions = { type };
  }
}

const largest = 100;
const cursorOf = (index: number): string => Buffer.from(`cursor:${index}`).toString('base64');
const indexOf = (cursor: string): number =>
  Number(/^cursor:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64').toString())?.[1] ?? Number.NaN);

/**
 * The part of `total` items that a window asks for, read once with `items(limit, offset)`. As on GitHub, one of `first`
 * and `last` must be given, 1 to 100, where more than the count is asked for.
 */
export function connection<T>(
  name: string,
  window: Window,
  total: number,
  items: (limit: number, offset: number) => T[] | Promise<T[]>,
) {
  const wanted = window.first ?? window.last ?? 0;
  if (wanted < 0 || wanted > largest)
    throw new GraphqlRefusal(
      'EXCESSIVE_PAGINATION',
      `Requesting ${wanted} records on the \`${name}\` connection exceeds the limit of ${largest} records.`,
    );
  let kept: Promise<{ start: number; nodes: T[] }> | undefined;
  const read = () =>
    (kept ??= (async () => {
      const { start, size } = place(name, window, total);
      return { start, nodes: size === 0 ? [] : await items(size, start) };
    })());
  return {
    totalCount: total,
    nodes: async () => (await read()).nodes,
    async edges() {
      const { start, nodes } = await read();
      return nodes.map((node, index) => ({ cursor: cursorOf(start + index), node }));
    },
    async pageInfo() {
      const { start, nodes } = await read();
      const end = start + nodes.length;
      return {
        hasNextPage: end < total,
        hasPreviousPage: start > 0,
        startCursor: nodes.length > 0 ? cursorOf(start) : null,
        endCursor: nodes.length > 0 ? cursorOf(end - 1) : null,
      };
    },
  };
}

function place(name: string, window: Window, total: number): { start: number; size: number } {
  const size = window.first ?? window.last;
  if (size === null || size === undefined)
    throw new GraphqlRefusal(
      'MISSING_PAGINATION_BOUNDARIES',
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
    );
  let start = Math.min(edge(window.after, -1) + 1, total);
  let end = Math.min(edge(window.before, total), total);
  if (window.first !== null && window.first !== undefined) end = Math.min(end, start + size);
  else start = Math.max(start, end - size);
  return { start, size: Math.max(0, end - start) };
}

function edge(cursor: string | null | undefined, fallback: number): number {
  if (!cursor) return fallback;
  const index = indexOf(cursor);
  if (Number.isNaN(index))
    throw new GraphqlRefusal(
      'INVALID_CURSOR_ARGUMENTS',
      `\`${cursor}\` does not appear to be a valid cursor.`,
    );
  return index;
}

/** A list that is read whole, since it is short, when it is asked for. */
export const listed =
  <T, Args, Asked>(name: string, all: (args: Args, asked: Asked) => T[]) =>
  (window: Window & Args, asked: Asked) =>
    listOf(name, window, all(window, asked));

/** Lists of what the forge has none of. What is not a list and null is left out of an object: the library answers so. */
export const empty = (...names: string[]) =>
  Object.fromEntries(names.map(name => [name, listed(name, () => [])]));

export const listOf = <T>(name: string, window: Window, items: T[]) =>
  connection(name, window, items.length, (limit, offset) => items.slice(offset, offset + limit));
