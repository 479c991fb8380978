// An issue with its comments, read through GraphQL: only there does GitHub say who edited a comment last.
import { z } from 'zod';
import type { Caller, Client } from './octokit.ts';

export interface Comment {
  /** Database id: comments of an issue are ordered by it. */
  id: number;
  node: string;
  url: string;
  body: string;
  /** `slug[bot]` for an app; `ghost` where the account is gone. */
  author: string;
  bot: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Login of the last editor, null when never edited. */
  editedBy: string | null;
  /** Milliseconds since the epoch. */
  editedAt: number | null;
}

export interface Thread {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  author: string;
  labels: string[];
  /** The last edit of title or body that GitHub dates. */
  edited: { by: string; at: number } | null;
  comments: Comment[];
}

const actor = z.object({ __typename: z.string(), login: z.string() }).nullable();
const answer = z.object({
  repository: z.object({
    issue: z
      .object({
        title: z.string(),
        body: z.string(),
        state: z.string(),
        author: actor,
        editor: actor,
        lastEditedAt: z.string().nullable(),
        labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }).nullable(),
        comments: z.object({
          pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
          nodes: z.array(
            z.object({
              id: z.string(),
              // `databaseId` is a 32-bit Int, which ids of comments have outgrown.
              fullDatabaseId: z.string(),
              url: z.string(),
              body: z.string(),
              createdAt: z.string(),
              lastEditedAt: z.string().nullable(),
              author: actor,
              editor: actor,
            }),
          ),
        }),
      })
      .nullable(),
  }),
});

const query = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    issue(number: $number) {
      title body state lastEditedAt author { __typename login } editor { __typename login }
      labels(first: 100) { nodes { name } }
      comments(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id fullDatabaseId url body createdAt lastEditedAt author { __typename login } editor { __typename login } }
      }
    }
  }
}`;

type Read = Caller['read'];

/** Throws when there is no such issue. */
export async function readThread(
  client: Client,
  read: Read,
  place: { owner: string; repo: string; number: number },
): Promise<Thread> {
  const comments: Comment[] = [];
  let after: string | null = null;
  for (;;) {
    const variables: Record<string, unknown> = { ...place, after };
    const { repository } = answer.parse(await read(() => client.graphql(query, variables)));
    const { issue } = repository;
    if (!issue) throw new Error(`there is no issue #${place.number} in ${place.owner}/${place.repo}`);
    for (const node of issue.comments.nodes)
      comments.push({
        id: Number(node.fullDatabaseId),
        node: node.id,
        url: node.url,
        body: node.body,
        author: loginOf(node.author),
        bot: node.author?.__typename === 'Bot',
        createdAt: Date.parse(node.createdAt),
        editedBy: node.lastEditedAt === null ? null : loginOf(node.editor),
        editedAt: node.lastEditedAt === null ? null : Date.parse(node.lastEditedAt),
      });
    if (issue.comments.pageInfo.hasNextPage) {
      after = issue.comments.pageInfo.endCursor;
      continue;
    }
    return {
      number: place.number,
      title: issue.title,
      body: issue.body,
      state: issue.state.toLowerCase() === 'open' ? 'open' : 'closed',
      author: loginOf(issue.author),
      labels: issue.labels?.nodes.map(label => label.name) ?? [],
      edited:
        issue.lastEditedAt === null
          ? null
          : { by: loginOf(issue.editor), at: Date.parse(issue.lastEditedAt) },
      comments,
    };
  }
}

const edits = z
  .object({ nodes: z.array(z.object({ diff: z.string().nullable(), editedAt: z.string(), editor: actor })) })
  .nullable();
const revisions = z.object({ node: z.object({ first: edits, last: edits }).nullable() });

/**
 * Texts a comment had, newest first (GitHub keeps each whole revision in `diff`). Both ends of the list are asked
 * for, because GitHub's description does not say which is the newest, and an old text must not pass for it.
 */
export async function revisionsOf(client: Client, read: Read, comment: Comment) {
  const nodes = 'nodes { diff editedAt editor { __typename login } }';
  const ask = `query ($id: ID!) {
    node(id: $id) { ... on IssueComment {
      first: userContentEdits(first: 50) { ${nodes} }
      last: userContentEdits(last: 50) { ${nodes} }
    } }
  }`;
  const { node } = revisions.parse(await read(() => client.graphql(ask, { id: comment.node })));
  return [...(node?.first?.nodes ?? []), ...(node?.last?.nodes ?? [])]
    .toSorted((a, b) => Date.parse(b.editedAt) - Date.parse(a.editedAt))
    .flatMap(({ diff, editor }) =>
      diff === null ? [] : [{ body: diff, editor: editor && loginOf(editor) }],
    );
}

/** GraphQL names an app's login without the `[bot]` that REST shows. */
function loginOf(who: z.infer<typeof actor>): string {
  if (!who) return 'ghost';
  return who.__typename === 'Bot' ? `${who.login.replace(/\[bot\]$/, '')}[bot]` : who.login;
}
