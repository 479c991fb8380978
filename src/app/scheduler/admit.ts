// Which issues start now, which wait and why, and which can never start.
import { isExclusive, mayRunTogether, type WorkOfIssue } from './domains.ts';
import { type Effort, effortOfDecision } from './globs.ts';
import { activeStates, type SlotState } from './slots.ts';

export interface ScheduledIssue extends WorkOfIssue {
  number: number;
  /** Numbers of the issues that must be delivered (`done`) before. */
  dependsOn: readonly number[];
  estimateMinutes?: number | undefined;
  state: SlotState;
  /** What its branch was started on, as `standsOn` told when it started. */
  standsOn?: readonly number[] | undefined;
}

export interface IssueThatWaits {
  number: number;
  /** A clause without a full stop, for the board. It may quote globs that a model wrote. */
  reason: string;
}

export interface Admission {
  start: number[];
  waiting: IssueThatWaits[];
  blocked: IssueThatWaits[];
}

/**
 * How many times longer its chain is when exclusive work is waited for. Simulated on random batches with
 * dependencies (100 and 300 issues, 5 and 20 slots): always waiting makes the whole 4 to 9 % and the mean time of an
 * issue 22 to 27 % longer; never waiting makes the whole 2 to 5 % longer and the mean 5 to 12 % shorter.
 */
const worthWaiting = 2;

/**
 * One decision over all issues of a run; a pure function of their states, so it may be asked again at any time.
 *
 * Order among what is ready: first exclusive work that unlocks other issues; then what unlocks the longest chain of
 * them (by their estimates, or one for each); last exclusive work that unlocks nothing; ties by number. Whatever
 * fits beside all that is active starts, so nobody waits behind a head that does not fit.
 *
 * Exclusive work does not starve. When the chain it unlocks is at least twice as long as any other that could
 * begin, it is waited for: nothing new starts until it has run. Else it starts as soon as nothing is active, which
 * comes because a run has finitely many issues.
 */
export function admit(issues: readonly ScheduledIssue[], maxParallel: number): Admission {
  const byNumber = new Map(issues.map(issue => [issue.number, issue]));
  const blocked = blockedIssues(issues, byNumber);
  const unlocks = chains(issues, blocked);
  const active = issues.filter(issue => activeStates.has(issue.state));
  const start: number[] = [];
  const waiting: IssueThatWaits[] = [];
  const ready: ScheduledIssue[] = [];
  for (const issue of issues) {
    if (issue.state !== 'pending' || blocked.has(issue.number)) continue;
    const missing = issue.dependsOn.filter(number => byNumber.get(number)?.state !== 'done');
    if (missing.length === 0) ready.push(issue);
    else waiting.push({ number: issue.number, reason: `waits for ${list(missing)}, on which it depends` });
  }
  ready.sort((a, b) => startsBefore(a, b, unlocks));
  const longestOther = ready.reduce(
    (longest, issue) =>
      isExclusive(issue.domain) ? longest : Math.max(longest, unlocks.get(issue.number) ?? 0),
    0,
  );
  const beside = [...active];
  const effort = effortOfDecision();
  let awaited: ScheduledIssue | undefined;
  for (const issue of ready) {
    const conflict = conflictWith(issue, beside, effort);
    if (awaited)
      waiting.push({
        number: issue.number,
        reason: `lets #${awaited.number} go first: ${awaited.domain} work that other issues wait for runs alone`,
      });
    else if (conflict) {
      waiting.push({ number: issue.number, reason: conflict });
      const chain = isExclusive(issue.domain) ? (unlocks.get(issue.number) ?? 0) : 0;
      if (chain > 0 && chain >= worthWaiting * longestOther) awaited = issue;
    } else if (beside.length >= maxParallel)
      waiting.push({ number: issue.number, reason: `waits for a free slot (${maxParallel} in use)` });
    else {
      start.push(issue.number);
      beside.push(issue);
    }
  }
  return {
    start,
    waiting: waiting.sort((a, b) => a.number - b.number),
    blocked: [...blocked].map(([number, reason]) => ({ number, reason })).sort((a, b) => a.number - b.number),
  };
}

function conflictWith(
  issue: ScheduledIssue,
  others: readonly ScheduledIssue[],
  effort: Effort,
): string | undefined {
  for (const other of others) {
    const together = mayRunTogether(issue, other, effort);
    if (together !== true) return `waits for #${other.number}: ${together.reason}`;
  }
  return undefined;
}

function startsBefore(a: ScheduledIssue, b: ScheduledIssue, unlocks: ReadonlyMap<number, number>): number {
  const rank = (issue: ScheduledIssue) => {
    const chain = unlocks.get(issue.number) ?? 0;
    return isExclusive(issue.domain) ? (chain > 0 ? 0 : 2) : 1;
  };
  return (
    rank(a) - rank(b) || (unlocks.get(b.number) ?? 0) - (unlocks.get(a.number) ?? 0) || a.number - b.number
  );
}

const wentWrong: { readonly [S in SlotState]?: string } = {
  failed: 'failed',
  blocked: 'is blocked',
  skipped: 'was skipped',
  cancelled: 'was cancelled',
};

/** Pending issues that can never start, with the reason; what depends on such an issue is one too. */
function blockedIssues(
  issues: readonly ScheduledIssue[],
  byNumber: ReadonlyMap<number, ScheduledIssue>,
): Map<number, string> {
  const blocked = new Map<number, string>();
  const dependents = dependentsOf(issues);
  const pending = issues.filter(issue => issue.state === 'pending');
  for (const { number, dependsOn } of pending) {
    const why = dependsOn.map(each => lostWith(each, byNumber)).find(each => each !== undefined);
    if (why !== undefined) blocked.set(number, why);
  }
  const lost = [...blocked.keys()];
  for (let number = lost.pop(); number !== undefined; number = lost.pop())
    for (const next of dependents.get(number) ?? [])
      if (!blocked.has(next)) {
        blocked.set(next, `#${number}, on which it depends, is blocked`);
        lost.push(next);
      }
  // What can still be reached from issues without open dependencies will run; the rest waits for itself.
  const isOpen = (number: number) => byNumber.get(number)?.state === 'pending';
  const missing = new Map(
    pending.map(({ number, dependsOn }) => [number, new Set(dependsOn.filter(isOpen)).size]),
  );
  const free = pending.map(({ number }) => number).filter(number => missing.get(number) === 0);
  for (let number = free.pop(); number !== undefined; number = free.pop())
    for (const next of dependents.get(number) ?? []) {
      const left = (missing.get(next) ?? 0) - 1;
      missing.set(next, left);
      if (left === 0) free.push(next);
    }
  for (const [number, left] of missing)
    if (left > 0 && !blocked.has(number)) blocked.set(number, 'its dependencies lead in a circle');
  return blocked;
}

/** Why what depends on this issue can never start; undefined where it may. */
function lostWith(number: number, byNumber: ReadonlyMap<number, ScheduledIssue>): string | undefined {
  const needed = byNumber.get(number);
  const wrong = needed ? wentWrong[needed.state] : 'is not among the issues of this run';
  return wrong && `#${number}, on which it depends, ${wrong}`;
}

/** For each issue the pending issues that name it in `dependsOn`. */
function dependentsOf(issues: readonly ScheduledIssue[]): Map<number, number[]> {
  const dependents = new Map<number, number[]>();
  for (const issue of issues)
    if (issue.state === 'pending')
      for (const number of new Set(issue.dependsOn)) {
        const others = dependents.get(number);
        if (others) others.push(issue.number);
        else dependents.set(number, [issue.number]);
      }
  return dependents;
}

/** For each issue the length of the longest chain of pending issues that only it holds up, without itself. */
function chains(
  issues: readonly ScheduledIssue[],
  blocked: ReadonlyMap<number, string>,
): Map<number, number> {
  const lengths = new Map<number, number>();
  const waitingFor = new Map<number, number>();
  const pending = issues.filter(issue => issue.state === 'pending' && !blocked.has(issue.number));
  const byNumber = new Map(pending.map(issue => [issue.number, issue]));
  const minutes = estimates(pending);
  for (const issue of pending)
    for (const number of new Set(issue.dependsOn))
      if (byNumber.has(number)) waitingFor.set(number, (waitingFor.get(number) ?? 0) + 1);
  const ends = pending.filter(issue => !waitingFor.has(issue.number));
  for (let issue = ends.pop(); issue; issue = ends.pop()) {
    const length = minutes(issue) + (lengths.get(issue.number) ?? 0);
    for (const number of new Set(issue.dependsOn)) {
      const needed = byNumber.get(number);
      if (!needed) continue;
      lengths.set(number, Math.max(lengths.get(number) ?? 0, length));
      const left = (waitingFor.get(number) ?? 0) - 1;
      waitingFor.set(number, left);
      if (left === 0) ends.push(needed);
    }
  }
  return lengths;
}

/** Minutes of an issue; one without an estimate counts as the mean of the others, all as 1 where none has one. */
function estimates(issues: readonly ScheduledIssue[]): (issue: ScheduledIssue) => number {
  const isGiven = (minutes: number | undefined): minutes is number =>
    minutes !== undefined && Number.isFinite(minutes) && minutes > 0;
  const given = issues.map(issue => issue.estimateMinutes).filter(isGiven);
  const mean = given.length === 0 ? 1 : given.reduce((sum, minutes) => sum + minutes, 0) / given.length;
  return issue => (isGiven(issue.estimateMinutes) ? issue.estimateMinutes : mean);
}

function list(numbers: readonly number[]): string {
  const shown = [...new Set(numbers)].sort((a, b) => a - b).map(number => `#${number}`);
  return shown.length > 5 ? `${shown.slice(0, 5).join(', ')} and ${shown.length - 5} more` : shown.join(', ');
}

/**
 * The delivered issues whose branches `issue` must start from when it starts now: its dependencies, and those it
 * could not run beside. One whose branch already holds another's work stands for both. Ascending numbers.
 */
export function standsOn(issue: ScheduledIssue, all: readonly ScheduledIssue[]): number[] {
  const byNumber = new Map(all.map(other => [other.number, other]));
  const effort = effortOfDecision();
  const needed = all
    .filter(
      other =>
        other.number !== issue.number &&
        other.state === 'done' &&
        (issue.dependsOn.includes(other.number) || mayRunTogether(issue, other, effort) !== true),
    )
    .map(other => other.number);
  const held = new Set<number>();
  const todo = [...needed];
  for (let number = todo.pop(); number !== undefined; number = todo.pop()) {
    const other = byNumber.get(number);
    for (const below of [...(other?.dependsOn ?? []), ...(other?.standsOn ?? [])])
      if (below !== number && !held.has(below)) {
        held.add(below);
        todo.push(below);
      }
  }
  const tops = needed.filter(number => !held.has(number));
  // Records that hold each other leave no top; then all are named.
  return (tops.length > 0 ? tops : needed).sort((a, b) => a - b);
}
