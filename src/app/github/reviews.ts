// A pull request as it is now, with its reviews and the threads on its lines: read in one query, threads answered and resolved.
import { z } from 'zod';
import { graphqlKinds, type Caller, type Client, isUnknown, type Here } from './octokit.ts';
import { connection, everyNode } from './pages.ts';
import { actor, loginOf } from './thread.ts';

/** `bot`: not written by a person. */
interface Author {
  /** `slug[bot]` for an app; `ghost` where the account is gone. */
  author: string;
  bot: boolean;
}

export interface Review extends Author {
  /** Database id. */
  id: number;
  state: 'COMMENTED' | 'APPROVED' | 'CHANGES_REQUESTED' | 'DISMISSED';
  body: string;
  /** The head that was reviewed; null: it is not known. */
  commit: string | null;
}

export interface ReviewComment extends Author {
  /** Database id. */
  id: number;
  /** Database id of the review it came with. */
  review: number | null;
  body: string;
}

export interface ReviewThread {
  /** Node id. */
  id: string;
  path: string;
  /** In the file as the pull request leaves it, or as it was when that line was commented on; null: the whole file. */
  line: number | null;
  /** The lines of the diff down to that one. */
  hunk: string;
  resolved: boolean;
  /** Database id of the comment that began it. */
  first: number;
  /** The newest 30, the oldest of them first. */
  comments: ReviewComment[];
}

export interface PullRequest {
  number: number;
  /** Node id. */
  id: string;
  draft: boolean;
  state: 'open' | 'closed' | 'merged';
  /** The person who merged it; null: not merged, or the account is gone. */
  mergedBy: string | null;
  title: string;
  body: string;
  /** Login of the last editor of its text, null when never edited. */
  editedBy: string | null;
  head: { branch: string; commit: string };
  base: string;
  /** False also while GitHub has not looked since the base moved: asking has it look. */
  conflicts: boolean;
  /** The newest hundred, the oldest first. What somebody with write access has hidden is in neither. */
  reviews: Review[];
  threads: ReviewThread[];
}

export type Reviews = ReturnType<typeof reviewsOf>;

const comment = z.object({
  fullDatabaseId: z.string(),
  body: z.string(),
  author: actor,
  isMinimized: z.boolean(),
  pullRequestReview: z.object({ fullDatabaseId: z.string() }).nullable(),
});
const thread = z.object({
  id: z.string(),
  path: z.string(),
  line: z.number().nullable(),
  originalLine: z.number().nullable(),
  isResolved: z.boolean(),
  opening: z.object({ nodes: z.array(z.object({ fullDatabaseId: z.string(), diffHunk: z.string() })) }),
  comments: z.object({ nodes: z.array(comment) }),
});
const review = z.object({
  fullDatabaseId: z.string(),
  state: z.enum(['PENDING', 'COMMENTED', 'APPROVED', 'CHANGES_REQUESTED', 'DISMISSED']),
  body: z.string(),
  commit: z.object({ oid: z.string() }).nullable(),
  author: actor,
  isMinimized: z.boolean(),
});
const answer = z.object({
  repository: z.object({
    pullRequest: z.object({
      id: z.string(),
      isDraft: z.boolean(),
      state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
      mergedBy: actor,
      title: z.string(),
      body: z.string(),
      lastEditedAt: z.string().nullable(),
      editor: actor,
      headRefName: z.string(),
      headRefOid: z.string(),
      baseRefName: z.string(),
      mergeable: z.string(),
      reviews: z.object({ nodes: z.array(review) }).nullable(),
      reviewThreads: connection(thread),
    }),
  }),
});
type Pull = z.infer<typeof answer>['repository']['pullRequest'];

const query = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) {
    id isDraft state mergedBy { __typename login } title body lastEditedAt editor { __typename login }
    headRefName headRefOid baseRefName mergeable
    reviews(last: 100) { nodes { fullDatabaseId state body isMinimized commit { oid } author { __typename login } } }
    reviewThreads(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { id path line originalLine isResolved
        opening: comments(first: 1) { nodes { fullDatabaseId diffHunk } }
        comments(last: 30) { nodes {
          fullDatabaseId body isMinimized author { __typename login } pullRequestReview { fullDatabaseId }
        } }
      }
    }
  } }
}`;

const resolving = `mutation ($id: ID!) { resolveReviewThread(input: {threadId: $id}) { thread { isResolved } } }`;

const readying = `mutation ($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } } }`;

export function reviewsOf(client: Client, { read, write }: Caller, here: Here) {
  const changed = async (mutation: string, id: string) => {
    try {
      await write(() => client.graphql(mutation, { id }));
      return true;
    } catch (error) {
      if (graphqlKinds(error).some(kind => kind === 'NOT_FOUND' || kind === 'FORBIDDEN')) return false;
      throw error;
    }
  };
  return {
    /** Undefined: there is no such pull request. Throws TooLong. */
    async pull(number: number): Promise<PullRequest | undefined> {
      let pull: Pull | undefined;
      try {
        const threads = await everyNode(`the threads of #${number}`, async after => {
          const variables = { ...here(), number, after };
          const { repository } = answer.parse(await read(() => client.graphql(query, variables)));
          pull = repository.pullRequest;
          return pull.reviewThreads;
        });
        return pull && pullOf(number, pull, threads);
      } catch (error) {
        if (isUnknown(error)) return undefined;
        throw error;
      }
    },
    /** Answers the thread that begins with this comment (a database id); answers the new comment's id. */
    async answerThread(pull: number, first: number, body: string): Promise<number> {
      const route = 'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies';
      const reply = { ...here(), pull_number: pull, comment_id: first, body };
      return Number((await write(() => client.request(route, reply))).data.id);
    },
    /** Resolving twice is success. False: it is gone, or may not be resolved. */
    resolveThread: (id: string): Promise<boolean> => changed(resolving, id),
    /** A draft is one no more. False: it is gone, or may not be changed. */
    readyPull: (id: string): Promise<boolean> => changed(readying, id),
  };
}

const by = (author: z.infer<typeof actor>): Author => ({
  author: loginOf(author),
  bot: author?.__typename !== 'User',
});

function pullOf(number: number, pull: Pull, threads: z.infer<typeof thread>[]): PullRequest {
  const state = { OPEN: 'open', CLOSED: 'closed', MERGED: 'merged' } as const;
  return {
    ...{ number, id: pull.id, draft: pull.isDraft },
    state: state[pull.state],
    mergedBy: pull.mergedBy && loginOf(pull.mergedBy),
    title: pull.title,
    body: pull.body,
    editedBy: pull.lastEditedAt === null ? null : loginOf(pull.editor),
    head: { branch: pull.headRefName, commit: pull.headRefOid },
    base: pull.baseRefName,
    conflicts: pull.mergeable === 'CONFLICTING',
    reviews: (pull.reviews?.nodes ?? []).flatMap(
      ({ fullDatabaseId, state, body, commit, author, isMinimized }) =>
        state === 'PENDING' || isMinimized
          ? []
          : [{ id: Number(fullDatabaseId), state, body, commit: commit?.oid ?? null, ...by(author) }],
    ),
    threads: threads.map(({ id, path, line, originalLine, isResolved, opening, comments: { nodes } }) => ({
      ...{ id, path, line: line ?? originalLine, resolved: isResolved },
      hunk: opening.nodes[0]?.diffHunk ?? '',
      first: Number(opening.nodes[0]?.fullDatabaseId ?? 0),
      comments: nodes
        .filter(each => !each.isMinimized)
        .map(({ fullDatabaseId, pullRequestReview, body, author }) => ({
          id: Number(fullDatabaseId),
          review: pullRequestReview && Number(pullRequestReview.fullDatabaseId),
          body,
          ...by(author),
        })),
    })),
  };
}
