// The bench `scheduler`: how long runs take beside those whose issues start by number, and what a decision costs.
import { admit } from '../../src/app/scheduler/admit.ts';
import { conflictOf, type Overlap, overlapOf } from '../../src/app/scheduler/domains.ts';
import { type Figure, type Report, rounded } from './figures.ts';
import { median } from './measure.ts';
import { type Job, jobsOf, type Kind } from './scheduler-instances.ts';

type Decide = (jobs: readonly Job[], slots: number) => readonly number[];

function decided(overlap: Overlap): Decide {
  return (jobs, slots) => admit(jobs, slots, overlap).start;
}
const ours = decided('serial');

/** The next by number that fits. */
const byNumber: Decide = (jobs, slots) => {
  const beside = jobs.filter(({ state }) => state === 'running');
  const start: number[] = [];
  const isDone = (number: number) => jobs[number - 1]?.state === 'done';
  for (const job of jobs) {
    if (beside.length >= slots) break;
    if (job.state !== 'pending' || !job.dependsOn.every(isDone)) continue;
    if (beside.some(other => conflictOf(job, other, 'serial') !== undefined)) continue;
    beside.push(job);
    start.push(job.number);
  }
  return start;
};

/** Minutes until all is done, when a decision is taken whenever an issue ends. `repeated`: by which each is worked longer. */
function makespan(
  jobs: readonly Job[],
  slots: number,
  decide: Decide,
  repeated: (job: Job, states: readonly Job[]) => number = () => 0,
): number {
  const states = jobs.map(job => ({ ...job }));
  const running: { job: Job; end: number }[] = [];
  let now = 0;
  for (;;) {
    for (const number of decide(states, slots))
      for (const job of states.slice(number - 1, number)) {
        job.state = 'running';
        running.push({ job, end: now + job.minutes + repeated(job, states) });
      }
    const [next] = running.sort((a, b) => a.end - b.end).splice(0, 1);
    if (!next) break;
    next.job.state = 'done';
    now = next.end;
  }
  const left = states.filter(({ state }) => state !== 'done');
  if (left.length > 0) throw new Error(`${left.length} issues were never started`);
  return now;
}

const SEEDS = 15;
const seeds = Array.from({ length: SEEDS }, (_none, at) => at + 1);

/** Two of three estimates are off by a factor of 1.8 at most. */
const ERROR = 0.6;
const alike = { count: 100, slots: 20, mixed: false, dependencies: false, error: ERROR };
const mixed = { count: 100, slots: 20, mixed: true, dependencies: true, error: ERROR };

const kinds: { name: string; kind: Kind }[] = [
  { name: 'one domain, free', kind: alike },
  { name: 'mixed, dependencies', kind: mixed },
  { name: 'mixed, dependencies', kind: { ...mixed, count: 50, slots: 3 } },
];

export async function scheduler(): Promise<Report> {
  return {
    figures: [
      ...kinds.map(against),
      trial(),
      ...Object.entries(shared).flatMap(batch => [5, 20, 50].map(each => overlapping(...batch, each))),
      ...costs(),
    ],
    notes: [
      `makespans are medians of ${SEEDS} random runs, the same for both; two of three estimates are off by up to a factor of 1.8`,
    ],
  };
}

function against({ name, kind }: (typeof kinds)[number]): Figure {
  const minutes = (decide: Decide) =>
    median(seeds.map(seed => makespan(jobsOf(kind, seed), kind.slots, decide)));
  const numbered = minutes(byNumber);
  return figure(`makespan, ${kind.count} issues on ${kind.slots} slots, ${name}`, 'min', minutes(ours), {
    baseline: { name: 'by number', value: numbered },
    aim: rounded(numbered),
  });
}

/** Share of an issue's minutes that a round takes which makes its branch fit. An assumption. */
const ROUND = 0.5;

/** Batches whose issues may touch the same files: few of them, or all. */
const shared: Readonly<Record<string, Kind>> = {
  '50 issues in 20 folders on 5 slots': { ...mixed, count: 50, slots: 5 },
  '8 issues in one file on 3 slots': { ...alike, count: 8, slots: 3, shared: true },
};

/** Both words of `overlap`, where so many of a hundred pairs that may touch the same files conflict. */
function overlapping(name: string, kind: Kind, percent: number): Figure {
  let again = 0;
  const roundsOf = (seed: number) => (job: Job, states: readonly Job[]) => {
    const conflicts = ({ state, number, ...other }: Job) =>
      state === 'done' &&
      !job.dependsOn.includes(number) &&
      overlapOf(job, other, { left: Number.POSITIVE_INFINITY }) !== undefined &&
      (job.number * 31 + number * 17 + seed * 13) % 100 < percent;
    const minutes = states.filter(conflicts).length * ROUND * job.minutes;
    again += minutes / SEEDS;
    return minutes;
  };
  const minutes = (overlap: Overlap, rounds?: typeof roundsOf) =>
    median(seeds.map(seed => makespan(jobsOf(kind, seed), kind.slots, decided(overlap), rounds?.(seed))));
  const parallel = minutes('parallel', roundsOf);
  return figure(`${name}, ${percent} % of pairs conflict, ${rounded(again)} min repeated`, 'min', parallel, {
    baseline: { name: 'overlap: serial', value: minutes('serial') },
    aim: undefined,
  });
}

/** Five features that share a file, each of a minute, on three slots: in times of one. */
function trial(): Figure {
  const jobs = jobsOf({ ...alike, count: 5, shared: true }, 1).map(job => ({ ...job, minutes: 1 }));
  const times = (overlap: Overlap) => makespan(jobs, 3, decided(overlap));
  return figure('five issues in one file on 3 slots, times of one issue', '', times('parallel'), {
    baseline: { name: 'overlap: serial', value: times('serial') },
    aim: 2.2,
  });
}

/** Of the first decision, and of one with all slots but one in use. */
function costs(): Figure[] {
  const kind: Kind = { ...mixed, count: 1000 };
  const jobs = jobsOf(kind, 1);
  const begun = jobs.map(job => ({ ...job }));
  for (const number of admit(begun, kind.slots - 1, 'serial').start)
    for (const job of begun.slice(number - 1, number)) job.state = 'running';
  return Object.entries({ 'the first': jobs, 'a slot is free': begun }).map(([name, all]) =>
    figure(`a decision over 1000 issues, ${name}, an issue`, 'us', cost(all, kind.slots, ours), {
      baseline: { name: 'by number', value: cost(all, kind.slots, byNumber) },
      aim: 5,
    }),
  );
}

/** Processor time in microseconds, so that what else the machine does is not in it. */
function cost(jobs: readonly Job[], slots: number, decide: Decide): number {
  const times = Array.from({ length: 30 }, () => {
    const begin = process.cpuUsage();
    decide(jobs, slots);
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / jobs.length;
  });
  return median(times.slice(10));
}

function figure(
  name: string,
  unit: string,
  value: number,
  { baseline, aim }: { baseline: Figure['baseline']; aim: number | undefined },
): Figure {
  return {
    ...{ name, unit, value: rounded(value) },
    baseline: { ...baseline, value: baseline.value === null ? null : rounded(baseline.value) },
    aim: aim === undefined ? '' : `<= ${aim}${unit && ` ${unit}`}`,
    ok: aim === undefined || value <= aim,
  };
}
