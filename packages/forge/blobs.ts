// Files that the API sends callers to instead of answering with them, as GitHub does: good for a minute, no token needed.
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { createReadStream, mkdirSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { artifactFile } from './runner/artifact-store.ts';
import type { Core } from './core.ts';
import { found, notFound } from './errors.ts';
import { type Job, jobsOfAttempt, type WorkflowRun } from './actions/workflow-rows.ts';
import { join } from 'node:path';
import { logFile, readLog, readNotes } from './runner/job-record.ts';
import { writeZip, type ZipSource } from './runner/zip.ts';

/** The logs of the run's last attempt, in a file that goes away with the value. */
async function logsOfRun(core: Core, run: WorkflowRun): Promise<{ path: string } & AsyncDisposable> {
  const sources = jobsOfAttempt(core, run.id, run.attempt).flatMap((job, index) =>
    filesOf(core, withLog(core, job), index),
  );
  const folder = join(core.folder, 'actions');
  // There is none where no job was carried out.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `logs-${randomUUID()}.zip`);
  await writeZip(path, sources);
  return { path, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

/** The attempt of a job that actually ran, if this one was kept from it. */
function withLog(core: Core, job: Job): Job {
  let found: Job | undefined = job;
  for (
    let attempt = job.attempt - 1;
    found && readLog(core, found.id) === undefined && attempt >= 1;
    attempt--
  )
    found = jobsOfAttempt(core, job.run_id, attempt).find(({ key }) => key === job.key);
  return found ?? job;
}

function filesOf(core: Core, job: Job, index: number): ZipSource[] {
  const log = readLog(core, job.id);
  if (log === undefined) return [];
  const name = inPath(job.name);
  const lines = log.split(/(?<=\n)/);
  const { stepLines: steps } = readNotes(core, job.id);
  const named: { name: string }[] = JSON.parse(job.steps);
  const file = (path: string, text: string): ZipSource => ({ name: path, chunks: () => [Buffer.from(text)] });
  return [
    file(`${index}_${name}.txt`, log),
    ...steps.flatMap((from, at) => {
      const text = lines.slice(from, steps[at + 1]).join('');
      return text === '' ? [] : [file(`${name}/${at + 1}_${inPath(named[at]?.name ?? '')}.txt`, text)];
    }),
  ];
}

/** Characters of a name in the archive, as in GitHub's. */
const LONGEST = 90;

/** GitHub leaves slashes and colons out. A job may be named anything, and no path may lead out of where it is unpacked. */
const inPath = (name: string): string =>
  name
    .replace(/[/\\:\p{Cc}]/gu, '')
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(/^\.+$/, '_') || '_';

const kinds = ['artifact', 'run-logs', 'job-log'] as const;
type Kind = (typeof kinds)[number];

const lifetime = 60_000;
/** Of this process: an address of an earlier one is void. */
const secret = randomBytes(32);
const place = /^\/_blobs\/([\w-]+)\/(\d+)$/;

export const isBlobPath = (path: string): boolean => place.test(path);

/** The address of the file of an artifact, a run or a job. */
export function blobUrl(core: Core, kind: Kind, id: number): string {
  const expires = core.clock.now() + lifetime;
  return `${core.site}/_blobs/${kind}/${id}?expires=${expires}&sig=${signature(kind, id, expires)}`;
}

const signature = (kind: string, id: number, expires: number): string =>
  createHmac('sha256', secret).update(`${kind}/${id}/${expires}`).digest('base64url');

/** Answers a request for such an address. Throws 404 for one that was not given out, is too old, or leads to nothing. */
export async function serveBlob(
  core: Core,
  path: string,
  query: string,
  response: ServerResponse,
): Promise<void> {
  const [, named = '', number = ''] = place.exec(path) ?? [];
  const asked = new URLSearchParams(query);
  const [id, expires] = [Number(number), Number(asked.get('expires'))];
  const given = Buffer.from(asked.get('sig') ?? '');
  const right = Buffer.from(signature(named, id, expires));
  const kind = kinds.find(each => each === named);
  if (!kind || given.length !== right.length || !timingSafeEqual(given, right)) throw notFound();
  if (core.clock.now() > expires) throw notFound();
  await using file = await openFile(core, kind, id);
  // Removed since the address was given out, or never written.
  const { size } = found(await stat(file.path).catch(() => undefined));
  response.writeHead(200, {
    'content-type': kind === 'job-log' ? 'text/plain' : 'application/zip',
    'content-length': size,
    'content-disposition': `attachment; filename="${kind}-${id}${kind === 'job-log' ? '.txt' : '.zip'}"`,
    'x-content-type-options': 'nosniff',
  });
  // A client that goes away before the end needs no answer.
  await pipeline(createReadStream(file.path), response).catch(() => response.destroy());
}

async function openFile(core: Core, kind: Kind, id: number): Promise<{ path: string } & AsyncDisposable> {
  const kept = (path: string) => ({ path, [Symbol.asyncDispose]: async () => {} });
  switch (kind) {
    case 'artifact':
      return kept(artifactFile(core, id));
    case 'job-log':
      return kept(logFile(core, id));
    case 'run-logs':
      return await logsOfRun(core, found(core.db.find<WorkflowRun>('workflow_runs', { id })));
  }
}
