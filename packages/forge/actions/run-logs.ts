// What a run leaves: its logs as one archive, a file for each job and each of its steps, named as clients look for them.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Core } from '../core.ts';
import { type Job, jobsOfAttempt, type WorkflowRun } from '../store/workflows.ts';
import { readLog, readNotes } from './job-record.ts';
import { writeZip, type ZipSource } from './zip.ts';

/** The logs of the run's last attempt, in a file that goes away with the value. */
export async function logsOfRun(core: Core, run: WorkflowRun): Promise<{ path: string } & AsyncDisposable> {
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

/** Where a job was kept of an earlier attempt, the one that was carried out. */
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
