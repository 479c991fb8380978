// Matches paths with globs in time linear in the length of glob and path, even for hostile ones.
import { type Automaton, automatonOf, type Range } from './glob.ts';

/** Remaining cost of matching, in visited states; a million take about ten milliseconds. */
export interface Effort {
  left: number;
}

/** A glob that can be held against paths. */
export interface Glob {
  /** True if it matches the path, or a folder that contains the path. One path may exceed `effort`. */
  covers(path: string, effort: Effort): boolean;
  /** True if it matches the path itself. */
  matches(path: string, effort: Effort): boolean;
}

/**
 * Reads `*` and `?` within a name, `**` over folders, `{a,b}`, `[a-z]`, `[!a]`, and `\` before a sign that stands
 * for itself. Names that begin with a dot are matched like others. Undefined for more than 32 runs of `*`, and for
 * what may mean different things to different programs: extended globs, `!` in front, ranges in braces, brackets that
 * are not closed, `..`.
 */
export function readGlob(text: string): Glob | undefined {
  const glob = text.replace(/^(?:\.?\/+)+/, '').replace(/(.)\/+$/s, '$1');
  if (glob === '' || /^!|[@+!?*]\(|(?:^|\/)\.\.?(?:\/|$)|\/\//.test(glob)) return undefined;
  if (!/[*?[\]{}\\]/.test(glob)) return literal(glob);
  if ((glob.match(/\*+/g) ?? []).length > MOST_STARS) return undefined;
  const automaton = automatonOf(glob, { classes: 'exact' });
  if (!automaton) return undefined;
  return {
    covers: (path, effort) => walk(automaton, path, effort, true),
    matches: (path, effort) => walk(automaton, path, effort, false),
  };
}

const literal = (glob: string): Glob => ({
  covers: path => path === glob || path.startsWith(`${glob}/`),
  matches: path => path === glob,
});

/** All states that the text before each character can have led to, at once. */
function walk({ states, end }: Automaton, path: string, effort: Effort, folders: boolean): boolean {
  let now: number[] = [];
  let next: number[] = [];
  /** For each state the step in which it was entered last, so that it is entered once. */
  const entered = new Int32Array(states.length).fill(-1);
  const enter = (state: number, step: number, into: number[]) => {
    if (entered[state] === step) return;
    entered[state] = step;
    const first = into.length;
    into.push(state);
    for (let at = first; at < into.length; at++)
      for (const free of states[into[at]!]!.free)
        if (entered[free] !== step) {
          entered[free] = step;
          into.push(free);
        }
  };
  enter(0, 0, now);
  for (let at = 0; at < path.length && now.length > 0; at++) {
    const code = path.charCodeAt(at);
    if (folders && code === SLASH && entered[end] === at) return true;
    effort.left -= now.length;
    next.length = 0;
    for (const state of now)
      for (const { ranges, to } of states[state]!.edges) if (holds(ranges, code)) enter(to, at + 1, next);
    [now, next] = [next, now];
  }
  return now.length > 0 && entered[end] === path.length;
}

/** No glob of a person has more; each of them takes its time at every character of a path. */
const MOST_STARS = 32;

const SLASH = 47;

function holds(ranges: readonly Range[], code: number): boolean {
  for (const [low, high] of ranges) if (low <= code && code <= high) return true;
  return false;
}
