// Commits made over the API, which GitHub signs in the name of the bot, and the branches that are moved to them.
import { messageOf } from '@echelon/ground';
import { answered, type Caller, type Client } from './octokit.ts';
import type { Opener } from './pulls.ts';

export type TreeMode = '100644' | '100755' | '120000';

/** An entry that a tree gets: text, a file that GitHub has already, or null: the path is removed. */
export interface TreeEntry {
  path: string;
  mode: TreeMode;
  file: { text: string } | { sha: string } | null;
}

export interface GitData {
  /** Stores a file and returns its id. `refused`: GitHub does not take it, and why. */
  storeBlob(bytes: Buffer): Promise<{ sha: string } | { refused: string }>;
  /** The tree `base` with these changes. */
  storeTree(base: string, entries: readonly TreeEntry[]): Promise<{ sha: string } | { refused: string }>;
  /**
   * A commit that no branch has yet. It names no author: GitHub signs it as the bot's.
   * https://docs.github.com/authentication/managing-commit-signature-verification/about-commit-signature-verification#signature-verification-for-bots
   */
  storeCommit(commit: {
    tree: string;
    parents: string[];
    message: string;
  }): Promise<{ sha: string } | { refused: string }>;
  /** Creates a branch at a commit, or moves one; `force`: also where the commit does not come of where it stands. */
  pointBranch(
    branch: string,
    commit: string,
    how: 'create' | 'forward' | 'force',
  ): Promise<{ moved: true } | { refused: string }>;
}

export function gitDataOf(
  client: Client,
  { write }: Caller,
  here: () => { owner: string; repo: string },
  opener: Pick<Opener, 'client'> | undefined,
): GitData {
  const { request } = opener?.client ?? client;
  const refusable = async <T>(call: () => Promise<T>): Promise<T | { refused: string }> => {
    try {
      return await call();
    } catch (error) {
      if (answered(error, 403, 404, 409, 422)) return { refused: reasonOf(error) };
      throw error;
    }
  };
  return {
    storeBlob: bytes =>
      refusable(async () => {
        const blob = { content: bytes.toString('base64'), encoding: 'base64' as const };
        const { data } = await write(() =>
          request('POST /repos/{owner}/{repo}/git/blobs', { ...here(), ...blob }),
        );
        return { sha: data.sha };
      }),
    storeTree: (base_tree, entries) =>
      refusable(async () => {
        const tree = entries.map(({ path, mode, file }) => ({
          ...{ path, mode, type: 'blob' as const },
          ...(file === null ? { sha: null } : 'text' in file ? { content: file.text } : { sha: file.sha }),
        }));
        const { data } = await write(() =>
          request('POST /repos/{owner}/{repo}/git/trees', { ...here(), base_tree, tree }),
        );
        return { sha: data.sha };
      }),
    storeCommit: commit =>
      refusable(async () => {
        const { data } = await write(() =>
          request('POST /repos/{owner}/{repo}/git/commits', { ...here(), ...commit }),
        );
        return { sha: data.sha };
      }),
    pointBranch: (branch, sha, how) =>
      refusable(async () => {
        const ref = `heads/${branch}`;
        await write<unknown>(() =>
          how === 'create'
            ? request('POST /repos/{owner}/{repo}/git/refs', { ...here(), ref: `refs/${ref}`, sha })
            : request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', {
                ...{ ...here(), ref, sha, force: how === 'force' },
              }),
        );
        return { moved: true };
      }),
  };
}

/** GitHub names the rule that was broken on a line of its own. */
const reasonOf = (error: unknown): string =>
  messageOf(error)
    .replace(/ - https:\/\/docs\.github\.com\S*$/, '')
    .replace(/\s*\n\s*/g, '. ')
    .replace(/[.\s]+$/, '')
    .slice(0, 300);

/** One that is gone already is success. */
export async function removeBranches(
  { request }: Client,
  { read, write }: Caller,
  here: { owner: string; repo: string },
  prefix: string,
): Promise<void> {
  const listing = 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}';
  const { data } = await read(() => request(listing, { ...here, ref: `heads/${prefix}` }));
  for (const { ref } of data)
    try {
      const route = 'DELETE /repos/{owner}/{repo}/git/refs/{ref}';
      await write(() => request(route, { ...here, ref: ref.replace(/^refs\//, '') }));
    } catch (error) {
      if (!answered(error, 404, 422)) throw error;
    }
}
