// Lists as GraphQL shows them: a window of edges with cursors.

export interface Window {
  first?: number | null;
  last?: number | null;
  after?: string | null;
  before?: string | null;
}

/** What is thrown becomes an entry of `errors` with this `type`, as GitHub has it. */
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
  Number(/^cursor:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString())?.[1] ?? Number.NaN);

/**
 * The part of `total` items that a window asks for, read with `items(limit, offset)`. As on GitHub, one of
 * `first` and `last` must be given, 1 to 100.
 */
export function connection<T>(
  name: string,
  window: Window,
  total: number,
  items: (limit: number, offset: number) => T[],
) {
  const size = window.first ?? window.last;
  if (size === null || size === undefined)
    throw new GraphqlRefusal(
      'MISSING_PAGINATION_BOUNDARIES',
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
    );
  if (size < 0 || size > largest)
    throw new GraphqlRefusal(
      'EXCESSIVE_PAGINATION',
      `Requesting ${size} records on the \`${name}\` connection exceeds the limit of ${largest} records.`,
    );
  const edge = (cursor: string | null | undefined, fallback: number) => {
    if (!cursor) return fallback;
    const index = indexOf(cursor);
    if (Number.isNaN(index))
      throw new GraphqlRefusal(
        'INVALID_CURSOR_ARGUMENTS',
        `\`${cursor}\` does not appear to be a valid cursor.`,
      );
    return index;
  };
  let start = Math.min(edge(window.after, -1) + 1, total);
  let end = Math.min(edge(window.before, total), total);
  if (window.first !== null && window.first !== undefined) end = Math.min(end, start + size);
  else start = Math.max(start, end - size);
  const nodes = items(Math.max(0, end - start), start);
  return {
    totalCount: total,
    nodes,
    pageInfo: {
      hasNextPage: end < total,
      hasPreviousPage: start > 0,
      startCursor: nodes.length > 0 ? cursorOf(start) : null,
      endCursor: nodes.length > 0 ? cursorOf(start + nodes.length - 1) : null,
    },
  };
}
