// Repositories and their collaborators.
import { z } from 'zod';
import { type Access, authorize, type Need } from '../auth.ts';
import { found, invalid, notFound } from '../errors.ts';
import { pageOfAll } from '../page.ts';
import { fullRepository, permissionsOf, repositoryJson } from './repository-json.ts';
import { simpleUser, findUser, type User } from '../apps/users.ts';
import { ok, parse, read, type RepositoryCall, route, write } from '../route.ts';
import {
  allRepositories,
  collaboratorsOf,
  getRepository,
  isCollaborator,
  type Repository,
  type Role,
  roleOf,
} from './repository-rows.ts';
import { now } from '../core.ts';
import { git, repositoryFolder } from './git.ts';
import { emit } from '../emit.ts';
import { branchHead } from '../pulls/pull-changes.ts';

const change = z.object({
  name: z.string().optional(),
  description: z
    .string()
    .max(350)
    .regex(/^\P{Cc}*$/u)
    .nullish(),
  homepage: z
    .string()
    .max(255)
    .refine(text => text === '' || /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : ''))
    .transform(text => text || null)
    .nullish(),
  private: z.boolean().optional(),
  has_issues: z.boolean().optional(),
  visibility: z.enum(['public', 'private']).optional(),
  default_branch: z.string().optional(),
});

/** 422 for a default branch that is not there. */
async function changeRepository(
  access: Access,
  input: Omit<z.infer<typeof change>, 'name' | 'visibility'>,
): Promise<Repository> {
  const { core, repository } = access;
  const { default_branch: branch = repository.default_branch } = input;
  if (branch !== repository.default_branch && branchHead(core, repository, branch) === undefined)
    throw invalid(
      'Repository',
      `The branch ${branch} was not found. Please push that ref first or create it via the Git Data API.`,
      'default_branch',
    );
  core.db.update('repositories', repository.id, { ...input, updated_at: now(core) });
  if (branch !== repository.default_branch)
    await git(repositoryFolder(core, repository), ['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  const changed = getRepository(core, repository.id);
  const texts = (['description', 'homepage', 'default_branch'] as const).filter(
    name => changed[name] !== repository[name],
  );
  if (texts.length > 0)
    emit(access, 'repository', 'edited', () => ({
      changes: Object.fromEntries(texts.map(name => [name, { from: repository[name] }])),
    }));
  if (changed.private !== repository.private)
    emit(access, 'repository', changed.private ? 'privatized' : 'publicized', () => ({}));
  return changed;
}

/** The older four-valued permission that `permission` shows besides `role_name`. */
function coarse(role: Role): string {
  if (role === 'maintain') return 'write';
  return role === 'triage' ? 'read' : role;
}

function collaborator({ core }: RepositoryCall, user: User, role: Role) {
  return { ...simpleUser(core, user), permissions: permissionsOf(role), role_name: role };
}

/** Reading the roles of others takes push access. */
const pushers = (call: RepositoryCall) =>
  authorize(call.core, call.identity, call.repository, { role: 'write', scopes: ['metadata:read'] });

function named(call: RepositoryCall): User {
  return found(findUser(call.core, call.params['username'] ?? ''));
}

const admin: Need = { role: 'admin', scopes: ['administration:write'] };

export const repositoryRoutes = [
  read('', ['metadata:read'], ({ core, repository, role }) => ok(fullRepository(core, repository, role))),
  write('PATCH', '', admin, async call => {
    const { name, visibility, ...input } = parse(call, 'Repository', change);
    if (name !== undefined && name !== call.repository.name)
      throw invalid('Repository', 'The forge does not rename repositories', 'name');
    const hidden = visibility === undefined ? input.private : visibility === 'private';
    const changed = await changeRepository(call, { ...input, private: hidden });
    return ok(fullRepository(call.core, changed, call.role));
  }),
  route('GET', '/user/repos', call => {
    const { identity, core } = call;
    if (identity.kind !== 'user') throw notFound();
    const { id } = identity.user;
    const mine = allRepositories(core).filter(
      repository => repository.owner_id === id || isCollaborator(core, repository, id),
    );
    return pageOfAll(call, mine, each => repositoryJson(core, each, roleOf(core, each, id)));
  }),
  read('/collaborators', ['metadata:read'], call => {
    pushers(call);
    return pageOfAll(call, collaboratorsOf(call.core, call.repository), user =>
      collaborator(call, user, roleOf(call.core, call.repository, user.id)),
    );
  }),
  read('/collaborators/{username}/permission', ['metadata:read'], call => {
    pushers(call);
    const user = named(call);
    const role = roleOf(call.core, call.repository, user.id);
    return ok({ permission: coarse(role), role_name: role, user: collaborator(call, user, role) });
  }),
];
