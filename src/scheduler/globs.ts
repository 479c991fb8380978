// Can two path globs match one path? Answered on the product of their automata; when in doubt, yes.

/** Longer globs, and pairs whose product has more states, are in doubt. */
const longestGlob = 400;
const mostStates = 40_000;
const deepestBraces = 8;

/**
 * Whether some path is matched by both globs: `*` and `?` within a name, `**` over folders, `{a,b}`, `[a-z]`,
 * `[^a]`. A path without wildcards stands for the file or the folder of that name; with an ending, for the file. Names that begin with a dot
 * count as matched by `*`. Anything else (extended globs, escapes, `..`) is in doubt, which is a yes.
 */
export function canMeet(globA: string, globB: string): boolean {
  const a = tidy(globA);
  const b = tidy(globB);
  if (a === undefined || b === undefined) return true;
  if (!prefixesMeet(a, b)) return false;
  const first = automaton(a);
  const second = automaton(b);
  return first === undefined || second === undefined || intersect(first, second);
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

/** The cheap way out for most pairs: the parts before the first wildcard lead to different folders. */
function prefixesMeet(a: string, b: string): boolean {
  // `a/**` matches `a` itself, so the slash before a wildcard does not count.
  const literal = (glob: string) => /^[^*?[\]{}]*/.exec(glob)![0].replace(/\/$/, '');
  const one = literal(a);
  const other = literal(b);
  return one.startsWith(other) || other.startsWith(one);
}

type Range = readonly [low: number, high: number];
interface State {
  free: number[];
  edges: { ranges: readonly Range[]; to: number }[];
}
interface Automaton {
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

/** A nondeterministic automaton over UTF-16 units; undefined for what is in doubt. */
function automaton(glob: string): Automaton | undefined {
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
      } else if (char === '}') throw new Doubt();
      else if (char === '[') {
        const end = glob.indexOf(']', at + (/^\[[!^]?\]/.test(glob.slice(at, at + 3)) ? 3 : 2));
        if (end < 0) throw new Doubt();
        state = edge(state, classRanges(glob.slice(at + 1, end)));
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

function classRanges(body: string): readonly Range[] {
  // Programs differ on what `!` means here: any character, then.
  if (body.startsWith('!')) return inName;
  const negated = body.startsWith('^');
  const chars = negated ? body.slice(1) : body;
  // A slash in a class is read differently from program to program.
  if (chars.includes('/') || chars.includes('[')) throw new Doubt();
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

function intersect(a: Automaton, b: Automaton): boolean {
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
    const x = Math.floor(key / width);
    const y = key % width;
    if ((x === a.end && y === b.end) || seen.size > mostStates) return true;
    for (const free of a.states[x]!.free) reach(free, y);
    for (const free of b.states[y]!.free) reach(x, free);
    for (const left of a.states[x]!.edges)
      for (const right of b.states[y]!.edges)
        if (overlap(left.ranges, right.ranges)) reach(left.to, right.to);
  }
  return false;
}

function overlap(a: readonly Range[], b: readonly Range[]): boolean {
  return a.some(([low, high]) => b.some(([from, to]) => from <= high && low <= to));
}
