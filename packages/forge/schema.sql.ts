// The tables of the forge. Times are GitHub's text form in whole seconds, flags are 0 or 1. A file made before a column
// came in gets it when it is opened, so a new column may be null or has a default.

/** Ids begin far apart, so that taking a number for an id, or one kind's id for another's, finds nothing. */
const firstIds = {
  users: 1_000_000,
  apps: 2_000_000,
  installations: 3_000_000,
  repositories: 10_000_000,
  labels: 20_000_000,
  issues: 1_000_000_000,
  comments: 2_000_000_000,
  pulls: 3_000_000_000,
  reviews: 4_000_000_000,
  review_comments: 5_000_000_000,
  issue_events: 6_000_000_000,
  reactions: 70_000_000,
  check_runs: 8_000_000_000,
  check_suites: 9_000_000_000,
  statuses: 80_000_000,
  workflows: 30_000_000,
  workflow_runs: 11_000_000_000,
  jobs: 12_000_000_000,
  deliveries: 13_000_000_000,
  artifacts: 14_000_000_000,
};

const tables = `
CREATE TABLE IF NOT EXISTS users (
  id INTEGER PRIMARY KEY AUTOINCREMENT, login TEXT NOT NULL COLLATE NOCASE UNIQUE, type TEXT NOT NULL,
  name TEXT, token TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS apps (
  id INTEGER PRIMARY KEY AUTOINCREMENT, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, client_id TEXT NOT NULL UNIQUE,
  bot_id INTEGER NOT NULL REFERENCES users, private_key TEXT NOT NULL, public_key TEXT NOT NULL,
  webhook_url TEXT NOT NULL, webhook_secret TEXT NOT NULL, events TEXT NOT NULL, permissions TEXT NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS installations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, app_id INTEGER NOT NULL REFERENCES apps, account_id INTEGER NOT NULL REFERENCES users,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, UNIQUE (app_id, account_id));
CREATE TABLE IF NOT EXISTS installation_repositories (
  installation_id INTEGER NOT NULL REFERENCES installations, repository_id INTEGER NOT NULL REFERENCES repositories,
  PRIMARY KEY (installation_id, repository_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS manifest_codes (
  code TEXT PRIMARY KEY, app_id INTEGER NOT NULL REFERENCES apps, expires_at TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS installation_tokens (
  token TEXT PRIMARY KEY, installation_id INTEGER NOT NULL REFERENCES installations, expires_at TEXT NOT NULL,
  permissions TEXT NOT NULL, repository_ids TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS repositories (
  id INTEGER PRIMARY KEY AUTOINCREMENT, owner_id INTEGER NOT NULL REFERENCES users, name TEXT NOT NULL COLLATE NOCASE,
  private INTEGER NOT NULL, default_branch TEXT NOT NULL, last_number INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, pushed_at TEXT NOT NULL,
  actions_enabled INTEGER NOT NULL DEFAULT 1, actions_open_pulls INTEGER NOT NULL DEFAULT 1,
  actions_write INTEGER NOT NULL DEFAULT 0, actions_pinned INTEGER NOT NULL DEFAULT 0,
  allowed_actions TEXT NOT NULL DEFAULT 'all',
  selected_actions TEXT NOT NULL DEFAULT '{"github_owned_allowed":true,"verified_allowed":false,"patterns_allowed":[]}',
  rulesets TEXT NOT NULL DEFAULT '[]', fork INTEGER NOT NULL DEFAULT 0, has_issues INTEGER NOT NULL DEFAULT 1,
  description TEXT, homepage TEXT, UNIQUE (owner_id, name));
CREATE TABLE IF NOT EXISTS collaborators (
  repository_id INTEGER NOT NULL REFERENCES repositories, user_id INTEGER NOT NULL REFERENCES users, role TEXT NOT NULL,
  PRIMARY KEY (repository_id, user_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS refs (
  repository_id INTEGER NOT NULL REFERENCES repositories, name TEXT NOT NULL, sha TEXT NOT NULL,
  PRIMARY KEY (repository_id, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS signed_commits (
  repository_id INTEGER NOT NULL REFERENCES repositories, sha TEXT NOT NULL, PRIMARY KEY (repository_id, sha)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS labels (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repository_id INTEGER NOT NULL REFERENCES repositories,
  name TEXT NOT NULL COLLATE NOCASE, color TEXT NOT NULL, description TEXT, is_default INTEGER NOT NULL DEFAULT 0,
  UNIQUE (repository_id, name));
CREATE TABLE IF NOT EXISTS issues (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repository_id INTEGER NOT NULL REFERENCES repositories, number INTEGER NOT NULL,
  is_pull INTEGER NOT NULL DEFAULT 0, title TEXT NOT NULL, body TEXT, state TEXT NOT NULL, state_reason TEXT,
  author_id INTEGER NOT NULL REFERENCES users, app_id INTEGER REFERENCES apps, locked INTEGER NOT NULL DEFAULT 0,
  lock_reason TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, closed_at TEXT,
  closed_by INTEGER REFERENCES users, edited_at TEXT, editor_id INTEGER REFERENCES users,
  UNIQUE (repository_id, number));
CREATE TABLE IF NOT EXISTS issue_labels (
  issue_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE, label_id INTEGER NOT NULL REFERENCES labels ON DELETE CASCADE,
  PRIMARY KEY (issue_id, label_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS assignees (
  issue_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE, user_id INTEGER NOT NULL REFERENCES users,
  PRIMARY KEY (issue_id, user_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sub_issues (
  child_id INTEGER PRIMARY KEY REFERENCES issues ON DELETE CASCADE, parent_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE,
  position INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS sub_issues_of ON sub_issues (parent_id, position);
CREATE TABLE IF NOT EXISTS issue_dependencies (
  issue_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE, blocker_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE,
  PRIMARY KEY (issue_id, blocker_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT, issue_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE,
  author_id INTEGER NOT NULL REFERENCES users, app_id INTEGER REFERENCES apps, body TEXT NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, edited_at TEXT, editor_id INTEGER REFERENCES users,
  minimized_reason TEXT);
CREATE INDEX IF NOT EXISTS comments_of ON comments (issue_id, id);
CREATE TABLE IF NOT EXISTS edits (
  id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, subject_id INTEGER NOT NULL,
  editor_id INTEGER NOT NULL REFERENCES users, edited_at TEXT NOT NULL, body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS edits_of ON edits (kind, subject_id, id);
CREATE TABLE IF NOT EXISTS reactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, subject_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users, content TEXT NOT NULL, created_at TEXT NOT NULL,
  UNIQUE (kind, subject_id, user_id, content));
CREATE TABLE IF NOT EXISTS issue_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT, issue_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE,
  actor_id INTEGER NOT NULL REFERENCES users, app_id INTEGER REFERENCES apps, event TEXT NOT NULL,
  commit_id TEXT, detail TEXT NOT NULL, created_at TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS issue_events_of ON issue_events (issue_id, id);
CREATE TABLE IF NOT EXISTS pulls (
  id INTEGER PRIMARY KEY AUTOINCREMENT, issue_id INTEGER NOT NULL UNIQUE REFERENCES issues ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories, head_ref TEXT NOT NULL, head_sha TEXT NOT NULL,
  base_ref TEXT NOT NULL, base_sha TEXT NOT NULL, draft INTEGER NOT NULL, commits INTEGER NOT NULL,
  additions INTEGER NOT NULL, deletions INTEGER NOT NULL, changed_files INTEGER NOT NULL, merged_at TEXT,
  merged_by INTEGER REFERENCES users, merge_sha TEXT);
CREATE INDEX IF NOT EXISTS pulls_of ON pulls (repository_id, head_ref);
CREATE TABLE IF NOT EXISTS review_requests (
  pull_id INTEGER NOT NULL REFERENCES pulls ON DELETE CASCADE, user_id INTEGER NOT NULL REFERENCES users,
  PRIMARY KEY (pull_id, user_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reviews (
  id INTEGER PRIMARY KEY AUTOINCREMENT, pull_id INTEGER NOT NULL REFERENCES pulls ON DELETE CASCADE,
  author_id INTEGER NOT NULL REFERENCES users, state TEXT NOT NULL, body TEXT NOT NULL, commit_id TEXT NOT NULL,
  submitted_at TEXT, minimized_reason TEXT);
CREATE TABLE IF NOT EXISTS review_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT, pull_id INTEGER NOT NULL REFERENCES pulls ON DELETE CASCADE,
  review_id INTEGER NOT NULL REFERENCES reviews, author_id INTEGER NOT NULL REFERENCES users, body TEXT NOT NULL,
  path TEXT NOT NULL, line INTEGER, start_line INTEGER, side TEXT NOT NULL, diff_hunk TEXT NOT NULL, position INTEGER,
  subject_type TEXT NOT NULL, commit_id TEXT NOT NULL, reply_to INTEGER REFERENCES review_comments,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, resolved_by INTEGER, original_line INTEGER,
  original_start_line INTEGER, original_commit_id TEXT, minimized_reason TEXT);
CREATE TABLE IF NOT EXISTS check_suites (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repository_id INTEGER NOT NULL REFERENCES repositories, app_id INTEGER NOT NULL,
  head_sha TEXT NOT NULL, UNIQUE (repository_id, app_id, head_sha));
CREATE TABLE IF NOT EXISTS check_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repository_id INTEGER NOT NULL REFERENCES repositories, app_id INTEGER NOT NULL REFERENCES apps,
  suite_id INTEGER NOT NULL REFERENCES check_suites, name TEXT NOT NULL, head_sha TEXT NOT NULL, external_id TEXT NOT NULL,
  details_url TEXT NOT NULL, status TEXT NOT NULL, conclusion TEXT, started_at TEXT, completed_at TEXT,
  title TEXT, summary TEXT, text TEXT, annotations TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS check_runs_of ON check_runs (repository_id, head_sha);
CREATE TABLE IF NOT EXISTS statuses (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repository_id INTEGER NOT NULL REFERENCES repositories, sha TEXT NOT NULL,
  state TEXT NOT NULL, context TEXT NOT NULL, description TEXT, target_url TEXT,
  creator_id INTEGER NOT NULL REFERENCES users, created_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS workflows (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repository_id INTEGER NOT NULL REFERENCES repositories, path TEXT NOT NULL,
  name TEXT NOT NULL, state TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, UNIQUE (repository_id, path));
CREATE TABLE IF NOT EXISTS workflow_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repository_id INTEGER NOT NULL REFERENCES repositories,
  workflow_id INTEGER NOT NULL REFERENCES workflows, run_number INTEGER NOT NULL, event TEXT NOT NULL, status TEXT NOT NULL,
  conclusion TEXT, head_branch TEXT, head_sha TEXT NOT NULL, inputs TEXT NOT NULL, actor_id INTEGER NOT NULL REFERENCES users,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, attempt INTEGER NOT NULL DEFAULT 1,
  title TEXT NOT NULL DEFAULT '', ref TEXT NOT NULL DEFAULT '', sha TEXT NOT NULL DEFAULT '',
  payload TEXT NOT NULL DEFAULT '{}', triggering_actor_id INTEGER, started_at TEXT, rerun TEXT NOT NULL DEFAULT 'all',
  reference_list TEXT NOT NULL DEFAULT '[]', cancel_requested INTEGER NOT NULL DEFAULT 0, message TEXT);
CREATE TABLE IF NOT EXISTS jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT, run_id INTEGER NOT NULL REFERENCES workflow_runs, name TEXT NOT NULL,
  status TEXT NOT NULL, conclusion TEXT, labels TEXT NOT NULL, steps TEXT NOT NULL, created_at TEXT NOT NULL,
  started_at TEXT NOT NULL, completed_at TEXT, attempt INTEGER NOT NULL DEFAULT 1, key TEXT NOT NULL DEFAULT '',
  outputs TEXT NOT NULL DEFAULT '{}', message TEXT);
CREATE TABLE IF NOT EXISTS triggers (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repository_id INTEGER NOT NULL REFERENCES repositories, event TEXT NOT NULL,
  payload TEXT NOT NULL, actor_id INTEGER NOT NULL REFERENCES users, problem TEXT,
  awaits_approval INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS action_values (
  repository_id INTEGER NOT NULL REFERENCES repositories, kind TEXT NOT NULL, name TEXT NOT NULL COLLATE NOCASE,
  value TEXT NOT NULL, created_at TEXT NOT NULL DEFAULT '1970-01-01T00:00:00Z',
  updated_at TEXT NOT NULL DEFAULT '1970-01-01T00:00:00Z', PRIMARY KEY (repository_id, kind, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS secret_keys (
  repository_id INTEGER PRIMARY KEY REFERENCES repositories, id TEXT NOT NULL, public_key TEXT NOT NULL,
  private_key TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS artifacts (
  id INTEGER PRIMARY KEY AUTOINCREMENT, run_id INTEGER NOT NULL REFERENCES workflow_runs, attempt INTEGER NOT NULL,
  name TEXT NOT NULL, size INTEGER NOT NULL, digest TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT NOT NULL,
  UNIQUE (run_id, attempt, name));
CREATE TABLE IF NOT EXISTS job_notes (
  job_id INTEGER PRIMARY KEY REFERENCES jobs, notes TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT, app_id INTEGER NOT NULL REFERENCES apps, guid TEXT NOT NULL,
  event TEXT NOT NULL, action TEXT, installation_id INTEGER, repository_id INTEGER, payload TEXT NOT NULL,
  redelivery INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL, queued_at TEXT NOT NULL, delivered_at TEXT,
  duration REAL, status TEXT, status_code INTEGER, request_headers TEXT, response_headers TEXT, response_body TEXT);
CREATE INDEX IF NOT EXISTS deliveries_waiting ON deliveries (id) WHERE state = 'queued';
`;

const sequences = Object.entries(firstIds)
  .map(
    ([table, first]) =>
      `INSERT INTO sqlite_sequence (name, seq) SELECT '${table}', ${first}
       WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = '${table}');`,
  )
  .join('\n');

export const schema = `${tables}\n${sequences}`;
