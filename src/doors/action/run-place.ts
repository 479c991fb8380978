// Input of a workflow's job: its environment and the event's file.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

export interface RunPlace {
  token: string;
  /** An App's token, to push branches and to open pull requests with. */
  pullsToken: string | undefined;
  /** Login that the token writes as. */
  bot: string;
  repository: { owner: string; name: string; id: number };
  defaultBranch: string;
  /** Base URL of the REST API, and the address that repositories are cloned from. */
  api: string;
  web: string;
  /** Id of this workflow run. */
  run: number;
  /** Path of the workflow's file in the repository. */
  workflow: string;
  event: { name: string; payload: unknown };
  /** The directive that this job is about, where it was started for one. */
  directive: number | undefined;
  /** Its sub-issue or pull request on which something was said or done. */
  part: number | undefined;
  /** Operation keys of the jobs that began with this one. */
  begun: readonly string[];
  /** Text of a file of replies that is played instead of asking a model. */
  script: string | undefined;
  /** Reason for working nothing in this repository: a sentence for whoever labelled the issue. */
  refusal?: string;
  /** A folder of this job's own. */
  temporary: string;
}

/** A fork carries its parent's workflow file, and nobody there asked for it. */
const forkRefused =
  'this repository is a fork, and Echelon works on no fork unless its owner allows it. To allow it, add `allow_fork: true` ' +
  'below `with:` of the job in .github/workflows/echelon.yml (`echelon init --allow-fork` writes it). To stop this ' +
  'message: gh workflow disable echelon.yml';

/** GitHub sends no event larger than 25 MB. */
const MAX_EVENT = 25 << 20;

const Payload = z.object({
  repository: z.object({
    id: z.number(),
    name: z.string(),
    default_branch: z.string(),
    fork: z.boolean().optional(),
    owner: z.object({ login: z.string() }),
  }),
  issue: z.object({ number: z.int() }).optional(),
  inputs: z.object({ directive: z.string(), part: z.string() }).partial().nullish(),
});

/** The matrix that `advance` made. */
const Begun = z.array(z.object({ op: z.string() }));

const needed = [
  'GITHUB_EVENT_NAME',
  'GITHUB_EVENT_PATH',
  'GITHUB_RUN_ID',
  'GITHUB_WORKFLOW_REF',
  'GITHUB_API_URL',
  'GITHUB_SERVER_URL',
  'RUNNER_TEMP',
] as const;

/** `problem`: what is missing, for who wrote the workflow. */
export async function readPlace(env: NodeJS.ProcessEnv): Promise<RunPlace | { problem: string }> {
  const input = (name: string) => env[`INPUT_${name.toUpperCase()}`]?.trim() || undefined;
  const token = input('token');
  if (!token)
    return { problem: 'token is empty: this mode needs the token of a job, as in .github/workflows/run.yml' };
  const missing = needed.filter(name => !env[name]);
  if (missing.length > 0)
    return { problem: `${missing.join(', ')}: not set. This mode runs in a job of GitHub Actions only` };
  const told = Object.fromEntries(needed.map(name => [name, env[name] ?? '']));
  const text = await readFile(told['GITHUB_EVENT_PATH'] ?? '', 'utf8');
  const payload: unknown = text.length > MAX_EVENT ? undefined : JSON.parse(text);
  const read = Payload.safeParse(payload);
  if (!read.success)
    return { problem: `the event's file lacks what GitHub always sends: ${read.error.message}` };
  const { repository, issue, inputs } = read.data;
  // Only the job that begins a run decides: `deliver` is started by it alone.
  const isRefused = repository.fork && input('mode') === 'run' && input('allow_fork') !== 'true';
  const named = input('directive') ?? inputs?.directive ?? issue?.number.toString() ?? '';
  return {
    token,
    pullsToken: input('pulls_token'),
    bot: input('bot') ?? 'github-actions[bot]',
    repository: { owner: repository.owner.login, name: repository.name, id: repository.id },
    defaultBranch: repository.default_branch,
    api: told['GITHUB_API_URL'] ?? '',
    web: told['GITHUB_SERVER_URL'] ?? '',
    run: Number(told['GITHUB_RUN_ID']),
    // Of `owner/name/.github/workflows/echelon.yml@refs/heads/main`, the workflow that began the run.
    workflow: (told['GITHUB_WORKFLOW_REF'] ?? '').replace(/@.*$/s, '').split('/').slice(2).join('/'),
    event: { name: told['GITHUB_EVENT_NAME'] ?? '', payload },
    // As GitHub writes numbers and no other way: the concurrency group is named by this very text.
    directive: numbered(named),
    part: numbered(inputs?.part ?? ''),
    begun: Begun.parse(JSON.parse(input('begun') ?? '[]')).map(({ op }) => op),
    script: input('script'),
    ...(isRefused && { refusal: forkRefused }),
    temporary: join(told['RUNNER_TEMP'] ?? '', 'echelon'),
  };
}

const numbered = (text: string): number | undefined =>
  /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
