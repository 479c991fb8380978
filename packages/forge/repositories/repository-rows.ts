// Repositories, who may do what in them, and the refs last seen.
import type { Core } from '../core.ts';
import type { User } from '../apps/users.ts';

export interface Repository {
  id: number;
  owner_id: number;
  /** Login of the owner. */
  owner: string;
  name: string;
  private: number;
  default_branch: string;
  last_number: number;
  created_at: string;
  updated_at: string;
  pushed_at: string;
  /** 1 if GitHub Actions run, and 1 if they may open pull requests. */
  actions_enabled: number;
  actions_open_pulls: number;
  /** 1 if the token of a workflow without `permissions` may write. */
  actions_write: number;
  /** 1 if every action must be pinned to a commit. */
  actions_pinned: number;
  allowed_actions: 'all' | 'local_only' | 'selected';
  /** JSON: what `selected` allows. */
  selected_actions: string;
  /** JSON array of GitHub's rulesets. */
  rulesets: string;
  fork: number;
  has_issues: number;
  description: string | null;
  homepage: string | null;
}

/** In rising order: each role may do what those before it may. */
const roles = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const;
export type Role = (typeof roles)[number];

export const atLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);

const select = 'SELECT r.*, u.login AS owner FROM repositories r JOIN users u ON u.id = r.owner_id';

export const findRepository = (core: Core, owner: string, name: string): Repository | undefined =>
  core.db.one<Repository>(`${select} WHERE u.login = ? AND r.name = ?`, owner, name);

/** The repository `owner/name`, if jobs of `own` may use its actions and workflows: a private one is shared within its owner's. */
export function sharedWith(core: Core, own: Repository, fullName: string): Repository | undefined {
  const [owner = '', name = ''] = fullName.split('/');
  const found = findRepository(core, owner, name);
  return found?.private && found.owner_id !== own.owner_id ? undefined : found;
}

export const getRepository = (core: Core, id: number): Repository =>
  core.db.the<Repository>(`${select} WHERE r.id = ?`, id);

export const allRepositories = (core: Core): Repository[] =>
  core.db.all<Repository>(`${select} ORDER BY r.id`);

export const repositoriesOfInstallation = (core: Core, installationId: number): Repository[] =>
  core.db.all<Repository>(
    `${select} JOIN installation_repositories i ON i.repository_id = r.id WHERE i.installation_id = ? ORDER BY r.id`,
    installationId,
  );

/** The role of a user: the owner is admin, a stranger reads what is public. */
export function roleOf(core: Core, repository: Repository, userId: number): Role {
  if (userId === repository.owner_id) return 'admin';
  const place = { repository_id: repository.id, user_id: userId };
  const row = core.db.find<{ role: Role }>('collaborators', place);
  return row?.role ?? (repository.private ? 'none' : 'read');
}

/** Sets the role of a collaborator; `none` removes the collaborator. */
export function setRole(core: Core, repository: Repository, user: User, role: Role): void {
  const place = { repository_id: repository.id, user_id: user.id };
  core.db.remove('collaborators', place);
  if (role !== 'none') core.db.insert('collaborators', { ...place, role });
}

/** Owner and collaborators, in the order of their ids. */
export const collaboratorsOf = (core: Core, repository: Repository): User[] =>
  core.db.all<User>(
    `SELECT * FROM users WHERE id = ? OR id IN (SELECT user_id FROM collaborators WHERE repository_id = ?) ORDER BY id`,
    repository.owner_id,
    repository.id,
  );

export const isCollaborator = (core: Core, repository: Repository, userId: number): boolean =>
  core.db.count('collaborators WHERE repository_id = ? AND user_id = ?', repository.id, userId) > 0;

/** The next number of an issue or pull request. */
export function nextNumber(core: Core, repository: Repository): number {
  return core.db.the<{ last_number: number }>(
    'UPDATE repositories SET last_number = last_number + 1 WHERE id = ? RETURNING last_number',
    repository.id,
  ).last_number;
}

export interface Ref {
  repository_id: number;
  /** Full name: refs/heads/main */
  name: string;
  sha: string;
}

export const findRef = (core: Core, repositoryId: number, name: string): Ref | undefined =>
  core.db.find<Ref>('refs', { repository_id: repositoryId, name });

/** Refs whose full name starts so, in the order of their names. */
export const refsUnder = (core: Core, repositoryId: number, prefix: string): Ref[] =>
  core.db.all<Ref>(
    'SELECT * FROM refs WHERE repository_id = ? AND substr(name, 1, length(?)) = ? ORDER BY name',
    repositoryId,
    prefix,
    prefix,
  );

export const isSigned = (core: Core, { id }: Repository, sha: string): boolean =>
  core.db.count('signed_commits WHERE repository_id = ? AND sha = ?', id, sha) > 0;

/** The same content at the same second is the same commit. */
export const signCommit = (core: Core, { id }: Repository, sha: string): void =>
  void core.db.ensure('signed_commits', { repository_id: id, sha });
