// Pull requests by REST: looked up by their branch, opened, changed, reviewed; and merging without one.
import { z } from 'zod';
import { messageOf } from '@echelon/ground';
import { answered, type Caller, type Client, refusedBy, type Here } from './octokit.ts';
import { firstPages, PAGE } from './pages.ts';

/** Identity that pushes branches and opens pull requests. */
export interface Opener {
  client: Client;
  token: string;
  /** GitHub has the checks of what it opens wait for a person: so it is with the token of a job. */
  checksWait: boolean;
}

/** A file as a pull request leaves it. */
export interface ChangedFile {
  path: string;
  /** `added`, `modified`, `removed`, `renamed`, ... */
  status: string;
  /** Its hunks, without the head of a diff; undefined: binary, or too large for GitHub to show. */
  patch: string | undefined;
}

/** On a line of a file as the pull request leaves it, which its diff has. */
export interface LineComment {
  path: string;
  line: number;
  body: string;
}

const refusal = refusedBy(403, 404, 422);

/** Pages of changed files that are read: 300 files. */
const MAX_FILE_PAGES = 3;

export interface Pulls {
  /** True if the checks of pull requests opened here wait for a person's approval. */
  readonly checksWait: boolean;
  /** The newest of a branch, whoever opened it. */
  pullFor(branch: string): Promise<{ number: number; draft: boolean; body: string } | undefined>;
  /** Number of open pull requests of this product's branches, whoever opened them; among the newest hundred. */
  openPulls(): Promise<number>;
  /** The branch of this repository that an app has opened this pull request of; undefined for all else. */
  branchOpenedByApp(number: number): Promise<string | undefined>;
  /**
   * Reason that this token cannot open pull requests, found by requesting one from a branch to itself: GitHub checks
   * permissions first (403), and then always refuses that request (422, no commits); see
   * stefan-jansen/machine-learning-for-trading#1116. Undefined: no reason is known.
   */
  whyNone(branch: string): Promise<string | undefined>;
  createPull(pull: {
    title: string;
    body: string;
    head: string;
    base: string;
    draft: boolean;
    /** `refused`: GitHub will not open it, and why. */
  }): Promise<{ number: number; draft: boolean; checksWait: boolean } | { refused: string }>;
  /** Writes its title or text anew, or has it go to another branch. `refused`: why GitHub will not have it. */
  changePull(
    number: number,
    change: { title?: string; body?: string; base?: string },
  ): Promise<{ changed: true } | { refused: string }>;
  /**
   * Merges a commit into a branch by a merge commit. `merged`: that one, null where the branch holds the commit already:
   * twice is once. `conflict`: the two do not fit.
   */
  merge(what: {
    base: string;
    head: string;
    message: string;
  }): Promise<{ merged: string | null } | { refused: string; conflict: boolean }>;
  /**
   * Merges a pull request at this head. Not `merged`: it is in the merge queue of its base. `id`: its node id. Once it
   * `wasQueued` it is not put there again.
   */
  mergePull(
    number: number,
    pull: { id: string; head: string; wasQueued: boolean },
  ): Promise<{ merged: boolean } | { refused: string }>;
  /** Changed files, at most 300; `more`: that is not all. */
  changedFiles(number: number): Promise<{ items: ChangedFile[]; more: boolean }>;
  /** Posts a review that neither approves nor blocks; answers its database id. `refused`: why GitHub will not have it. */
  review(
    number: number,
    review: { commit: string; body: string; comments: readonly LineComment[] },
  ): Promise<{ review: number } | { refused: string }>;
}

/** The way to merge that GitHub's page would offer. */
const way = `query ($owner: String!, $repo: String!, $number: Int!) { repository(owner: $owner, name: $repo) {
  viewerDefaultMergeMethod pullRequest(number: $number) { isMergeQueueEnabled isInMergeQueue }
} }`;
const wayAnswer = z.object({
  repository: z.object({
    viewerDefaultMergeMethod: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['merge', 'squash', 'rebase'])),
    pullRequest: z.object({ isMergeQueueEnabled: z.boolean(), isInMergeQueue: z.boolean() }),
  }),
});
const queueing = `mutation ($id: ID!, $head: GitObjectID!) {
  enqueuePullRequest(input: {pullRequestId: $id, expectedHeadOid: $head}) { clientMutationId }
}`;

export function pullsOf(
  client: Client,
  { read, write }: Caller,
  here: Here,
  opener: Pick<Opener, 'client' | 'checksWait'> | undefined,
): Pulls {
  const { request } = client;
  const by = opener?.client ?? client;
  return {
    checksWait: opener?.checksWait ?? false,
    async pullFor(branch) {
      const query = { head: `${here().owner}:${branch}`, state: 'all' as const, per_page: 10 };
      const { data } = await read(() => request('GET /repos/{owner}/{repo}/pulls', { ...here(), ...query }));
      const pull = data.find(each => each.head.ref === branch);
      return pull && { number: pull.number, draft: pull.draft ?? false, body: pull.body ?? '' };
    },
    async openPulls() {
      const query = { ...here(), state: 'open' as const, per_page: PAGE };
      const { data } = await read(() => request('GET /repos/{owner}/{repo}/pulls', query));
      return data.filter(
        ({ head, base }) => head.repo?.id === base.repo.id && head.ref.startsWith('echelon/'),
      ).length;
    },
    async branchOpenedByApp(number) {
      const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
      const found = await read(() => request(route, { ...here(), pull_number: number })).catch(
        refusedBy(404),
      );
      if ('refused' in found) return undefined;
      const { head, base, user } = found.data;
      return head.repo?.id === base.repo.id && user.type === 'Bot' ? head.ref : undefined;
    },
    async whyNone(branch) {
      const asked = { ...here(), title: 'May one be opened?', head: branch, base: branch };
      try {
        await write(() => by.request('POST /repos/{owner}/{repo}/pulls', asked));
      } catch (error) {
        if (answered(error, 403)) return messageOf(error);
        if (!answered(error, 422)) throw error;
      }
      return undefined;
    },
    async createPull(pull) {
      const open = async (draft: boolean) => {
        const { data } = await write(() =>
          by.request('POST /repos/{owner}/{repo}/pulls', { ...here(), ...pull, draft }),
        );
        return { number: data.number, draft, checksWait: opener?.checksWait ?? false };
      };
      const made = await open(pull.draft).catch(refusal);
      // Private repositories on some plans have no drafts; the title then says that it is not finished.
      if (!('refused' in made) || !pull.draft || !/draft pull requests/i.test(made.refused)) return made;
      pull = { ...pull, title: `[WIP] ${pull.title}` };
      return await open(false).catch(refusal);
    },
    async changePull(number, change) {
      const route = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}';
      const of = { ...here(), pull_number: number };
      const done = await write(() => request(route, { ...of, ...change })).catch(refusal);
      return 'refused' in done ? done : { changed: true };
    },
    async merge({ message: commit_message, ...what }) {
      const route = 'POST /repos/{owner}/{repo}/merges';
      try {
        const answer = await write(() => by.request(route, { ...here(), ...what, commit_message }));
        return { merged: answer.status === 201 ? answer.data.sha : null };
      } catch (error) {
        if (!answered(error, 403, 404, 405, 409, 422)) throw error;
        return { refused: messageOf(error).slice(0, 300), conflict: answered(error, 409) };
      }
    },
    async mergePull(number, { id, head, wasQueued }) {
      const found = await read(() => client.graphql(way, { ...here(), number }));
      const { viewerDefaultMergeMethod: merge_method, pullRequest: pull } = wayAnswer.parse(found).repository;
      if (pull.isInMergeQueue) return { merged: false };
      if (wasQueued) return { refused: 'it has left the merge queue' };
      const of = { ...here(), pull_number: number, sha: head, merge_method };
      const merged = !pull.isMergeQueueEnabled;
      const refused = await write<unknown>(() =>
        merged
          ? by.request('PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge', of)
          : by.graphql(queueing, { id, head }),
      ).then(() => undefined, refusedBy(403, 404, 405, 409, 422));
      return refused ?? { merged };
    },
    async changedFiles(number) {
      const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files';
      const query = { ...here(), pull_number: number, per_page: PAGE };
      return await firstPages(MAX_FILE_PAGES, async page => {
        const { data } = await read(() => request(route, { ...query, page }));
        return data.map(({ filename: path, status, patch }) => ({ path, status, patch }));
      });
    },
    async review(number, { commit, body, comments }) {
      const route = 'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews';
      const placed = comments.map(each => ({ ...each, side: 'RIGHT' }));
      const review = { pull_number: number, commit_id: commit, event: 'COMMENT', body } as const;
      const given = { ...here(), ...review, comments: placed };
      const made = await write(() => request(route, given)).catch(refusal);
      return 'refused' in made ? made : { review: Number(made.data.id) };
    },
  };
}
