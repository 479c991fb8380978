// The branch that holds the record of an issue's run: read in one call, moved only from the commit that is expected.
import { z } from 'zod';
import { messageOf } from '../../lib/message.ts';
import { answered, type Caller, type Client, graphqlKinds } from './octokit.ts';
import { checkSame, recordBranch, recordPrefix } from './place.ts';

/** git's tree without a file, which every repository has. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** The branch is not where it was expected, or not there: somebody else wrote to it. */
export class BranchMoved extends Error {
  override readonly name = 'BranchMoved';
}

/** A branch as it stands. */
export interface RecordBranch {
  /** Its newest commit. */
  head: string;
  /** When that was made by GitHub's clock (milliseconds since the epoch). */
  at: number;
  /** It was made through the API in the name of this connection's bot: GitHub's own signature vouches for that. */
  isOwn: boolean;
  /** Text by name; undefined for what is no text, or too long. */
  files: ReadonlyMap<string, string | undefined>;
}

/** A commit on a record's branch. */
export interface RecordCommit {
  /** The commit that the branch is expected to stand on. */
  head: string;
  message: string;
  write: ReadonlyMap<string, string>;
  remove: readonly string[];
}

export interface RecordBranches {
  /** In one call, whatever it holds; undefined where there is none. */
  recordBranch(issue: number): Promise<RecordBranch | undefined>;
  /** Numbers of the issues that have one, the newest first. */
  recordBranches(): Promise<number[]>;
  /** Makes the branch one without files, on top of `head` where it stands there; answers its commit. Throws BranchMoved. */
  clearRecordBranch(issue: number, head: string | undefined): Promise<string>;
  /** One commit, in one call; answers it. Throws BranchMoved. */
  commitRecord(issue: number, commit: RecordCommit): Promise<string>;
  /** What GitHub's clock says (milliseconds, whole seconds). */
  githubTime(issue: number): Promise<number>;
}

const blob = z.object({
  __typename: z.string(),
  isTruncated: z.boolean().optional(),
  text: z.string().nullish(),
});
const commit = z.object({
  oid: z.string(),
  committedDate: z.string(),
  author: z.object({ email: z.string().nullable() }).nullable(),
  signature: z.object({ isValid: z.boolean(), wasSignedByGitHub: z.boolean() }).nullable(),
  tree: z.object({ entries: z.array(z.object({ name: z.string(), object: blob.nullable() })).nullable() }),
});
const answer = z.object({
  repository: z.object({
    databaseId: z.number().nullable(),
    url: z.string(),
    ref: z.object({ target: commit.nullable() }).nullable(),
  }),
});

const query = `query ($owner: String!, $repo: String!, $ref: String!) {
  repository(owner: $owner, name: $repo) {
    databaseId url
    ref(qualifiedName: $ref) { target { ... on Commit {
      oid committedDate author { email } signature { isValid wasSignedByGitHub }
      tree { entries { name object { __typename ... on Blob { isTruncated text } } } }
    } } }
  }
}`;

const mutation = `mutation ($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid } }
}`;
const committed = z.object({
  createCommitOnBranch: z.object({ commit: z.object({ oid: z.string() }) }),
});

export function recordBranchesOf(
  client: Client,
  { read, write }: Pick<Caller, 'read' | 'write'>,
  here: () => { owner: string; repo: string },
  { id, bot }: { id: number; bot: string },
): RecordBranches {
  const { request } = client;
  return {
    async recordBranch(issue) {
      const variables = { ...here(), ref: `refs/heads/${recordBranch(issue)}` };
      const { repository } = answer.parse(await read(() => client.graphql(query, variables)));
      checkSame(here(), id, repository.databaseId ?? id);
      const target = repository.ref?.target;
      const host = URL.parse(repository.url)?.hostname ?? '';
      return target ? branchOf(target, bot, host) : undefined;
    },
    async recordBranches() {
      const route = 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}';
      const found = await read(() =>
        request(route, { ...here(), ref: `heads/${recordPrefix}`, per_page: 100 }),
      );
      const numbers = found.data.map(({ ref }) => Number(ref.slice(`refs/heads/${recordPrefix}`.length)));
      return numbers.filter(Number.isSafeInteger).sort((a, b) => b - a);
    },
    async clearRecordBranch(issue, head) {
      const message = commitMessage(issue, 'empty');
      const parents = head === undefined ? [] : [head];
      const made = await write(() =>
        request('POST /repos/{owner}/{repo}/git/commits', { ...here(), message, tree: emptyTree, parents }),
      ).catch(refused(issue));
      const { sha } = made.data;
      const ref = `heads/${recordBranch(issue)}`;
      // One that exists is moved forward only: where somebody else moved it meanwhile GitHub refuses.
      const move =
        head === undefined
          ? () => request('POST /repos/{owner}/{repo}/git/refs', { ...here(), ref: `refs/${ref}`, sha })
          : () =>
              request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', { ...here(), ref, sha, force: false });
      await write<unknown>(move).catch(refused(issue));
      return sha;
    },
    async commitRecord(issue, { head, message, write: files, remove }) {
      const { owner, repo } = here();
      const input = {
        branch: { repositoryNameWithOwner: `${owner}/${repo}`, branchName: recordBranch(issue) },
        expectedHeadOid: head,
        message: { headline: commitMessage(issue, message) },
        fileChanges: {
          additions: [...files].map(([path, text]) => ({
            path,
            contents: Buffer.from(text).toString('base64'),
          })),
          deletions: remove.map(path => ({ path })),
        },
      };
      const made = await write(() => client.graphql(mutation, { input })).catch(refused(issue));
      return committed.parse(made).createCommitOnBranch.commit.oid;
    },
    async githubTime(issue) {
      const route = 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}';
      const { headers } = await read(() =>
        request(route, { ...here(), ref: `heads/${recordBranch(issue)}` }),
      );
      return Date.parse(headers.date ?? '');
    },
  };
}

/** No `#`, which would show each commit on the issue; and no build is begun for it. */
const commitMessage = (issue: number, what: string) => `Record of issue ${issue}: ${what} [skip ci]`;

/** What a write to the branch was refused with: BranchMoved, or what somebody has to change first. */
const refused =
  (issue: number) =>
  (error: unknown): never => {
    const kinds = graphqlKinds(error);
    if (isTaken(error) || kinds.includes('STALE_DATA') || kinds.includes('NOT_FOUND'))
      throw new BranchMoved(String(error), { cause: error });
    if (!answered(error, 403, 404, 422) && kinds.length === 0) throw error;
    const why = messageOf(error)
      .replace(/\s+/g, ' ')
      .replace(/[.\s]+$/, '');
    throw new Error(
      `the record of this run is to stand on the branch ${recordBranch(issue)}, which cannot be written: ${why}. That takes a token with \`contents: write\`, and no rule set that stands against it`,
      { cause: error },
    );
  };

/** The branch exists, or was moved meanwhile; any other refusal is one. */
const isTaken = (error: unknown) =>
  answered(error, 409, 422) && /already exists|fast forward|cannot be updated/i.test(String(error));

function branchOf(
  { oid, committedDate, author, signature, tree }: z.infer<typeof commit>,
  bot: string,
  host: string,
): RecordBranch {
  const [local, domain = ''] = (author?.email ?? '').split('@');
  // No account of a person has the brackets of a bot's, nor an address of GitHub's own.
  const isOfBot =
    local?.replace(/^\d+\+/, '') === bot &&
    ['github.com', host].some(name => domain === `users.noreply.${name}`);
  return {
    head: oid,
    at: Date.parse(committedDate),
    isOwn: isOfBot && signature?.isValid === true && signature.wasSignedByGitHub,
    files: new Map(
      (tree.entries ?? []).map(({ name, object }) => [
        name,
        object?.isTruncated === false ? (object.text ?? undefined) : undefined,
      ]),
    ),
  };
}
