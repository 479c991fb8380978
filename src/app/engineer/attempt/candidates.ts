// The job as a whole: one attempt, or several candidates side by side, each in a checkout and with conversations of its
// own, of which the best is handed over: by tests, then the evaluator's ranking, then the smallest patch.
import { deadline, type Deadline, jsonOf } from '@echelon/ground';
import {
  bundleLimits,
  handUp,
  jobFiles,
  prepareFolder,
  readBundle,
  readIfThere,
  writeWhole,
} from '@echelon/ground/workspace';
import { pickBest, type Ranked } from '../../../engine/parts.ts';
import type { CandidatesTold } from '../jobs/candidates-told.ts';
import { runJob } from './job.ts';
import { JobReport, KEPT } from '../jobs/report-spec.ts';
import type { JobSpec } from '../jobs/job-spec.ts';
import { openPurse } from './purse.ts';
import { rankChanges } from './rank-changes.ts';
import type { JobHost } from './workplace.ts';

/** Files of a job's folder that others read: the chosen candidate leaves them there as if it had been alone. */
const handed = ['changes.patch', 'manifest.json', 'journal.jsonl', 'trees'];

/** Carries the job out in `folder`. A failure of the attempt is a report; throws only what is none. */
export async function carryOut(spec: JobSpec, folder: string, host: JobHost): Promise<JobReport> {
  const { candidates: count = 1, ...one } = spec;
  if (count === 1) return await runJob(one, folder, host);
  const time = deadline(spec.limits.attempt_ms, host.clock, host.signal);
  try {
    return await sideBySide(one, count, { folder, host, time });
  } finally {
    time.end();
  }
}

async function sideBySide(
  spec: JobSpec,
  count: number,
  { folder, host, time }: { folder: string; host: JobHost; time: Deadline },
): Promise<JobReport> {
  const folders = Array.from({ length: count }, (_, index) => `${folder}-candidate-${index + 1}`);
  const purse = await openPurse(folders, host);
  const share = Math.floor((spec.limits.budget_usd / count) * 10_000) / 10_000;
  const own = { ...spec, limits: { ...spec.limits, budget_usd: share } };
  const ended = await all(
    folders.map((each, index) =>
      work(own, each, {
        ...{ ...host, ...purse.parts[index] },
        progress: line => host.progress({ ...line, candidate: index + 1 }),
      }),
    ),
    host.signal,
  );
  const sessions = ended.flatMap(({ report }, index) =>
    report.sessions.map(session => ({ ...session, key: `candidate-${index + 1}/${session.key}` })),
  );
  const picked = await pick(ended, places =>
    rankChanges(
      places.map(place => ({ place, diff: ended[place]?.diff ?? '' })),
      {
        ...{ spec, host, time, part: purse.ranking },
        most: spec.limits.budget_usd - purse.sum().cost_usd,
        onSummary: session => void sessions.push(session),
      },
    ),
  );
  const taken = ended[picked.place];
  if (!taken) throw new Error(`there is no candidate ${picked.place + 1}`);
  await handUp(taken.folder, folder, handed);
  const { place, why, said } = picked;
  const each = ended.map(told);
  const sum = purse.sum();
  const ranking_usd = Math.max(0, sum.cost_usd - each.reduce((paid, { cost_usd }) => paid + cost_usd, 0));
  return {
    ...taken.report,
    ...{ ...sum, ms: time.elapsed(), sessions: sessions.slice(-KEPT) },
    candidates: { taken: place + 1, why, said, ranking_usd, each },
  };
}

/** Results of all works. Each ends before the first failure among them fails the job. */
async function all<T>(works: readonly Promise<T>[], signal: AbortSignal): Promise<T[]> {
  await Promise.allSettled(works);
  signal.throwIfAborted();
  return await Promise.all(works);
}

/** A candidate at its end. `diff`: empty where it left none. */
interface Candidate extends Ended {
  folder: string;
  diff: string;
}

/** Works one candidate; one that ended before the process was lost is not worked again. */
async function work(spec: JobSpec, folder: string, host: JobHost): Promise<Candidate> {
  const known = JobReport.safeParse(jsonOf(await readIfThere(folder, jobFiles.report))).data;
  const report = known ?? (await worked(spec, folder, host));
  const bundle = await readBundle(folder, bundleLimits.patchBytes);
  if ('reason' in bundle) return { report, folder, diff: '' };
  const patch = { tree: bundle.manifest.tree, bytes: bundle.patch.length };
  return { report, folder, patch, diff: bundle.patch.toString('utf8') };
}

async function worked(spec: JobSpec, folder: string, host: JobHost): Promise<JobReport> {
  await prepareFolder(folder);
  const report = await runJob(spec, folder, host);
  await writeWhole(folder, jobFiles.report, JSON.stringify(report));
  return report;
}

function told({ report, patch }: Candidate): CandidatesTold['each'][number] {
  const { kind, tests, rounds, cost_usd } = report;
  return {
    end: kind === 'failed' ? report.class : kind,
    ...(tests && { exit_code: tests.exit_code }),
    ...{ rounds, cost_usd },
    ...(patch && { bytes: patch.bytes }),
  };
}

/** A candidate that has ended. `patch`: of what it hands over; absent where it left nothing. */
export interface Ended {
  report: JobReport;
  patch?: { tree: string; bytes: number };
}

/** `why`: as the report tells it. */
export interface Picked extends Ranked {
  why: CandidatesTold['why'];
}

/** `rank` is asked about those that nothing else tells apart, by their places; undefined: it does not decide. */
export async function pick(
  ended: readonly Ended[],
  rank: (places: number[]) => Promise<Ranked | undefined>,
): Promise<Picked> {
  const equal = best(ended);
  const [first, ...others] = equal;
  if (first === undefined) return { place: goneOnFrom(ended), why: 'none', said: '' };
  return await pickBest([first, ...others], {
    alike: place => ended[place]?.patch?.tree,
    size: place => ended[place]?.patch?.bytes ?? Infinity,
    rank,
  });
}

/** Those that were accepted with the best tests: passed, else none known, else failed. */
function best(ended: readonly Ended[]): number[] {
  const done = [...ended.keys()].filter(place => ended[place]?.report.kind === 'bundle');
  const rankOf = (place: number) => {
    const tests = ended[place]?.report.tests;
    return tests ? (tests.exit_code === 0 ? 0 : 2) : 1;
  };
  const least = Math.min(...done.map(rankOf));
  return done.filter(place => rankOf(place) === least);
}

/** Of several that were not accepted: who asks can go on, who was judged knows what is wrong, who left work has begun. */
function goneOnFrom(ended: readonly Ended[]): number {
  const worth = ({ report }: Ended) => {
    if (report.kind === 'question') return 3;
    if (report.kind === 'failed' && report.class === 'rejected') return 2;
    return report.kind === 'failed' && report.partial ? 1 : 0;
  };
  const [place = 0] = [...ended.entries()].toSorted(([, a], [, b]) => worth(b) - worth(a))[0] ?? [];
  return place;
}
