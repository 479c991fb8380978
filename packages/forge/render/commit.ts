// Commits, branches, refs and changed files as the REST API shows them.
import type { FileChange, GitCommit, Signature } from '../commits.ts';
import { type Core, nodeId } from '../core.ts';
import { isSigned, type Ref, type Repository } from '../store/repositories.ts';
import { findUser, type User } from '../store/users.ts';
import { repositoryPage, repositoryUrl } from './repository.ts';
import { simpleUser } from './user.ts';

function verification(core: Core, repository: Repository, { sha }: GitCommit) {
  const verified = isSigned(core, repository, sha);
  const reason = verified ? 'valid' : 'unsigned';
  return { verified, reason, signature: null, payload: null, verified_at: null };
}

const node = (repository: Repository, sha: string) => nodeId('C', repository.id, sha);

/** GitHub's `git-commit`. */
export function gitCommitJson(core: Core, repository: Repository, commit: GitCommit) {
  const url = repositoryUrl(core, repository);
  const page = repositoryPage(core, repository);
  return {
    sha: commit.sha,
    node_id: node(repository, commit.sha),
    url: `${url}/git/commits/${commit.sha}`,
    html_url: `${page}/commit/${commit.sha}`,
    author: commit.author,
    committer: commit.committer,
    message: commit.message,
    tree: { sha: commit.tree, url: `${url}/git/trees/${commit.tree}` },
    parents: commit.parents.map(sha => ({
      sha,
      url: `${url}/git/commits/${sha}`,
      html_url: `${page}/commit/${sha}`,
    })),
    verification: verification(core, repository, commit),
  };
}

/** GitHub's `commit`; `files` where the call shows them. */
export function commitJson(core: Core, repository: Repository, commit: GitCommit, files?: FileChange[]) {
  const url = repositoryUrl(core, repository);
  const page = repositoryPage(core, repository);
  const additions = (files ?? []).reduce((sum, file) => sum + file.additions, 0);
  const deletions = (files ?? []).reduce((sum, file) => sum + file.deletions, 0);
  return {
    sha: commit.sha,
    node_id: node(repository, commit.sha),
    url: `${url}/commits/${commit.sha}`,
    html_url: `${page}/commit/${commit.sha}`,
    comments_url: `${url}/commits/${commit.sha}/comments`,
    commit: {
      url: `${url}/git/commits/${commit.sha}`,
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      comment_count: 0,
      tree: { sha: commit.tree, url: `${url}/git/trees/${commit.tree}` },
      verification: verification(core, repository, commit),
    },
    author: userOfSignature(core, commit.author),
    committer: userOfSignature(core, commit.committer),
    parents: commit.parents.map(sha => ({
      sha,
      url: `${url}/commits/${sha}`,
      html_url: `${page}/commit/${sha}`,
    })),
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
