// Pull requests (the part that an issue has not), their reviews and review comments.
import { present } from '@echelon/ground';
import type { Core } from '../core.ts';
import type { User } from '../apps/users.ts';

export interface Pull {
  id: number;
  issue_id: number;
  repository_id: number;
  /** Branch name, without refs/heads/. */
  head_ref: string;
  head_sha: string;
  base_ref: string;
  base_sha: string;
  draft: number;
  commits: number;
  additions: number;
  deletions: number;
  changed_files: number;
  merged_at: string | null;
  merged_by: number | null;
  merge_sha: string | null;
}

export interface Review {
  id: number;
  pull_id: number;
  author_id: number;
  state: 'PENDING' | 'COMMENTED' | 'APPROVED' | 'CHANGES_REQUESTED';
  body: string;
  commit_id: string;
  submitted_at: string | null;
  minimized_reason: string | null;
}

export interface ReviewComment {
  id: number;
  pull_id: number;
  review_id: number;
  author_id: number;
  body: string;
  path: string;
  /** Line in the head; null for a comment on a file, and once its lines have changed. */
  line: number | null;
  start_line: number | null;
  /** Line at the time of writing; null if the comment has never moved, or is on a file. */
  original_line: number | null;
  original_start_line: number | null;
  original_commit_id: string | null;
  side: 'LEFT' | 'RIGHT';
  diff_hunk: string;
  position: number | null;
  subject_type: 'line' | 'file';
  commit_id: string;
  reply_to: number | null;
  /** Of a thread's first comment: who resolved it. */
  resolved_by: number | null;
  minimized_reason: string | null;
  created_at: string;
  updated_at: string;
}

/** The pull request behind an issue row whose is_pull is set. */
export const getPull = (core: Core, issueId: number): Pull =>
  present(core.db.find<Pull>('pulls', { issue_id: issueId }), 'the pull request');

/** Open pull requests that a branch is the head or the base of. */
export const openPullsOn = (core: Core, repositoryId: number, branch: string): Pull[] =>
  core.db.all<Pull>(
    `SELECT p.* FROM pulls p JOIN issues i ON i.id = p.issue_id
     WHERE p.repository_id = ? AND i.state = 'open' AND (p.head_ref = ? OR p.base_ref = ?) ORDER BY p.id`,
    repositoryId,
    branch,
    branch,
  );

/** Pull requests that are over, and whose branch still stood where they left it. */
export const closedPullsFrom = (core: Core, repositoryId: number, branch: string, sha: string): Pull[] =>
  core.db.all<Pull>(
    `SELECT p.* FROM pulls p JOIN issues i ON i.id = p.issue_id
     WHERE p.repository_id = ? AND i.state = 'closed' AND p.head_ref = ? AND p.head_sha = ? ORDER BY p.id`,
    repositoryId,
    branch,
    sha,
  );

export const requestedReviewers = (core: Core, pullId: number): User[] =>
  core.db.all<User>(
    'SELECT u.* FROM users u JOIN review_requests r ON r.user_id = u.id WHERE r.pull_id = ? ORDER BY u.id',
    pullId,
  );

export const reviewsOf = (core: Core, pullId: number): Review[] =>
  core.db.rows<Review>('reviews', { pull_id: pullId });

export const reviewCommentsOf = (core: Core, pullId: number): ReviewComment[] =>
  core.db.rows<ReviewComment>('review_comments', { pull_id: pullId });
