// How short a run of issues can be at best: a bound that knows conflicts, and the optimum of a few issues.
import { conflictOf, isExclusive } from '../../src/app/scheduler/domains.ts';
import type { Job } from './scheduler-instances.ts';

/** A job with what must come before it and after it at least (minutes). */
interface Part {
  job: Job;
  minutes: number;
  head: number;
  tail: number;
}

/** Times the range is halved in which the bound lies: to a thousandth. */
const HALVINGS = 10;

/**
 * Minutes that no order can fall short of: the sum of what runs alone, and what the rest takes at least while nothing of
 * that runs. The longest that can be shown to be too short for the rest.
 */
export function lowerBound(jobs: readonly Job[], slots: number): number {
  const alone = jobs
    .filter(({ domain }) => isExclusive(domain))
    .reduce((sum, { minutes }) => sum + minutes, 0);
  const pairs = jobs.flatMap((a, at) =>
    jobs
      .slice(at + 1)
      .flatMap((b): Pair[] => (conflictOf(a, b) === undefined ? [] : [[a.number - 1, b.number - 1]])),
  );
  let least = bySums(jobs, slots);
  let most = 2 * least;
  for (let left = HALVINGS; left > 0; left -= 1) {
    const middle = (least + most) / 2;
    if (isTooShort(jobs, pairs, middle)) least = middle;
    else most = middle;
  }
  return alone + least;
}

/** Places of two jobs. */
type Pair = readonly [number, number];

/**
 * Whether the rest cannot end within `limit`, by two that may not run together: one goes before the other, and where one
 * of both ways is too long already, the other one is as sure as a dependency. Exclusive work takes no time here, but nothing
 * goes on across it. (Carlier and Pinson's immediate selection.)
 */
function isTooShort(jobs: readonly Job[], pairs: readonly Pair[], limit: number): boolean {
  const parts = jobs.map(
    (job): Part => ({ job, minutes: isExclusive(job.domain) ? 0 : job.minutes, head: 0, tail: 0 }),
  );
  const sure = jobs.flatMap(({ dependsOn }, at) => dependsOn.map((number): Pair => [number - 1, at]));
  let open = pairs;
  for (let changed = true; changed; ) {
    changed = false;
    for (const [first, next] of sure) if (goesBefore(parts, first, next)) changed = true;
    const undecided: Pair[] = [];
    for (const pair of open) {
      const [a, b] = pair;
      const ways = ([pair, [b, a]] satisfies Pair[]).filter(([first, next]) => {
        const [before, after] = [partAt(parts, first), partAt(parts, next)];
        return before.head + before.minutes + after.minutes + after.tail <= limit;
      });
      const [way] = ways;
      if (!way) return true;
      if (ways.length > 1) undecided.push([a, b]);
      else sure.push(way);
    }
    changed ||= undecided.length < open.length;
    open = undecided;
    if (parts.some(({ head, minutes, tail }) => head + minutes + tail > limit)) return true;
  }
  return false;
}

/** Answers whether one of both is known to be further from an end than before. */
function goesBefore(parts: readonly Part[], first: number, next: number): boolean {
  const [before, after] = [partAt(parts, first), partAt(parts, next)];
  const [head, tail] = [before.head + before.minutes, after.tail + after.minutes];
  if (head <= after.head && tail <= before.tail) return false;
  after.head = Math.max(after.head, head);
  before.tail = Math.max(before.tail, tail);
  return true;
}

function partAt(parts: readonly Part[], at: number): Part {
  const part = parts[at];
  if (!part) throw new RangeError(`there is no job ${at + 1}`);
  return part;
}

/**
 * What the rest takes while nothing exclusive runs, by sums: at least the longest of: a chain; all that has so much before it and after it on
 * that many slots; issues of which no two run together, one by one; security work, and then backend and frontend work.
 */
function bySums(jobs: readonly Job[], slots: number): number {
  const rest = jobs.filter(({ domain }) => !isExclusive(domain));
  const apart = (domains: readonly string[]) =>
    boundOf(
      jobs,
      rest.filter(({ domain }) => domains.includes(domain)),
      slots,
    );
  return Math.max(boundOf(jobs, rest, slots), apart(['security']) + apart(['backend', 'frontend']));
}

/** Of `some` alone, in their dependencies over all. */
function boundOf(jobs: readonly Job[], some: readonly Job[], slots: number): number {
  const parts = partsOf(jobs, new Set(some)).filter(({ minutes }) => minutes > 0);
  const chains = parts.map(({ head, minutes, tail }) => head + minutes + tail);
  return Math.max(0, ...chains, onSlots(parts, slots), ...cliques(parts).map(oneByOne));
}

function partsOf(jobs: readonly Job[], some: ReadonlySet<Job>): Part[] {
  const parts = jobs.map(
    (job): Part => ({ job, minutes: some.has(job) ? job.minutes : 0, head: 0, tail: 0 }),
  );
  // A job depends only on those before it.
  const needs = ({ job }: Part) => job.dependsOn.flatMap(number => parts[number - 1] ?? []);
  for (const part of parts)
    part.head = Math.max(0, ...needs(part).map(({ head, minutes }) => head + minutes));
  for (const part of parts.toReversed())
    for (const needed of needs(part)) needed.tail = Math.max(needed.tail, part.minutes + part.tail);
  return parts;
}

function onSlots(parts: readonly Part[], slots: number): number {
  let longest = 0;
  for (const { head: from } of parts) {
    let sum = 0;
    for (const { minutes, tail } of parts
      .filter(({ head }) => head >= from)
      .sort((a, b) => b.tail - a.tail)) {
      sum += minutes;
      longest = Math.max(longest, from + sum / slots + tail);
    }
  }
  return longest;
}

/** For each part one heavy set that holds it, of parts that all conflict. */
function cliques(parts: readonly Part[]): Part[][] {
  const heavy = parts.toSorted((a, b) => b.minutes - a.minutes);
  const meet = (a: Part, b: Part) => conflictOf(a.job, b.job) !== undefined;
  return parts.map(first => {
    const clique = [first];
    for (const part of heavy)
      if (part !== first && clique.every(other => meet(part, other))) clique.push(part);
    return clique;
  });
}

/** The shortest time for parts one after the other when each may be interrupted: always the one with most after it. */
function oneByOne(parts: readonly Part[]): number {
  const coming = parts.toSorted((a, b) => a.head - b.head).map(part => ({ ...part, left: part.minutes }));
  const here: typeof coming = [];
  let now = 0;
  let end = 0;
  while (coming.length > 0 || here.length > 0) {
    if (here.length === 0) now = Math.max(now, coming[0]?.head ?? 0);
    while (coming[0] && coming[0].head <= now) here.push(...coming.splice(0, 1));
    here.sort((a, b) => b.tail - a.tail);
    for (const part of here.slice(0, 1)) {
      const time = Math.min(part.left, (coming[0]?.head ?? Infinity) - now);
      now += time;
      part.left -= time;
      if (part.left > 0) continue;
      here.shift();
      end = Math.max(end, now + part.tail);
    }
  }
  return end;
}

interface Placed {
  job: Job;
  begin: number;
  end: number;
}

/** The shortest makespan there is, by trying every order: for ten issues at most. */
export function optimum(jobs: readonly Job[], slots: number): number {
  let best = Infinity;
  const place = (placed: readonly Placed[], open: readonly Job[], end: number) => {
    if (end >= best) return;
    if (open.length === 0) best = end;
    for (const job of open) {
      const needed = placed.filter(other => job.dependsOn.includes(other.job.number));
      if (needed.length < job.dependsOn.length) continue;
      const begin = earliest(job, placed, Math.max(0, ...needed.map(other => other.end)), slots);
      const next = { job, begin, end: begin + job.minutes };
      place(
        [...placed, next],
        open.filter(other => other !== job),
        Math.max(end, next.end),
      );
    }
  };
  place([], jobs, 0);
  return best;
}

/** When a job can be put among those that have their place. */
function earliest(job: Job, placed: readonly Placed[], from: number, slots: number): number {
  const times = [from, ...placed.map(({ end }) => end).filter(end => end > from)].sort((a, b) => a - b);
  const fits = (begin: number) => {
    const beside = placed.filter(other => other.begin < begin + job.minutes && begin < other.end);
    if (beside.some(other => conflictOf(job, other.job) !== undefined)) return false;
    const moments = [begin, ...beside.map(other => other.begin)];
    return moments.every(at => beside.filter(other => other.begin <= at && at < other.end).length < slots);
  };
  return times.find(fits) ?? 0;
}
