// A commit of the GraphQL schema, with the files of its tree; fields that cost something are functions.
import { present } from '@echelon/ground';
import { type GitCommit, readCommit, readCommits } from '../repositories/commits.ts';
import { type Core, nodeId } from '../core.ts';
import { listTree } from '../repositories/contents.ts';
import { readObject, repositoryFolder } from '../repositories/git.ts';
import { userOfAddress } from '../repositories/commit-json.ts';
import { repositoryPage } from '../repositories/repository-json.ts';
import { isSigned, type Repository, type Ref } from '../repositories/repository-rows.ts';
import { userObject } from './accounts.ts';
import { type Asked, connection, listed, type Window } from './connection.ts';
import { rollupObject } from './checks.ts';

export function refObject(core: Core, repository: Repository, ref: Ref) {
  const [, prefix = 'refs/', name = ref.name] = /^(refs\/[^/]+\/)(.+)$/.exec(ref.name) ?? [];
  function target(_: unknown, asked: Asked) {
    asked.mayRead(repository, ['contents:read']);
    return commitObject(core, repository, ref.sha);
  }
  return { id: nodeId('REF', repository.id, ref.name), name, prefix, target, branchProtectionRule: null };
}

/** Bytes of a blob that are shown as text at most. */
const largestText = 512_000;

export const commitObject = async (core: Core, repository: Repository, sha: string) =>
  shown(core, repository, await readCommit(repositoryFolder(core, repository), sha));

/** Of `total` commits in a range of revisions, oldest first, those of a window. */
export const commitsOf =
  <T>(
    core: Core,
    repository: Repository,
    range: string,
    total: number,
    show: (commit: object, sha: string) => T,
  ) =>
  (window: Window) =>
    connection('commits', window, total, async (limit, offset) => {
      const place = [`--skip=${total - offset - limit}`, `-${limit}`, '--reverse'];
      const commits = await readCommits(repositoryFolder(core, repository), [...place, range, '--']);
      return commits.map(commit => show(shown(core, repository, commit), commit.sha));
    });

const coAuthor = /^co-authored-by:\s*([^<\n]+?)\s*<([^>\n]+)>\s*$/gim;

function shown(core: Core, repository: Repository, commit: GitCommit): object {
  const { sha, message, author, committer } = commit;
  const folder = repositoryFolder(core, repository);
  const [headline = '', ...rest] = message.split('\n');
  const signature = (each: { name: string; email: string; date?: string }) => ({
    ...each,
    user() {
      const user = userOfAddress(core, each.email);
      return user?.type === 'User' ? userObject(core, user) : null;
    },
  });
  const object = {
    __typename: 'Commit',
    id: nodeId('C', repository.id, sha),
    oid: sha,
    abbreviatedOid: sha.slice(0, 7),
    url: `${repositoryPage(core, repository)}/commit/${sha}`,
    message,
    messageHeadline: headline,
    messageBody: rest.join('\n').trim(),
    authoredDate: author.date,
    committedDate: committer.date,
    author: signature(author),
    committer: signature(committer),
    authors: listed('authors', () => [
      signature(author),
      ...[...message.matchAll(coAuthor)].map(([, name = '', email = '']) => signature({ name, email })),
    ]),
    parents: (window: Window) =>
      connection('parents', window, commit.parents.length, (limit, offset) =>
        Promise.all(
          commit.parents.slice(offset, offset + limit).map(parent => commitObject(core, repository, parent)),
        ),
      ),
    signature: () =>
      isSigned(core, repository, sha)
        ? { __typename: 'GpgSignature', isValid: true, wasSignedByGitHub: true }
        : null,
    tree: treeObject(repository, folder, commit.tree),
    statusCheckRollup(_: unknown, asked: Asked) {
      asked.mayRead(repository, ['checks:read', 'statuses:read']);
      return rollupObject(core, repository, sha, () => object);
    },
  };
  return object;
}

function treeObject(repository: Repository, folder: string, oid: string): object {
  return {
    __typename: 'Tree',
    id: nodeId('T', repository.id, oid),
    oid,
    async entries() {
      const place = [repository, folder] as const;
      return (await listTree(folder, oid)).map(({ path: name, type, sha }) => {
        if (type === 'commit') return { name, type, object: null };
        const object = type === 'tree' ? treeObject(...place, sha) : () => blobObject(...place, sha);
        return { name, type, object };
      });
    },
  };
}

async function blobObject(repository: Repository, folder: string, oid: string) {
  const { size, bytes } = present(await readObject(folder, 'contents', oid), 'the blob');
  const isTruncated = size > largestText;
  const text = bytes.includes(0) ? null : bytes.subarray(0, largestText).toString();
  const id = nodeId('B', repository.id, oid);
  return { __typename: 'Blob', id, oid, byteSize: size, isTruncated, text };
}
