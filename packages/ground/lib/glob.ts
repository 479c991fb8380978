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

class Doubt extends Error {}

/**
 * A nondeterministic automaton over UTF-16 units for `*`, `?`, `**`, `{a,b}`, `[a-z]` and `[^a]`, in which `\\` puts a
 * sign for itself; undefined for what is in doubt. `classes`: programs differ on what `[!a]` means; `any` takes it
 * for any character of a name, `exact` for `[^a]`.
 */
export function automatonOf(glob: string, { classes }: { classes: Classes }): Automaton | undefined {
  const reader = new Reader(glob, classes);
  try {
    return { end: reader.read({ at: 0, state: reader.fresh() }, 0).state, states: reader.states };
  } catch (error) {
    if (error instanceof Doubt) return undefined;
    throw error;
  }
}

type Classes = 'any' | 'exact';

/** Position of the glob's reader, and the state reached. */
interface Place {
  at: number;
  state: number;
}

class Reader {
  readonly states: State[] = [];
  readonly #glob: string;
  readonly #classes: Classes;

  constructor(glob: string, classes: Classes) {
    this.#glob = glob;
    this.#classes = classes;
  }

  fresh(): number {
    return this.states.push({ free: [], edges: [] }) - 1;
  }

  /** Reads up to the end, or to a `,` or `}` of the braces it stands in. */
  read(from: Place, depth: number): Place {
    let place = from;
    while (place.at < this.#glob.length) {
      const char = this.#glob[place.at];
      if (depth > 0 && (char === ',' || char === '}')) break;
      place = this.#next(place, depth);
    }
    return place;
  }

  #next({ at, state }: Place, depth: number): Place {
    const glob = this.#glob;
    switch (glob[at]) {
      case '{':
        return this.#braces(at, state, depth);
      case '[':
        return this.#class(at, state);
      case '*':
        return this.#stars(at, state, depth);
      case '?':
        return { at: at + 1, state: this.#edge(state, inName) };
      case '\\':
        if (at + 1 >= glob.length) throw new Doubt();
        return this.#unit(at + 1, state);
      case '}':
      case ']':
        throw new Doubt();
    }
    if (depth > 0 && glob.startsWith('..', at)) throw new Doubt();
    return depth === 0 && /^\/\*\*+$/.test(glob.slice(at)) ? this.#below(state) : this.#unit(at, state);
  }

  #unit(at: number, state: number): Place {
    const unit = this.#glob.charCodeAt(at);
    return { at: at + 1, state: this.#edge(state, [[unit, unit]]) };
  }

  #braces(open: number, state: number, depth: number): Place {
    if (depth >= deepestBraces) throw new Doubt();
    const end = this.fresh();
    let at = open;
    let options = 0;
    do {
      const option = this.read({ at: at + 1, state }, depth + 1);
      this.#skip(option.state, end);
      at = option.at;
      options += 1;
      if (at >= this.#glob.length) throw new Doubt();
    } while (this.#glob[at] === ',');
    if (options < 2) throw new Doubt();
    return { at: at + 1, state: end };
  }

  #class(at: number, state: number): Place {
    const glob = this.#glob;
    const end = glob.indexOf(']', at + (/^\[[!^]?\]/.test(glob.slice(at, at + 3)) ? 3 : 2));
    if (end < 0) throw new Doubt();
    return { at: end + 1, state: this.#edge(state, classRanges(glob.slice(at + 1, end), this.#classes)) };
  }

  /** `**` as a whole name is any number of folders; inside a name, any text at all, which is more than it matches. */
  #stars(at: number, state: number, depth: number): Place {
    const glob = this.#glob;
    let stop = at;
    while (glob[stop] === '*') stop += 1;
    if (stop - at === 1) return { at: stop, state: this.#loop(state, inName) };
    if (depth > 0) throw new Doubt();
    const whole = (at === 0 || glob[at - 1] === '/') && glob[stop] === '/';
    if (!whole) return { at: stop, state: this.#loop(state, any) };
    const end = this.#edge(this.#loop(state, any), [[slash, slash]]);
    this.#skip(state, end);
    return { at: stop + 1, state: end };
  }

  /** `a/**` at the end: `a` and everything below it. */
  #below(state: number): Place {
    const below = this.#loop(this.#edge(state, [[slash, slash]]), any);
    const end = this.fresh();
    this.#skip(state, end);
    this.#skip(below, end);
    return { at: this.#glob.length, state: end };
  }

  #edge(from: number, ranges: readonly Range[]): number {
    const to = this.fresh();
    this.states[from]!.edges.push({ ranges, to });
    return to;
  }

  #loop(from: number, ranges: readonly Range[]): number {
    const to = this.fresh();
    this.states[from]!.free.push(to);
    this.states[to]!.edges.push({ ranges, to });
    return to;
  }

  #skip(from: number, to: number): void {
    this.states[from]!.free.push(to);
  }
}

function classRanges(body: string, classes: Classes): readonly Range[] {
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
