// Check runs and commit statuses.
import { present } from '@echelon/ground';
import type { Core } from '../core.ts';

export interface CheckRun {
  id: number;
  repository_id: number;
  app_id: number;
  suite_id: number;
  name: string;
  head_sha: string;
  external_id: string;
  details_url: string;
  status: string;
  conclusion: string | null;
  started_at: string | null;
  completed_at: string | null;
  title: string | null;
  summary: string | null;
  text: string | null;
  /** JSON array. */
  annotations: string;
}

export interface Status {
  id: number;
  repository_id: number;
  sha: string;
  state: 'error' | 'failure' | 'pending' | 'success';
  context: string;
  description: string | null;
  target_url: string | null;
  creator_id: number;
  created_at: string;
}

/** The suite that holds one app's check runs of one commit. */
export function suiteOf(core: Core, repositoryId: number, appId: number, sha: string): number {
  const row = { repository_id: repositoryId, app_id: appId, head_sha: sha };
  core.db.ensure('check_suites', row);
  return present(core.db.find<{ id: number }>('check_suites', row), 'the suite').id;
}

/** The check runs of a commit, newest first. */
export const checkRunsOf = (core: Core, repositoryId: number, sha: string): CheckRun[] =>
  core.db.rows<CheckRun>('check_runs', { repository_id: repositoryId, head_sha: sha }, 'id DESC');

/** Of each name and app the newest alone. */
export function latestCheckRuns(core: Core, repositoryId: number, sha: string): CheckRun[] {
  const seen = new Set<string>();
  return checkRunsOf(core, repositoryId, sha).filter(({ app_id, name }) => {
    const key = `${app_id} ${name}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The statuses of a commit, newest first. */
export const statusesOf = (core: Core, repositoryId: number, sha: string): Status[] =>
  core.db.rows<Status>('statuses', { repository_id: repositoryId, sha }, 'id DESC');

/** The newest status of each context. */
export function latestStatuses(core: Core, repositoryId: number, sha: string): Status[] {
  const all = statusesOf(core, repositoryId, sha);
  return all.filter((status, index) => all.findIndex(each => each.context === status.context) === index);
}
