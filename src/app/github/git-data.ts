// Commits made over the API, which GitHub signs in the name of the bot, and the branches that are moved to them.
import { type Caller, type Client, refusedBy, type Here } from './octokit.ts';
import type { Opener } from './pulls.ts';

export type TreeMode = '100644' | '100755' | '120000';

/** An entry that a tree gets: text, a file that GitHub has already, or null: the path is removed. */
export interface TreeEntry {
  path: string;
  mode: TreeMode;
  file: { text: string } | { sha: string } | null;
}

export type GitData = ReturnType<typeof gitDataOf>;

const refusal = refusedBy(403, 404, 409, 422);

export function gitDataOf(
  client: Client,
  { write }: Caller,
  here: Here,
  opener: Pick<Opener, 'client'> | undefined,
) {
  const { request } = opener?.client ?? client;
  return {
    /** Stores a file and returns its id. `refused`: GitHub does not take it, and why. */
    async storeBlob(bytes: Buffer): Promise<{ sha: string } | { refused: string }> {
      const blob = { content: bytes.toString('base64'), encoding: 'base64' as const };
      const route = 'POST /repos/{owner}/{repo}/git/blobs';
      return stored(await write(() => request(route, { ...here(), ...blob })).catch(refusal));
    },
    /** The tree `base` with these changes. */
    async storeTree(
      base_tree: string,
      entries: readonly TreeEntry[],
    ): Promise<{ sha: string } | { refused: string }> {
      const tree = entries.map(({ path, mode, file }) => ({
        ...{ path, mode, type: 'blob' as const },
        ...(file === null ? { sha: null } : 'text' in file ? { content: file.text } : { sha: file.sha }),
      }));
      const route = 'POST /repos/{owner}/{repo}/git/trees';
      return stored(await write(() => request(route, { ...here(), base_tree, tree })).catch(refusal));
    },
    /**
     * A commit that no branch has yet. It names no author: GitHub signs it as the bot's.
     * https://docs.github.com/authentication/managing-commit-signature-verification/about-commit-signature-verification#signature-verification-for-bots
     */
    async storeCommit(commit: {
      tree: string;
      parents: string[];
      message: string;
    }): Promise<{ sha: string } | { refused: string }> {
      const route = 'POST /repos/{owner}/{repo}/git/commits';
      return stored(await write(() => request(route, { ...here(), ...commit })).catch(refusal));
    },
    /** Creates a branch at a commit, or moves one; `force`: also where the commit does not come of where it stands. */
    async pointBranch(
      branch: string,
      sha: string,
      how: 'create' | 'forward' | 'force',
    ): Promise<{ moved: true } | { refused: string }> {
      const ref = `heads/${branch}`;
      const done = await write<object>(() =>
        how === 'create'
          ? request('POST /repos/{owner}/{repo}/git/refs', { ...here(), ref: `refs/${ref}`, sha })
          : request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', {
              ...{ ...here(), ref, sha, force: how === 'force' },
            }),
      ).catch(refusal);
      return 'refused' in done ? { refused: done.refused } : { moved: true };
    },
  };
}

const stored = (made: { data: { sha: string } } | { refused: string }) =>
  'refused' in made ? made : { sha: made.data.sha };

/** One that is gone already is success. */
export async function removeBranches(
  { request }: Client,
  { read, write }: Caller,
  here: { owner: string; repo: string },
  prefix: string,
): Promise<void> {
  const listing = 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}';
  const { data } = await read(() => request(listing, { ...here, ref: `heads/${prefix}` }));
  for (const { ref } of data) {
    const route = 'DELETE /repos/{owner}/{repo}/git/refs/{ref}';
    const of = { ...here, ref: ref.replace(/^refs\//, '') };
    await write(() => request(route, of)).catch(refusedBy(404, 422));
  }
}
