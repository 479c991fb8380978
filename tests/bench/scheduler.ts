// The bench `scheduler`: how long runs take beside those whose issues start by number, and what a decision costs.
import { admit } from '../../src/app/scheduler/admit.ts';
import { conflictOf } from '../../src/app/scheduler/domains.ts';
import { type Figure, type Report, rounded } from './figures.ts';
import { median } from './measure.ts';
import { type Job, jobsOf, type Kind } from './scheduler-instances.ts';

type Decide = (jobs: readonly Job[], slots: number) => readonly number[];

const ours: Decide = (jobs, slots) => admit(jobs, slots).start;

/** The next by number that fits. */
const byNumber: Decide = (jobs, slots) => {
  const beside = jobs.filter(({ state }) => state === 'running');
  const start: number[] = [];
  const isDone = (number: number) => jobs[number - 1]?.state === 'done';
  for (const job of jobs) {
    if (beside.length >= slots) break;
    if (job.state !== 'pending' || !job.dependsOn.every(isDone)) continue;
    if (beside.some(other => conflictOf(job, other) !== undefined)) continue;
    beside.push(job);
    start.push(job.number);
  }
  return start;
};

/** Minutes until all is done, when a decision is taken whenever an issue ends. */
function makespan(jobs: readonly Job[], slots: number, decide: Decide): number {
  const states = jobs.map(job => ({ ...job }));
  const running: { job: Job; end: number }[] = [];
  let now = 0;
  for (;;) {
    for (const number of decide(states, slots))
      for (const job of states.slice(number - 1, number)) {
        job.state = 'running';
        running.push({ job, end: now + job.minutes });
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
  { name: 'one domain, free, estimates exact', kind: { ...alike, error: 0 } },
  { name: 'mixed domains, free', kind: { ...mixed, dependencies: false } },
  { name: 'mixed, dependencies', kind: mixed },
  { name: 'mixed, dependencies, estimates exact', kind: { ...mixed, error: 0 } },
  { name: 'mixed, dependencies', kind: { ...mixed, slots: 5 } },
  { name: 'mixed, dependencies', kind: { ...mixed, count: 50, slots: 10 } },
  { name: 'mixed, dependencies', kind: { ...mixed, count: 50, slots: 3 } },
];

export async function scheduler(): Promise<Report> {
  return {
    figures: [...kinds.map(against), ...costs()],
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

/** Of the first decision, and of one with all slots but one in use. */
function costs(): Figure[] {
  return [1000, 50].flatMap(count => {
    const kind: Kind = { ...mixed, count };
    const jobs = jobsOf(kind, 1);
    const begun = jobs.map(job => ({ ...job }));
    for (const number of admit(begun, kind.slots - 1).start)
      for (const job of begun.slice(number - 1, number)) job.state = 'running';
    return [
      { name: 'the first', jobs },
      { name: 'a slot is free', jobs: begun },
    ].map(({ name, jobs }) =>
      figure(`a decision over ${count} issues, ${name}, an issue`, 'us', cost(jobs, kind.slots, ours), {
        baseline: { name: 'by number', value: cost(jobs, kind.slots, byNumber) },
        aim: count === 1000 ? 5 : undefined,
      }),
    );
  });
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
