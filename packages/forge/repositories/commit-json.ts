// Commits, branches, refs and changed files as the REST API shows them.
import type { FileChange, GitCommit, Signature } from './commits.ts';
import { type Core, nodeId } from '../core.ts';
import { isSigned, type Ref, type Repository } from './repository-rows.ts';
import { findUser, type User, simpleUser } from '../apps/users.ts';
import { repositoryPage, repositoryUrl } from './repository-json.ts';

function verification(core: Core, repository: Repository, { sha }: GitCommit) {
  const verified = isSigned(core, repository, sha);
  const reason = verified ? 'valid' : 'unsigned';
  return { verified, reason, signature: null, payload: null, verified_at: null };
}

/** Properties shared by `git-commit` and `commit`. `place`: path of the commits below the repository's URL. */
function ends(core: Core, repository: Repository, { sha, parents }: GitCommit, place: string) {
  const at = (each: string) => ({
    sha: each,
    url: `${repositoryUrl(core, repository)}/${place}/${each}`,
    html_url: `${repositoryPage(core, repository)}/commit/${each}`,
  });
  return { ...at(sha), node_id: nodeId('C', repository.id, sha), parents: parents.map(at) };
}

/** Content of a commit object. */
function content(core: Core, repository: Repository, commit: GitCommit) {
  const { author, committer, message, tree } = commit;
  const url = `${repositoryUrl(core, repository)}/git/trees/${tree}`;
  return {
    ...{ author, committer, message, tree: { sha: tree, url } },
    verification: verification(core, repository, commit),
  };
}

/** GitHub's `git-commit`. */
export const gitCommitJson = (core: Core, repository: Repository, commit: GitCommit) => ({
  ...ends(core, repository, commit, 'git/commits'),
  ...content(core, repository, commit),
});

/** A commit as pushes and workflow runs show it. */
export function simpleCommit({ sha, tree, message, author, committer }: GitCommit) {
  const person = ({ name, email }: Signature) => ({ name, email });
  const people = { author: person(author), committer: person(committer) };
  return { id: sha, tree_id: tree, message, timestamp: committer.date, ...people };
}

/** GitHub's `commit`; `files` where the call shows them. */
export function commitJson(core: Core, repository: Repository, commit: GitCommit, files?: FileChange[]) {
  const url = repositoryUrl(core, repository);
  const additions = (files ?? []).reduce((sum, file) => sum + file.additions, 0);
  const deletions = (files ?? []).reduce((sum, file) => sum + file.deletions, 0);
  return {
    ...ends(core, repository, commit, 'commits'),
    comments_url: `${url}/commits/${commit.sha}/comments`,
    commit: {
      ...content(core, repository, commit),
      url: `${url}/git/commits/${commit.sha}`,
      comment_count: 0,
    },
    author: userOfSignature(core, commit.author),
    committer: userOfSignature(core, commit.committer),
    ...(files && {
      stats: { total: additions + deletions, additions, deletions },
      files: files.map(file => fileJson(core, repository, commit.sha, file)),
    }),
  };
}

/** The user whose no-reply address it is. */
export function userOfAddress(core: Core, email: string): User | undefined {
  const login = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/.exec(email)?.[1];
  return login === undefined ? undefined : findUser(core, login);
}

function userOfSignature(core: Core, { email }: Signature) {
  const user = userOfAddress(core, email);
  return user ? simpleUser(core, user) : null;
}

/** GitHub's `diff-entry`. */
export function fileJson(core: Core, repository: Repository, sha: string, file: FileChange) {
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  return {
    sha: file.sha,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${repositoryPage(core, repository)}/blob/${sha}/${path}`,
    raw_url: `${repositoryPage(core, repository)}/raw/${sha}/${path}`,
    contents_url: `${repositoryUrl(core, repository)}/contents/${path}?ref=${sha}`,
    ...(file.patch !== undefined && { patch: file.patch }),
    ...(file.previous !== undefined && { previous_filename: file.previous }),
  };
}

/** GitHub's `git-ref`. `type` is that of the object: a tag may be an object of its own. */
export function refJson(core: Core, repository: Repository, ref: Ref, type: string) {
  const url = repositoryUrl(core, repository);
  return {
    ref: ref.name,
    node_id: nodeId('REF', repository.id, ref.name),
    url: `${url}/git/${ref.name}`,
    object: { sha: ref.sha, type, url: `${url}/git/${type}s/${ref.sha}` },
  };
}

const unprotected = {
  enabled: false,
  required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] },
};

/** GitHub's `short-branch`. */
export function shortBranch(core: Core, repository: Repository, ref: Ref) {
  const name = ref.name.replace(/^refs\/heads\//, '');
  const url = repositoryUrl(core, repository);
  return {
    name,
    commit: { sha: ref.sha, url: `${url}/commits/${ref.sha}` },
    protected: false,
    protection: unprotected,
    protection_url: `${url}/branches/${encodeURIComponent(name)}/protection`,
  };
}
