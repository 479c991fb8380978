// `echelon doctor --on-github`: starts the check on the repository's own runner, waits for it, and brings what it found here.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Clock, messageOf } from '@echelon/ground';
import { temporaryFolder, unpack } from '@echelon/ground/workspace';
import { answered, type Caller, type Client, type Place, workflowPath } from '../../../app/set-up.ts';
import { ownCommand } from '../own-command.ts';
import { checkFiles, type Finding, missing, unknown } from '../../finding.ts';

export interface OnGithub {
  client: Client;
  calls: Caller;
  clock: Clock;
  place: Place;
  defaultBranch: string;
  /** Makes an issue, a branch and a draft pull request, and closes them again. */
  write: boolean;
  /** File for the shapes of GitHub's answers. */
  record: string | undefined;
  say(line: string): void;
}

/** The parts of check.yml, by the names of their artifacts. */
const parts = ['tests', 'models', 'delivery'] as const;
/** Runs are listed a few seconds after they were started; and the check has this long (milliseconds). */
const LISTED_MS = 60_000;
const MAX_MS = 20 * 60_000;
const POLL_MS = 5000;
/** Of an artifact. */
const limits = { files: 4, bytes: 8 << 20 };

const modeOf = ({ write }: Pick<OnGithub, 'write'>) => (write ? 'write' : 'read');

const Found = z.array(
  z.object({
    what: z.string(),
    state: z.enum(['well', 'missing', 'unknown']),
    detail: z.string(),
    fix: z.string().exactOptional(),
  }),
);

export async function checkOnGithub(on: OnGithub): Promise<Finding[]> {
  const started = await start(on);
  if ('what' in started) return [started];
  on.say(`the check runs: ${started.page}`);
  const conclusion = await ended(on, started.id);
  if (conclusion === undefined)
    return [missing('check', `it has not ended after ${MAX_MS / 60_000} minutes: ${started.page}`)];
  const found: Finding[] = [];
  const records: string[] = [];
  for (const part of parts) {
    if (part === 'delivery' && !on.write) {
      found.push(unknown('branch and draft pull request', 'not tried without --write'));
      continue;
    }
    const handed = await handedOver(on, started.id, `echelon-check-${part}`);
    if (!handed) found.push(missing(part, `that job found nothing: ${started.page}`));
    else {
      found.push(...handed.findings);
      records.push(handed.record);
    }
  }
  if (on.record !== undefined) await writeFile(on.record, records.join(''));
  return found;
}

async function start(on: OnGithub): Promise<{ id: number; page: string } | Finding> {
  const { client, calls, place, defaultBranch: ref, clock } = on;
  const workflow_id = workflowPath.split('/').at(-1) ?? '';
  const before = await newest(on, workflow_id);
  try {
    const route = 'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches';
    const inputs = { check: modeOf(on) };
    await calls.write(() => client.request(route, { ...place, workflow_id, ref, inputs }));
  } catch (error) {
    if (!answered(error, 403, 404, 422)) throw error;
    const detail = `${workflowPath} cannot be started with the input \`check\`: ${messageOf(error)}`;
    return missing('check', `${detail}. Run \`${ownCommand()} init\`, and merge what it proposes`);
  }
  for (const until = clock.now() + LISTED_MS; clock.now() < until; await clock.sleep(POLL_MS)) {
    const run = await newest(on, workflow_id);
    if (run && run.id !== before?.id) return run;
  }
  return missing('check', 'GitHub took the order and lists no run of it: look at the Actions page');
}

async function newest({ client, calls, place, write }: OnGithub, workflow_id: string) {
  const route = 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs';
  const query = { ...place, workflow_id, event: 'workflow_dispatch', per_page: 20 };
  try {
    const { data } = await calls.read(() => client.request(route, query));
    // `run-name` of the workflow for a check.
    const title = `Echelon check ${modeOf({ write })}`;
    const run = data.workflow_runs.find(({ display_title }) => display_title === title);
    return run && { id: Number(run.id), page: run.html_url };
  } catch (error) {
    if (answered(error, 404)) return undefined;
    throw error;
  }
}

/** Waits; undefined: it did not end in time. */
async function ended({ client, calls, place, clock }: OnGithub, run_id: number): Promise<string | undefined> {
  const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}';
  for (const until = clock.now() + MAX_MS; clock.now() < until; await clock.sleep(POLL_MS)) {
    const { data } = await calls.read(() => client.request(route, { ...place, run_id }));
    if (data.status === 'completed') return data.conclusion ?? '';
  }
  return undefined;
}

/** Reads the artifact that a job of the run uploaded; undefined if it is missing or unreadable. */
async function handedOver({ client, calls, place }: OnGithub, run_id: number, name: string) {
  const list = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts';
  const { data } = await calls.read(() => client.request(list, { ...place, run_id, per_page: 100 }));
  const artifact = data.artifacts.find(each => each.name === name);
  if (!artifact || artifact.size_in_bytes > limits.bytes) return undefined;
  const get = 'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}';
  const of = { ...place, artifact_id: artifact.id, archive_format: 'zip' };
  const archive = await calls.read(() => client.request(get, of));
  await using folder = await temporaryFolder('check');
  try {
    await unpack(Buffer.from(archive.data as ArrayBuffer), folder.path, limits);
    const text = (file: string) => readFile(join(folder.path, file), 'utf8');
    const findings = Found.safeParse(JSON.parse(await text(checkFiles.findings)));
    const record = await text(checkFiles.record).catch(() => '');
    return findings.success ? { findings: findings.data, record } : undefined;
  } catch {
    return undefined;
  }
}
