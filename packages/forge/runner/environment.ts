// The environment of a step's process: what the workflow says, under what the runner says, and nothing of the forge's.
import { isObject } from '@echelon/ground';
import type { Scope } from '../actions/expressions.ts';
import { type JobState, runnerOf } from './job-state.ts';
import { trackingVariable } from './process.ts';

/** Members of the context `github` that are variables of every step, as in GitHub's runner. */
const variables = new Set([
  ...['action', 'action_path', 'action_ref', 'action_repository', 'actor', 'actor_id', 'api_url', 'base_ref'],
  ...[
    'event_name',
    'event_path',
    'graphql_url',
    'head_ref',
    'job',
    'ref',
    'ref_name',
    'ref_protected',
    'ref_type',
  ],
  ...[
    'repository',
    'repository_id',
    'repository_owner',
    'repository_owner_id',
    'retention_days',
    'run_attempt',
  ],
  ...[
    'run_id',
    'run_number',
    'server_url',
    'sha',
    'triggering_actor',
    'workflow',
    'workflow_ref',
    'workflow_sha',
  ],
  'workspace',
]);

/**
 * The whole environment of a step's process. Of the forge's own process it holds PATH alone; what the runner says
 * (GITHUB_*, RUNNER_*) stands above what steps and workflow say.
 */
export function environmentOf(
  state: JobState,
  { contexts }: Scope,
  files: Record<string, string>,
): Record<string, string> {
  const { env, github } = contexts;
  const given = isObject(env) ? env : {};
  const said = Object.entries(isObject(github) ? github : {}).filter(
    ([name, value]) => variables.has(name) && value !== null && typeof value !== 'object',
  );
  const all: Record<string, string> = {
    ...state.host.env,
    HOME: state.folders.home,
    LANG: 'C.UTF-8',
    TMPDIR: state.folders.scratch,
    CI: 'true',
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)])),
    GITHUB_ACTIONS: 'true',
    ...Object.fromEntries(said.map(([name, value]) => [`GITHUB_${name.toUpperCase()}`, String(value)])),
    ...Object.fromEntries(
      Object.entries(runnerOf(state)).map(([name, value]) => [`RUNNER_${name.toUpperCase()}`, value]),
    ),
    ...files,
    [trackingVariable]: state.mark,
  };
  all['PATH'] = [...state.path, state.folders.programs, all['PATH'] ?? state.host.path].join(':');
  return all;
}
