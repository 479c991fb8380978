// Resolved state of review threads. Only GraphQL reports it, here as on GitHub.
import type { Api } from './api.ts';

export interface ThreadState {
  /** By which it is resolved. */
  id: string;
  resolvedBy: string | undefined;
}

/** Response of the query. */
interface Threads {
  nodes: {
    id: string;
    isResolved: boolean;
    resolvedBy: { login: string } | null;
    comments: { nodes: { fullDatabaseId: string }[] };
  }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}
interface Told {
  repository: { pullRequest: { reviewThreads: Threads } };
}

const query = `query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 100, after: $after) {
      nodes { id isResolved resolvedBy { login } comments(first: 1) { nodes { fullDatabaseId } } }
      pageInfo { hasNextPage endCursor }
    }
  } }
}`;

/** Threads are asked for 100 at a time, this often. */
const mostPages = 10;

/** By the id of the comment that began the thread. */
export async function threadStates(
  api: Api,
  repository: string,
  number: number,
): Promise<Map<number, ThreadState>> {
  const [owner = '', name = ''] = repository.split('/');
  const states = new Map<number, ThreadState>();
  let after: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const told: Told = await api.graphql(query, { owner, name, number, after });
    const { nodes, pageInfo } = told.repository.pullRequest.reviewThreads;
    for (const { id, isResolved, resolvedBy, comments } of nodes)
      for (const { fullDatabaseId } of comments.nodes)
        states.set(Number(fullDatabaseId), {
          id,
          resolvedBy: isResolved ? (resolvedBy?.login ?? 'ghost') : undefined,
        });
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  return states;
}

/** Resolves a thread, or opens it again. */
export const setResolved = (api: Api, id: string, resolved: boolean): Promise<unknown> =>
  api.graphql(
    `mutation($id: ID!) { ${resolved ? 'resolve' : 'unresolve'}ReviewThread(input: {threadId: $id}) { thread { isResolved } } }`,
    { id },
  );
