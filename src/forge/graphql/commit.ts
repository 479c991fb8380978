// A commit of the GraphQL schema, with the files of its tree; fields that cost something are functions.
import { readCommit } from '../commits.ts';
import type { Core } from '../core.ts';
import { git, repositoryFolder, tryGit } from '../git.ts';
import { isSigned } from '../render/commit.ts';
import { repositoryPage } from '../render/repository.ts';
import type { Repository } from '../store/repositories.ts';

/** Bytes of a blob that are shown as text at most. */
const largestText = 512_000;

export async function commitObject(core: Core, repository: Repository, sha: string) {
  const folder = repositoryFolder(core, repository);
  const { author, committer, message, tree } = await readCommit(folder, sha);
  return {
    __typename: 'Commit',
    oid: sha,
    url: `${repositoryPage(core, repository)}/commit/${sha}`,
    message,
    committedDate: committer.date,
    author,
    signature: () => (isSigned(core, repository, sha) ? { isValid: true, wasSignedByGitHub: true } : null),
    tree: treeObject(folder, tree),
  };
}

function treeObject(folder: string, oid: string): object {
  return {
    __typename: 'Tree',
    oid,
    async entries() {
      const text = await git(folder, ['ls-tree', '-z', '--full-tree', oid]);
      return text.split('\0').flatMap(line => {
        const [, type = '', sha = '', name] = /^\d+ (\w+) ([\da-f]+)\t(.*)$/s.exec(line) ?? [];
        if (name === undefined) return [];
        return [{ name, type, object: type === 'commit' ? null : objectOf(folder, type, sha) }];
      });
    },
  };
}

const objectOf = (folder: string, type: string, oid: string) =>
  type === 'tree' ? treeObject(folder, oid) : () => blobObject(folder, oid);

async function blobObject(folder: string, oid: string) {
  const { stdout } = await tryGit(folder, ['cat-file', 'blob', oid]);
  const isTruncated = stdout.length > largestText;
  const text = stdout.includes(0) ? null : stdout.subarray(0, largestText).toString();
  return { __typename: 'Blob', oid, byteSize: stdout.length, isTruncated, text };
}
