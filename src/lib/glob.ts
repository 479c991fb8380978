// A path glob as an automaton: what it matches is decided on it, and whether two of them can match one path.

/** Braces within each other; more are in doubt. */
const deepestBraces = 8;

export type Range = readonly [low: number, high: number];
export interface State {
  free: number[];
  edges: { ranges: readonly Range[]; to: number }[];
}
export interface Automaton {
  states: State[];
  end: number;
}

const slash = 47;
const any: readonly Range[] = [[0, 0xffff]];
const inName: readonly Range[] = [
  [0, slash - 1],
  [slash + 1, 0xffff],
];

class Doubt extends Error {
  override readonly name = 'Doubt';
}

/**
 * A nondeterministic automaton over UTF-16 units for `*`, `?`, `**`, `{a,b}`, `[a-z]` and `[^a]`, in which `\\` puts a
 * sign for itself; undefined for what is in doubt. `classes`: programs differ on what `[!a]` means; `any` takes it
 * for any character of a name, `exact` for `[^a]`.
 */
export function automatonOf(glob: string, { classes }: { classes: 'any' | 'exact' }): Automaton | undefined {
  const states: State[] = [];
  const fresh = () => states.push({ free: [], edges: [] }) - 1;
  const edge = (from: number, ranges: readonly Range[]) => {
    const to = fresh();
    states[from]!.edges.push({ ranges, to });
    return to;
  };
  const loop = (from: number, ranges: readonly Range[]) => {
    const to = fresh();
    states[from]!.free.push(to);
    states[to]!.edges.push({ ranges, to });
    return to;
  };
  const skip = (from: number, to: number) => states[from]!.free.push(to);

  /** Reads up to the end, or to a `,` or `}` of the braces it stands in. */
  const read = (at: number, from: number, depth: number): { at: number; state: number } => {
    let state = from;
    while (at < glob.length) {
      const char = glob[at]!;
      if (depth > 0 && (char === ',' || char === '}')) break;
      if (char === '{') {
        const end = fresh();
        let options = 0;
        do {
          const option = read(at + 1, state, depth + 1);
          skip(option.state, end);
          at = option.at;
          options += 1;
          if (depth + 1 > deepestBraces || at >= glob.length) throw new Doubt();
        } while (glob[at] === ',');
        if (options < 2) throw new Doubt();
        at += 1;
        state = end;
      } else if (char === '\\') {
        if (at + 1 >= glob.length) throw new Doubt();
        const unit = glob.charCodeAt(at + 1);
        state = edge(state, [[unit, unit]]);
        at += 2;
      } else if (char === '}') throw new Doubt();
      else if (char === '[') {
        const end = glob.indexOf(']', at + (/^\[[!^]?\]/.test(glob.slice(at, at + 3)) ? 3 : 2));
        if (end < 0) throw new Doubt();
        state = edge(state, classRanges(glob.slice(at + 1, end), classes));
        at = end + 1;
      } else if (char === ']') throw new Doubt();
      else if (char === '?') {
        state = edge(state, inName);
        at += 1;
      } else if (char === '*') {
        let stop = at;
        while (glob[stop] === '*') stop += 1;
        if (stop - at > 1) {
          if (depth > 0) throw new Doubt();
          ({ at, state } = acrossFolders(at, stop, state));
        } else {
          state = loop(state, inName);
          at = stop;
        }
      } else if (char === '.' && glob[at + 1] === '.' && depth > 0) throw new Doubt();
      else if (char === '/' && depth === 0 && /^\/\*\*+$/.test(glob.slice(at))) {
        // `a/**` at the end: `a` and everything below it.
        const below = loop(edge(state, [[slash, slash]]), any);
        const end = fresh();
        skip(state, end);
        skip(below, end);
        return { at: glob.length, state: end };
      } else {
        const unit = glob.charCodeAt(at);
        state = edge(state, [[unit, unit]]);
        at += 1;
      }
    }
    return { at, state };
  };

  /** `**` as a whole name is any number of folders; inside a name, any text at all, which is more than it matches. */
  const acrossFolders = (at: number, stop: number, state: number) => {
    const whole = (at === 0 || glob[at - 1] === '/') && glob[stop] === '/';
    if (!whole) return { at: stop, state: loop(state, any) };
    const end = edge(loop(state, any), [[slash, slash]]);
    skip(state, end);
    return { at: stop + 1, state: end };
  };

  const start = fresh();
  try {
    return { end: read(0, start, 0).state, states };
  } catch (error) {
    if (error instanceof Doubt) return undefined;
    throw error;
  }
}

function classRanges(body: string, classes: 'any' | 'exact'): readonly Range[] {
  if (classes === 'any' && body.startsWith('!')) return inName;
  const negated = /^[!^]/.test(body);
  const chars = negated ? body.slice(1) : body;
  // A slash in a class is read differently from program to program.
  if (/[/[\\]/.test(chars)) throw new Doubt();
  const ranges: Range[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const low = chars.charCodeAt(at);
    if (low >= 0xd800 && low <= 0xdfff) throw new Doubt();
    if (chars[at + 1] === '-' && at + 2 < chars.length) {
      const high = chars.charCodeAt(at + 2);
      if (high < low) throw new Doubt();
      ranges.push([low, high]);
      at += 2;
    } else ranges.push([low, low]);
  }
  if (!negated) return ranges;
  ranges.push([slash, slash]);
  ranges.sort((a, b) => a[0] - b[0]);
  const rest: Range[] = [];
  let next = 0;
  for (const [low, high] of ranges) {
    if (low > next) rest.push([next, low - 1]);
    next = Math.max(next, high + 1);
  }
  if (next <= 0xffff) rest.push([next, 0xffff]);
  return rest;
}
