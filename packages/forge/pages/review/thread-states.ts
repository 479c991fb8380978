// Which threads of a pull request are resolved: of reviews only GraphQL tells it, here as on GitHub.
import { z } from 'zod';
import type { Api } from '../api.ts';

export interface ThreadState {
  /** By which it is resolved. */
  id: string;
  resolvedBy: string | undefined;
}

const Threads = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        nodes: z.array(
          z.object({
            id: z.string(),
            isResolved: z.boolean(),
            resolvedBy: z.object({ login: z.string() }).nullable(),
            comments: z.object({ nodes: z.array(z.object({ fullDatabaseId: z.string() })) }),
          }),
        ),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      }),
    }),
  }),
});

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
    const told: z.infer<typeof Threads> = await api.graphql(query, { owner, name, number, after }, Threads);
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
    z.unknown(),
  );
