// Check runs, made by apps.
import { z } from 'zod';
import { present } from '@echelon/ground';
import type { Need } from '../auth.ts';
import { emit } from '../emit.ts';
import { now, timestamp } from '../core.ts';
import type { Row } from '../database.ts';
import { ApiError, forbidden, notFound } from '../errors.ts';
import { resolveCommit } from '../repositories/git.ts';
import { pageOf } from '../page.ts';
import { checkRunJson, type CheckRun, checkRunsOf, emitSuite, latestCheckRuns, suiteOf } from './checks.ts';
import {
  type Answer,
  created,
  parse,
  type RepositoryCall,
  type Route,
  read,
  type WriteCall,
  write,
} from '../route.ts';
import { commitOf } from '../repositories/commit-routes.ts';

const checksRead = ['checks:read'];
const checker: Need = { role: 'read', scopes: ['checks:write'] };

/** GitHub's limits: annotations in one request, characters of summary and text. */
const mostAnnotations = 50;
const longestOutput = 65_535;

const conclusions = z.enum([
  'success',
  'failure',
  'neutral',
  'cancelled',
  'skipped',
  'timed_out',
  'action_required',
]);
const time = z.iso.datetime({ offset: true }).transform(text => timestamp(Date.parse(text)));
const fields = z.object({
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  conclusion: conclusions.optional(),
  details_url: z.string().optional(),
  external_id: z.string().optional(),
  started_at: time.optional(),
  completed_at: time.optional(),
  output: z
    .object({
      title: z.string().optional(),
      summary: z.string().max(longestOutput),
      text: z.string().max(longestOutput).optional(),
      annotations: z
        .array(z.looseObject({ path: z.string() }))
        .max(mostAnnotations)
        .optional(),
    })
    .optional(),
});
const newRun = fields.extend({ name: z.string().min(1), head_sha: z.string() });

/** Only an app makes check runs. */
function appOf(call: WriteCall) {
  if (!call.by.app) throw forbidden('You must authenticate via a GitHub App.');
  return call.by.app;
}

function columns(call: WriteCall, { output, ...input }: z.infer<typeof fields>): Row {
  const completed = input.conclusion !== undefined || input.status === 'completed';
  if (completed && input.conclusion === undefined)
    throw new ApiError(422, 'Invalid request.\n\n"conclusion" wasn\'t supplied.');
  const { annotations = [], ...shown } = output ?? {};
  const given = Object.entries({
    ...input,
    ...shown,
    ...(completed && { status: 'completed', completed_at: input.completed_at ?? now(call.core) }),
    annotations: JSON.stringify(annotations),
  });
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

const findRun = (call: RepositoryCall, id: number): CheckRun | undefined =>
  call.core.db.find<CheckRun>('check_runs', { repository_id: call.repository.id, id });

function announce(call: WriteCall, id: number, action: string): ReturnType<typeof checkRunJson> {
  const run = present(findRun(call, id), 'the check run');
  emit(call, 'check_run', action, core => ({
    check_run: checkRunJson(core, call.repository, run),
  }));
  if (action === 'completed') emitSuite(call, { ...run, id: run.suite_id });
  return checkRunJson(call.core, call.repository, run);
}

async function createRun(call: WriteCall): Promise<Answer> {
  const app = appOf(call);
  const { name, head_sha, ...input } = parse(call, 'CheckRun', newRun);
  const known = /^[\da-f]{40}$/.test(head_sha) ? await resolveCommit(call.folder, head_sha) : undefined;
  if (known === undefined) throw new ApiError(422, `No commit found for SHA: ${head_sha}`);
  const id = call.core.db.insert('check_runs', {
    repository_id: call.repository.id,
    app_id: app.id,
    suite_id: suiteOf(call.core, call.repository.id, app.id, head_sha),
    name,
    head_sha,
    external_id: '',
    details_url: '',
    status: 'queued',
    started_at: now(call.core),
    ...columns(call, input),
  });
  const json = announce(call, id, 'created');
  if (json.status === 'completed') announce(call, id, 'completed');
  return created(json);
}

/** The commit that the path's `ref` names; 422 when there is none. */
export async function commitNamed(call: RepositoryCall): Promise<string> {
  const revision = call.params['ref'] ?? '';
  const sha = await commitOf(call, revision);
  if (sha === undefined) throw new ApiError(422, `No commit found for SHA: ${revision}`);
  return sha;
}

async function listRuns(call: RepositoryCall): Promise<Answer> {
  const sha = await commitNamed(call);
  const { query } = call;
  // The newest of each name and app, unless all are asked for.
  const list = query.get('filter') === 'all' ? checkRunsOf : latestCheckRuns;
  const chosen = list(call.core, call.repository.id, sha).filter(
    run =>
      (!query.has('check_name') || run.name === query.get('check_name')) &&
      (!query.has('status') || run.status === query.get('status')) &&
      (!query.has('app_id') || run.app_id === Number(query.get('app_id'))),
  );
  return pageOf(
    call,
    chosen.map(run => checkRunJson(call.core, call.repository, run)),
    check_runs => ({ total_count: chosen.length, check_runs }),
  );
}

export const checkRoutes: Route[] = [
  write('POST', '/check-runs', checker, createRun),
  read('/check-runs/{check_run_id}/annotations', checksRead, call => {
    const run = findRun(call, Number(call.params['check_run_id']));
    if (!run) throw notFound();
    return pageOf(call, JSON.parse(run.annotations));
  }),
  read('/commits/{ref}/check-runs', checksRead, listRuns),
];
