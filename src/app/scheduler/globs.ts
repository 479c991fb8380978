// Path globs: whether two can match one path (when in doubt, yes), and the runs that may touch the same files.
import { type Automaton, automatonOf } from '@echelon/ground';
import type { PastIssue } from '../comments/view.ts';

/** Longer globs, and pairs whose product has more states, are in doubt. */
const longestGlob = 400;
const mostStates = 40_000;

/**
 * Remaining effort of comparisons, in pairs of globs and of states. All comparisons of one decision share it, so that
 * no set of issues can stall the process. Once it is spent, every comparison counts as a conflict.
 */
export interface Effort {
  left: number;
}

/** Some ten milliseconds; real issues, which name folders and files, need a hundredth of it. */
export const effortOfDecision = (): Effort => ({ left: 100_000 });

/**
 * True if some path may match both globs: `*` and `?` within a name, `**` over folders, `{a,b}`, `[a-z]`, `[^a]`. A
 * path without wildcards stands for the file or the folder of that name; with an ending, for the file. Names that
 * begin with a dot count as matched by `*`. Anything else (extended globs, escapes, `..`) counts as a match.
 */
export function canMeet(globA: string, globB: string, effort: Effort = effortOfDecision()): boolean {
  effort.left -= 1;
  if (effort.left <= 0) return true;
  const a = read(globA);
  const b = read(globB);
  if (a === undefined || b === undefined) return true;
  if (!a.before.startsWith(b.before) && !b.before.startsWith(a.before)) return false;
  a.automaton ??= automatonOf(a.path, { classes: 'any' }) ?? 'in doubt';
  b.automaton ??= automatonOf(b.path, { classes: 'any' }) ?? 'in doubt';
  return (
    a.automaton === 'in doubt' || b.automaton === 'in doubt' || intersect(a.automaton, b.automaton, effort)
  );
}

interface Read {
  path: string;
  /** Text before the first wildcard: most pairs lead to different folders, which is the cheap way out. */
  before: string;
  automaton?: Automaton | 'in doubt';
}

/** A decision asks for the same globs again and again. */
const kept = new Map<string, Read | undefined>();
const mostKept = 5_000;

function read(glob: string): Read | undefined {
  if (kept.has(glob)) return kept.get(glob);
  const path = glob.length > 2 * longestGlob ? undefined : tidy(glob);
  // `a/**` matches `a` itself, so the slash before a wildcard does not count.
  const found =
    path === undefined ? undefined : { path, before: path.replace(/[*?[\]{}].*$/s, '').replace(/\/$/, '') };
  if (kept.size >= mostKept) kept.clear();
  kept.set(glob, found);
  return found;
}

/** Without leading `./` and `/`; undefined for what is in doubt. */
function tidy(glob: string): string | undefined {
  const path = glob
    .trim()
    .normalize('NFC')
    .replace(/^(?:\.?\/+)+/, '')
    // Several `**` in a row are one.
    .replace(/(^|\/)(?:\*\*+\/){2,}/g, '$1**/')
    .replace(/(^|\/)\*\*+\/\*\*+$/, '$1**');
  const doubtful = /\\|(?:^|\/)\.\.?(?:\/|$)|[!@+?*]\(|^!|\[:|\/\//;
  if (path.length > longestGlob || path === '' || path === '.' || doubtful.test(path)) return undefined;
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (last === '') return `${path}**`;
  // Braces may hold slashes, so a glob with them anywhere is taken as it stands.
  const isFile = /[^.]\.[a-z][a-z0-9]{0,7}$/i.test(last);
  return isFile || /[*?[\]{}]/.test(last) || /[{}]/.test(path) ? path : `${path}/**`;
}

function intersect(a: Automaton, b: Automaton, effort: Effort): boolean {
  const width = b.states.length;
  const seen = new Set<number>([0]);
  const todo = [0];
  const reach = (x: number, y: number) => {
    const key = x * width + y;
    if (!seen.has(key)) {
      seen.add(key);
      todo.push(key);
    }
  };
  for (let key = todo.pop(); key !== undefined; key = todo.pop()) {
    effort.left -= 1;
    if (effort.left <= 0) return true;
    const x = Math.floor(key / width);
    const y = key % width;
    if ((x === a.end && y === b.end) || seen.size > mostStates) return true;
    for (const free of a.states[x]!.free) reach(free, y);
    for (const free of b.states[y]!.free) reach(x, free);
    for (const left of a.states[x]!.edges)
      for (const right of b.states[y]!.edges)
        if (left.ranges.some(([low, high]) => right.ranges.some(([from, to]) => from <= high && low <= to)))
          reach(left.to, right.to);
  }
  return false;
}

/** A run that has not ended, by the number of its issue, and the globs that its issues name. */
interface OpenRun {
  issue: number;
  paths: readonly string[];
}

/** The repository's other runs; `more`: some may be missing. */
export interface OtherRuns {
  /** Those that have not ended. */
  runs: OpenRun[];
  /** Results of issues in those runs. */
  past: PastIssue[];
  more: boolean;
}

/** Another run, and which of its globs can match what one of ours matches. */
interface Meeting {
  issue: number;
  paths: { here: string; there: string }[];
}

/** Pairs that are told of each run. */
const TOLD = 5;

/**
 * The runs that may touch the same files, by number. All share one `effort`, past which nothing is told: a model may name
 * thousands of globs.
 */
export function meetings(here: readonly string[], others: readonly OpenRun[], effort: Effort): Meeting[] {
  return others
    .map(({ issue, paths }) => ({ issue, paths: pairs([...new Set(here)], [...new Set(paths)], effort) }))
    .filter(({ paths }) => paths.length > 0)
    .toSorted((a, b) => a.issue - b.issue);
}

function pairs(ours: readonly string[], theirs: readonly string[], effort: Effort): Meeting['paths'] {
  const found: Meeting['paths'] = [];
  for (const here of ours)
    for (const there of theirs) {
      if (found.length === TOLD) return found;
      const may = canMeet(here, there, effort);
      // Without effort left there is no answer.
      if (effort.left <= 0) return found;
      if (may) found.push({ here, there });
    }
  return found;
}
