// What a field of the schema is handed besides its arguments: who asks, and the way to what lies elsewhere.
import type { Identity } from '../auth.ts';
import type { Core } from '../core.ts';
import type { Issue } from '../store/issues.ts';
import type { Repository } from '../store/repositories.ts';

export interface Asked {
  core: Core;
  identity: Identity;
  /** The database id of who asks; undefined for an app without an installation. */
  viewer: number | undefined;
  /** Throws a refusal in GraphQL's words where the caller may not read this of the repository; scopes as in Need. */
  mayRead(repository: Repository, scopes: string[]): void;
  repository(repository: Repository): object;
  /** An issue or a pull request; null where the caller may not know its repository. */
  thread(issue: Issue): object | null;
}

/** What a repository is like, whoever is let into it may read. */
export const repositoryScopes: string[] = [];
export const issueScopes = ['issues:read', 'pull_requests:read'];
export const pullScopes = ['pull_requests:read'];
