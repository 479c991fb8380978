// A job while it is carried out: its folders, its variables, how its steps ended; and what an expression can see of it.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { arch } from 'node:os';
import { basename, join } from 'node:path';
import { isObject, type Json, type JsonObject } from '@echelon/ground';
import type { Scope, Status } from '../actions/expressions.ts';
import { markOf } from './job-folder.ts';
import type { Conclusion, PlannedJob } from '../actions/planned-job.ts';
import { writePrograms, type RunnerHost } from './runner-host.ts';

/** Of the job alone; all of them are within `job`. */
interface Folders {
  job: string;
  workspace: string;
  /** RUNNER_TEMP. */
  temp: string;
  /** TMPDIR: what programs leave there goes with the job. */
  scratch: string;
  home: string;
  /** RUNNER_TOOL_CACHE. */
  tools: string;
  /** Actions that were got for the job. */
  actions: string;
  /** The files of GITHUB_ENV and the like. */
  commands: string;
  /** Stand-ins of the runner's environment. */
  programs: string;
}

export interface JobState {
  readonly job: PlannedJob;
  readonly host: RunnerHost;
  readonly folders: Folders;
  /** Marks every process of the job. */
  readonly mark: string;
  /** Token of actions for the artifact service. It opens nothing here: the service is built in. */
  readonly runtimeToken: string;
  /** The job's variables, and those that steps added. */
  readonly env: Record<string, string>;
  /** Put before PATH, the last one first. */
  readonly path: string[];
  readonly steps: Record<
    string,
    { outputs: Record<string, string>; outcome: Conclusion; conclusion: Conclusion }
  >;
  status: 'success' | 'failure' | 'cancelled';
}

/** Makes the folders of a job. */
export async function beginJob(job: PlannedJob, host: RunnerHost): Promise<JobState> {
  const name = randomUUID();
  await mkdir(host.folder, { recursive: true, mode: 0o700 });
  const root = join(await realpath(host.folder), name);
  const repository = basename(String(githubOf(job)['repository'] ?? job.origin.repository));
  const folders: Folders = {
    job: root,
    workspace: join(root, 'work', repository, repository),
    temp: join(root, 'temp'),
    scratch: join(root, 'scratch'),
    home: join(root, 'home'),
    tools: join(root, 'tools'),
    actions: join(root, 'actions'),
    commands: join(root, 'temp', '_runner_file_commands'),
    programs: join(root, 'programs'),
  };
  await mkdir(root, { mode: 0o700 });
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  await writePrograms(folders.programs, host.environment);
  await writeFile(join(folders.temp, 'event.json'), JSON.stringify(githubOf(job)['event'] ?? {}, null, 2));
  const runtimeToken = decoyToken();
  host.secrets.add(runtimeToken);
  const env = Object.assign({}, ...job.env);
  const mark = markOf(name);
  return { job, host, folders, mark, runtimeToken, env, path: [], steps: {}, status: 'success' };
}

/** Has the form of the real one: a JSON web token. */
function decoyToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    scp: `Actions.Results:${randomUUID()}:${randomUUID()}`,
    iss: 'https://token.actions.githubusercontent.com',
  };
  return `${part({ typ: 'JWT', alg: 'RS256' })}.${part(claims)}.${randomBytes(256).toString('base64url')}`;
}

function githubOf(job: PlannedJob): JsonObject {
  const github: Json | undefined = job.contexts['github'];
  return isObject(github) ? github : {};
}

export function statusOf({ status }: JobState): Status {
  return { success: status === 'success', failure: status === 'failure', cancelled: status === 'cancelled' };
}

/** Scope of a step's expressions; `env` and `github` are the step's own additions. */
export function scopeOf(
  state: JobState,
  env: Record<string, string> = {},
  github: Record<string, string> = {},
): Scope & { status: Status } {
  const { job, host, folders } = state;
  const secrets = job.contexts['secrets'];
  const contexts = {
    ...job.contexts,
    github: {
      ...githubOf(job),
      server_url: host.site,
      api_url: host.api,
      graphql_url: host.api.replace(/v3$/, 'graphql'),
      token: host.token,
      workspace: folders.workspace,
      event_path: join(folders.temp, 'event.json'),
      ...github,
    },
    secrets: { ...(isObject(secrets) ? secrets : {}), GITHUB_TOKEN: host.token },
    env: { ...state.env, ...env },
    steps: state.steps,
    job: { status: state.status },
    runner: runnerOf(state),
  };
  return { contexts, status: statusOf(state) };
}

/** The context `runner`. */
export function runnerOf({ folders, host }: JobState) {
  return {
    os: 'Linux',
    arch: arch() === 'arm64' ? 'ARM64' : 'X64',
    name: 'forge',
    environment: host.environment.kind,
    temp: folders.temp,
    tool_cache: folders.tools,
    workspace: join(folders.workspace, '..'),
  };
}
