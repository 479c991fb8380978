// The actions and reusable workflows that a run uses, against those that a repository allows.
// https://docs.github.com/rest/actions/permissions#get-allowed-actions-and-reusable-workflows-for-a-repository
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Selected {
  github_owned_allowed?: boolean;
  verified_allowed?: boolean;
  patterns_allowed?: string[];
}

const workflows = join(import.meta.dirname, '../../../../.github/workflows');
/** These run in this project only. */
const ownOnly = new Set(['ci.yml', 'release.yml']);

/**
 * Full names of the actions that a release's workflows use. `release` is `owner/name@commit`, which replaces `$/`. The
 * calling repository's policy applies to all of them. `identity`: in the form that `byIdentity` makes.
 */
export function usedActions(release: string, identity: boolean): string[] {
  const [name = '', ref = ''] = release.split(/@(.*)/s);
  const uses = globSync('*.yml', { cwd: workflows })
    .filter(file => !ownOnly.has(file) && (identity || !file.includes('-identity')))
    .flatMap(file => [...readFileSync(join(workflows, file), 'utf8').matchAll(/\buses: (\S+)/g)])
    .map(([, used = '']) => (used.startsWith('$') ? `${used.replace('$', () => name)}@${ref}` : used));
  return [
    ...new Set([`${name}/.github/workflows/run${identity ? '-identity' : ''}.yml@${ref}`, ...uses]),
  ].sort();
}

/** Those of `used` that a repository of `owner` does not allow. */
export function refused(used: readonly string[], owner: string, allowed: Selected): string[] {
  const patterns = allowed.patterns_allowed ?? [];
  const bans = patterns.filter(each => each.startsWith('!')).map(each => matching(each.slice(1)));
  const permits = [
    `${owner}/*`,
    ...(allowed.github_owned_allowed ? ['actions/*', 'github/*'] : []),
    ...patterns.filter(each => !each.startsWith('!')),
  ].map(matching);
  return used.filter(each => bans.some(ban => ban.test(each)) || !permits.some(permit => permit.test(each)));
}

/** The arguments of `gh api --method PUT .../selected-actions` that allow `more` too: a PUT replaces the whole. */
export function allowing(more: readonly string[], allowed: Selected): string[] {
  // GitHub's own actions come by one switch; of another owner's repository all files and versions.
  const isGitHubs = (each: string) => /^(actions|github)\//.test(each);
  const patterns = more
    .filter(each => !isGitHubs(each))
    .map(each => each.replace(/^([^/]+\/[^/@]+).*$/s, '$1/*'));
  const all = new Set([...(allowed.patterns_allowed ?? []), ...patterns]);
  return [
    ...['-F', `github_owned_allowed=${allowed.github_owned_allowed === true || more.some(isGitHubs)}`],
    ...['-F', `verified_allowed=${allowed.verified_allowed === true}`],
    ...Array.from(all, pattern => ['-f', `patterns_allowed[]=${pattern}`]).flat(),
  ];
}

/** `*` stands for any text. */
const matching = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 'is');
