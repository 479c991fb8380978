// Commits that the forge vouches for, as GitHub signs those of its own API.
import type { Core } from '../core.ts';
import type { Repository } from './repositories.ts';

export const isSigned = (core: Core, { id }: Repository, sha: string): boolean =>
  core.db.count('signed_commits WHERE repository_id = ? AND sha = ?', id, sha) > 0;

/** The same content at the same second is the same commit. */
export const signCommit = (core: Core, { id }: Repository, sha: string): void =>
  void core.db.ensure('signed_commits', { repository_id: id, sha });
