// Commit statuses, one by one and combined.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { now } from '../core.ts';
import { ApiError } from '../errors.ts';
import { resolveCommit } from '../repositories/git.ts';
import { page, pageOf } from '../page.ts';
import { statusJson, latestStatuses, statusesOf } from './checks.ts';
import { repositoryJson, repositoryUrl } from '../repositories/repository-json.ts';
import { type Answer, created, parse, type RepositoryCall, type Route, read, write } from '../route.ts';
import { commitNamed } from './check-routes.ts';

const statusesRead = ['statuses:read'];
const stater: Need = { role: 'write', scopes: ['statuses:write'] };

const newStatus = z.object({
  state: z.enum(['error', 'failure', 'pending', 'success']),
  context: z.string().default('default'),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

async function combined(call: RepositoryCall): Promise<Answer> {
  const { core, repository } = call;
  const sha = await commitNamed(call);
  const newest = latestStatuses(core, repository.id, sha);
  const has = (...states: string[]) => newest.some(status => states.includes(status.state));
  const state = has('error', 'failure')
    ? 'failure'
    : newest.length === 0 || has('pending')
      ? 'pending'
      : 'success';
  const url = `${repositoryUrl(core, repository)}/commits/${sha}`;
  return pageOf(
    call,
    newest.map(status => statusJson(core, repository, status)),
    statuses => ({
      state,
      statuses,
      sha,
      total_count: newest.length,
      repository: repositoryJson(core, repository),
      commit_url: url,
      url: `${url}/status`,
    }),
  );
}

export const statusRoutes: Route[] = [
  write('POST', '/statuses/{sha}', stater, async call => {
    const { core, repository } = call;
    const input = parse(call, 'Status', newStatus);
    const sha = call.params['sha'] ?? '';
    if (!/^[\da-f]{40}$/.test(sha) || !(await resolveCommit(call.folder, sha)))
      throw new ApiError(422, `No commit found for SHA: ${sha}`);
    const row = {
      ...input,
      description: input.description ?? null,
      target_url: input.target_url ?? null,
      repository_id: repository.id,
      sha,
      creator_id: call.by.user.id,
      created_at: now(core),
    };
    return created(statusJson(core, repository, { ...row, id: core.db.insert('statuses', row) }));
  }),
  read('/commits/{ref}/statuses', statusesRead, async call => {
    const all = statusesOf(call.core, call.repository.id, await commitNamed(call));
    return page(call, all.length, (limit, offset) =>
      all.slice(offset, offset + limit).map(status => statusJson(call.core, call.repository, status)),
    );
  }),
  read('/commits/{ref}/status', statusesRead, combined),
];
