// An issue or a pull request with its comments, read through GraphQL: only there does GitHub say who edited a comment last.
// Also whether a name is still the repository that it was.
import { z } from 'zod';
import type { PlainComment } from './comments.ts';
import { type Caller, type Client, isUnknown } from './octokit.ts';
import { connection, everyNode } from './pages.ts';

export interface Comment extends PlainComment {
  node: string;
  url: string;
  /** Login of the last editor, null when never edited. */
  editedBy: string | null;
  /** Milliseconds since the epoch. */
  editedAt: number | null;
  /** Somebody with write access has hidden it (GitHub's "minimized"). */
  hidden: boolean;
}

export interface Thread {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  isPull: boolean;
  locked: boolean;
  author: string;
  labels: string[];
  comments: Comment[];
}

/** Author, as GraphQL reports it; null if the account is gone. */
export const actor = z.object({ __typename: z.string(), login: z.string() }).nullable();
const answer = z.object({
  repository: z.object({
    databaseId: z.number().nullable(),
    thread: z
      .object({
        title: z.string(),
        body: z.string(),
        /** Of an issue, or of a pull request. */
        issueState: z.string().optional(),
        pullState: z.string().optional(),
        locked: z.boolean(),
        author: actor,
        labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }).nullable(),
        comments: connection(
          z.object({
            id: z.string(),
            // `databaseId` is a 32-bit Int, which ids of comments have outgrown.
            fullDatabaseId: z.string(),
            url: z.string(),
            body: z.string(),
            createdAt: z.string(),
            lastEditedAt: z.string().nullable(),
            isMinimized: z.boolean(),
            author: actor,
            editor: actor,
          }),
        ),
      })
      .nullable(),
  }),
});

type Found = NonNullable<z.infer<typeof answer>['repository']['thread']>;

const fields = `title body locked author { __typename login }
      labels(first: 100) { nodes { name } }
      comments(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id fullDatabaseId url body createdAt lastEditedAt isMinimized author { __typename login } editor { __typename login } }
      }`;
const query = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    databaseId
    thread: issueOrPullRequest(number: $number) {
      ... on Issue { issueState: state ${fields} }
      ... on PullRequest { pullState: state ${fields} }
    }
  }
}`;

type Read = Caller['read'];

/** True if the issue or pull request does not exist any more: it was deleted, or moved to another repository. */
export const isGone = (error: unknown): boolean => isUnknown(error, 'thread');

/** The issue or pull request; undefined where it is gone. */
export async function threadUnlessGone(
  github: { thread(number: number): Promise<Thread> },
  number: number,
): Promise<Thread | undefined> {
  return await github.thread(number).catch((error: unknown) => {
    if (!isGone(error)) throw error;
    return undefined;
  });
}

/** Throws when there is no such issue or pull request, and when the repository of that name is not the one with this id. */
export async function readThread(
  client: Client,
  read: Read,
  { id, ...place }: { owner: string; repo: string; id: number; number: number },
): Promise<Thread> {
  const { number } = place;
  let found: Found | undefined;
  const nodes = await everyNode(`the comments of #${number}`, async after => {
    const variables: Record<string, unknown> = { ...place, after };
    const { repository } = answer.parse(await read(() => client.graphql(query, variables)));
    // An Int of 32 bits, which ids of repositories may outgrow, too.
    checkSame(place, id, repository.databaseId ?? id);
    if (!repository.thread) throw new Error(`there is no issue #${number} in ${place.owner}/${place.repo}`);
    found = repository.thread;
    return found.comments;
  });
  if (!found) throw new Error(`#${number} was not read`);
  const { title, body, locked, author, labels, issueState, pullState } = found;
  return {
    number,
    title,
    body,
    state: (issueState ?? pullState)?.toLowerCase() === 'open' ? 'open' : 'closed',
    isPull: pullState !== undefined,
    locked,
    author: loginOf(author),
    labels: labels?.nodes.map(label => label.name) ?? [],
    comments: nodes.map(node => ({
      id: Number(node.fullDatabaseId),
      node: node.id,
      url: node.url,
      body: node.body,
      author: loginOf(node.author),
      bot: node.author?.__typename === 'Bot',
      createdAt: Date.parse(node.createdAt),
      editedBy: node.lastEditedAt === null ? null : loginOf(node.editor),
      editedAt: node.lastEditedAt === null ? null : Date.parse(node.lastEditedAt),
      hidden: node.isMinimized,
    })),
  };
}

const revisions = z.object({
  node: z
    .object({
      userContentEdits: connection(
        z.object({ diff: z.string().nullable(), editedAt: z.string(), editor: actor }),
      ).nullable(),
    })
    .nullable(),
});

/**
 * Texts a comment had, newest first (GitHub keeps each whole revision in `diff`). All of them are read, because
 * GitHub's description does not say which is the newest, and an old text must not pass for it. Throws TooLong.
 */
export async function revisionsOf(client: Client, read: Read, { node: id }: Pick<Comment, 'node'>) {
  const ask = `query ($id: ID!, $after: String) {
    node(id: $id) { ... on IssueComment {
      userContentEdits(first: 50, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { diff editedAt editor { __typename login } }
      }
    } }
  }`;
  const all = await everyNode('the revisions of a comment', async after => {
    const { node } = revisions.parse(await read(() => client.graphql(ask, { id, after })));
    return node?.userContentEdits;
  });
  return all
    .toSorted((a, b) => Date.parse(b.editedAt) - Date.parse(a.editedAt))
    .flatMap(({ diff, editor }) =>
      diff === null ? [] : [{ body: diff, editor: editor && loginOf(editor) }],
    );
}

/** GraphQL names an app's login without the `[bot]` that REST shows. */
export function loginOf(who: z.infer<typeof actor>): string {
  if (!who) return 'ghost';
  return who.__typename === 'Bot' ? `${who.login.replace(/\[bot\]$/, '')}[bot]` : who.login;
}

/** A name is given up and taken by others; what belongs to a repository goes by its id. */
export function checkSame(place: { owner: string; repo: string }, id: number, found: number): void {
  if (found === id) return;
  throw new Error(
    `${place.owner}/${place.repo} is another repository now (id ${found}) than the one that was asked for (id ${id})`,
  );
}
