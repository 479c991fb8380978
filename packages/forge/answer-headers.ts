// Headers by which GitHub's clients tell answers apart: entity tags, the request's id, the permissions that a route takes.
import { createHash, randomBytes } from 'node:crypto';
import type { Identity } from './auth.ts';
import type { Answer, Route } from './route.ts';

/** GitHub's form: five hexadecimal numbers. */
export const requestId = (): string => {
  const hex = randomBytes(16).toString('hex').toUpperCase();
  return [hex.slice(0, 4), hex.slice(4, 10), hex.slice(10, 16), hex.slice(16, 22), hex.slice(22, 30)].join(
    ':',
  );
};

/** `issues=write; pull_requests=write`: for callers whose permissions are named one by one. */
export function acceptedPermissions(identity: Identity, route: Route | undefined): Record<string, string> {
  if (identity.kind !== 'installation' || !route || route.scopes.length === 0) return {};
  const sets = route.scopes.map(scope => scope.replace(':', '='));
  return { 'x-accepted-github-permissions': sets.join('; ') };
}

/** A read with its entity tag, or 304 for a caller that has it already. */
export function tagged(method: string, answer: Answer, known: string | undefined): Answer {
  if ((method !== 'GET' && method !== 'HEAD') || answer.status !== 200 || answer.body === undefined)
    return answer;
  const content =
    answer.body instanceof Uint8Array || typeof answer.body === 'string'
      ? answer.body
      : JSON.stringify(answer.body);
  const tag = `"${createHash('sha256').update(content).digest('hex')}"`;
  const headers = {
    ...answer.headers,
    etag: `W/${tag}`,
    'cache-control': 'private, max-age=60, s-maxage=60',
  };
  return known?.includes(tag) ? { status: 304, headers } : { ...answer, headers };
}
