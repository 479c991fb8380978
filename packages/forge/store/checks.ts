// Check runs and commit statuses.
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
  core.db.run(
    'INSERT INTO check_suites (repository_id, app_id, head_sha) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    repositoryId,
    appId,
    sha,
  );
  return core.db.the<{ id: number }>(
    'SELECT id FROM check_suites WHERE repository_id = ? AND app_id = ? AND head_sha = ?',
    repositoryId,
    appId,
    sha,
  ).id;
}

/** The check runs of a commit, newest first. */
export const checkRunsOf = (core: Core, repositoryId: number, sha: string): CheckRun[] =>
  core.db.all<CheckRun>(
    'SELECT * FROM check_runs WHERE repository_id = ? AND head_sha = ? ORDER BY id DESC',
    repositoryId,
    sha,
  );

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
  core.db.all<Status>(
    'SELECT * FROM statuses WHERE repository_id = ? AND sha = ? ORDER BY id DESC',
    repositoryId,
    sha,
  );

/** The newest status of each context. */
export function latestStatuses(core: Core, repositoryId: number, sha: string): Status[] {
  const all = statusesOf(core, repositoryId, sha);
  return all.filter((status, index) => all.findIndex(each => each.context === status.context) === index);
}
