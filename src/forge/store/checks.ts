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
