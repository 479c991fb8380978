// Changes what a repository says of itself, who sees it, and which branch is its default.
import { now } from '../core.ts';
import type { Access } from '../auth.ts';
import { invalid } from '../errors.ts';
import { git, repositoryFolder } from '../git.ts';
import { getRepository, type Repository } from '../store/repositories.ts';
import { emit } from './emit.ts';
import { branchHead } from './pulls.ts';

export interface RepositoryChange {
  description?: string | null | undefined;
  homepage?: string | null | undefined;
  private?: boolean | undefined;
  has_issues?: boolean | undefined;
  default_branch?: string | undefined;
}

/** 422 for a default branch that is not there. */
export async function changeRepository(
  { core, by, repository }: Access,
  input: RepositoryChange,
): Promise<Repository> {
  const next = {
    description: input.description === undefined ? repository.description : input.description,
    homepage: input.homepage === undefined ? repository.homepage : input.homepage,
    private: Number(input.private ?? repository.private),
    has_issues: Number(input.has_issues ?? repository.has_issues),
    default_branch: input.default_branch ?? repository.default_branch,
  };
  const { default_branch: branch, ...rest } = next;
  const before = { ...repository };
  if (branch !== before.default_branch && branchHead(core, repository, branch) === undefined)
    throw invalid(
      'Repository',
      `The branch ${branch} was not found. Please push that ref first or create it via the Git Data API.`,
      'default_branch',
    );
  core.db.update('repositories', repository.id, { ...rest, default_branch: branch, updated_at: now(core) });
  if (branch !== before.default_branch)
    await git(repositoryFolder(core, repository), ['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  const changed = getRepository(core, repository.id);
  const texts = (['description', 'homepage', 'default_branch'] as const).filter(
    name => next[name] !== before[name],
  );
  if (texts.length > 0)
    emit(core, by, changed, 'repository', 'edited', () => ({
      changes: Object.fromEntries(texts.map(name => [name, { from: before[name] }])),
    }));
  if (next.private !== before.private)
    emit(core, by, changed, 'repository', next.private ? 'privatized' : 'publicized', () => ({}));
  return changed;
}
