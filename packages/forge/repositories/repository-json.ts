// Repositories as the REST API shows them.
import { type Core, nodeId } from '../core.ts';
import { atLeast, type Repository, type Role } from './repository-rows.ts';
import { userOfId } from '../apps/users.ts';

/** Address templates below the repository's own; the name of the field is `<name>_url`. */
const templates = {
  archive: '/{archive_format}{/ref}',
  assignees: '/assignees{/user}',
  blobs: '/git/blobs{/sha}',
  branches: '/branches{/branch}',
  collaborators: '/collaborators{/collaborator}',
  comments: '/comments{/number}',
  commits: '/commits{/sha}',
  compare: '/compare/{base}...{head}',
  contents: '/contents/{+path}',
  contributors: '/contributors',
  deployments: '/deployments',
  downloads: '/downloads',
  events: '/events',
  forks: '/forks',
  git_commits: '/git/commits{/sha}',
  git_refs: '/git/refs{/sha}',
  git_tags: '/git/tags{/sha}',
  hooks: '/hooks',
  issue_comment: '/issues/comments{/number}',
  issue_events: '/issues/events{/number}',
  issues: '/issues{/number}',
  keys: '/keys{/key_id}',
  labels: '/labels{/name}',
  languages: '/languages',
  merges: '/merges',
  milestones: '/milestones{/number}',
  notifications: '/notifications{?since,all,participating}',
  pulls: '/pulls{/number}',
  releases: '/releases{/id}',
  stargazers: '/stargazers',
  statuses: '/statuses/{sha}',
  subscribers: '/subscribers',
  subscription: '/subscription',
  tags: '/tags',
  teams: '/teams',
  trees: '/git/trees{/sha}',
} as const;

export const repositoryUrl = (core: Core, repository: Repository): string =>
  `${core.api}/repos/${repository.owner}/${repository.name}`;
export const repositoryPage = (core: Core, repository: Repository): string =>
  `${core.site}/${repository.owner}/${repository.name}`;

export const permissionsOf = (role: Role) => ({
  admin: atLeast(role, 'admin'),
  maintain: atLeast(role, 'maintain'),
  push: atLeast(role, 'write'),
  triage: atLeast(role, 'triage'),
  pull: atLeast(role, 'read'),
});

/** GitHub's `repository`; `role` is that of the caller, where there is one. */
export function repositoryJson(core: Core, repository: Repository, role?: Role) {
  const url = repositoryUrl(core, repository);
  const page = repositoryPage(core, repository);
  const open = core.db.count("issues WHERE repository_id = ? AND state = 'open'", repository.id);
  return {
    id: repository.id,
    node_id: nodeId('R', repository.id),
    name: repository.name,
    full_name: `${repository.owner}/${repository.name}`,
    private: repository.private === 1,
    owner: userOfId(core, repository.owner_id),
    html_url: page,
    description: repository.description,
    fork: repository.fork === 1,
    url,
    ...Object.fromEntries(Object.entries(templates).map(([name, path]) => [`${name}_url`, url + path])),
    git_url: `${page.replace(/^https?:/, 'git:')}.git`,
    ssh_url: `git@${new URL(core.site).hostname}:${repository.owner}/${repository.name}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    mirror_url: null,
    homepage: repository.homepage,
    language: null,
    size: 0,
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    open_issues: open,
    open_issues_count: open,
    default_branch: repository.default_branch,
    is_template: false,
    topics: [],
    has_issues: repository.has_issues === 1,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_downloads: false,
    has_discussions: false,
    archived: false,
    disabled: false,
    visibility: repository.private ? 'private' : 'public',
    license: null,
    allow_forking: false,
    web_commit_signoff_required: false,
    created_at: repository.created_at,
    updated_at: repository.updated_at,
    pushed_at: repository.pushed_at,
    ...(role && { permissions: permissionsOf(role) }),
  };
}

/** GitHub's `full-repository`. */
export function fullRepository(core: Core, repository: Repository, role?: Role) {
  return {
    ...repositoryJson(core, repository, role),
    temp_clone_token: null,
    allow_squash_merge: true,
    allow_merge_commit: true,
    allow_rebase_merge: true,
    allow_auto_merge: false,
    delete_branch_on_merge: false,
    network_count: 0,
    subscribers_count: 0,
  };
}
