// Permissions of a job's token: as written, as granted by the caller, and by default.
import { fieldsOf, textOf, type Written } from './written.ts';

/** Scope in the words of workflow files (`pull-requests`) -> what is allowed; `none` is left out. */
export type Permissions = Readonly<Record<string, 'read' | 'write'>>;

/** A repository's default for workflows that say nothing: GitHub's restricted one. */
export const defaultPermissions: Permissions = { contents: 'read', packages: 'read' };

/** Scopes that `read-all` and `write-all` mean. https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#permissions */
const scopes = [
  'actions',
  'attestations',
  'checks',
  'contents',
  'deployments',
  'discussions',
  'issues',
  'packages',
  'pages',
  'pull-requests',
  'repository-projects',
  'security-events',
  'statuses',
];

const allAt = (level: 'read' | 'write'): Permissions =>
  Object.fromEntries(scopes.map(scope => [scope, level]));

/** The other default that a repository may have. */
export const writeAll = allAt('write');

/** The permissions that a `permissions` key says. */
export function readPermissions(written: Written): Permissions {
  const all = /^(read|write)-all$/.exec(textOf(written))?.[1];
  if (all === 'read' || all === 'write') return allAt(all);
  const said: Record<string, 'read' | 'write'> = {};
  for (const [scope, { value }] of fieldsOf(written)) {
    const level = textOf(value);
    if (level === 'read' || level === 'write') said[scope] = level;
  }
  return said;
}

/** Permissions of `asked` beyond `granted`, in GitHub's words; undefined if there are none. */
export function excessOf(asked: Permissions, granted: Permissions): string | undefined {
  const beyond = Object.entries(asked).filter(
    ([scope, level]) => granted[scope] !== 'write' && granted[scope] !== level,
  );
  if (beyond.length === 0) return undefined;
  const list = (levels: [string, string][]) =>
    levels.map(([scope, level]) => `${scope}: ${level}`).join(', ');
  return `is requesting '${list(beyond)}', but is only allowed '${list(
    beyond.map(([scope]) => [scope, granted[scope] ?? 'none']),
  )}'`;
}
