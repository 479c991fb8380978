// Looks at a repository's settings with the person's own login: what `echelon init` checks before it writes and what
// `echelon doctor` reports.
import { sharedWait, systemClock } from '@echelon/ground';
import { caller, type Place, type SetUp, setUpOf, tokenClient } from '../../app/set-up.ts';
import { filled } from '../settings.ts';
import type { Enterprise } from './init/look.ts';
import { run } from './init/programs.ts';

export const newCaller = () => caller(systemClock, sharedWait(systemClock));

/**
 * `token`: GITHUB_TOKEN, or the login of gh; undefined: neither. `gh`: GitHub's command line is there and logged in.
 * `gh auth status` would fail for a stale login on any other server. GITHUB_TOKEN is of github.com, and a clone may come
 * from anywhere: another server gets GITHUB_ENTERPRISE_TOKEN, as from gh, where GITHUB_API_URL does not name the API.
 */
export async function personsLogin(
  enterprise: Enterprise | undefined,
): Promise<{ token: string | undefined; gh: boolean }> {
  const host = enterprise?.host ?? 'github.com';
  const { code, out } = await run('gh', ['auth', 'token', '--hostname', host], { cwd: process.cwd() });
  const isOther = enterprise?.kind === 'server' && !filled(process.env['GITHUB_API_URL']);
  const own = process.env[isOther ? 'GITHUB_ENTERPRISE_TOKEN' : 'GITHUB_TOKEN'];
  return { token: filled(own) ?? filled(out), gh: code === 0 };
}

/** `token` undefined: what everybody may see, 60 calls an hour. */
export function lookAtRepository(
  place: Place,
  token: string | undefined,
  enterprise: Enterprise | undefined,
): SetUp {
  return setUpOf(tokenClient(token, apiOf(enterprise)), newCaller(), place);
}

/** Base URL of the REST API. */
export const apiOf = (enterprise: Enterprise | undefined): string =>
  filled(process.env['GITHUB_API_URL']) ?? enterprise?.api ?? 'https://api.github.com';
