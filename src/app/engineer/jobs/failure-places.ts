// Finds the line of a failure in the output of tests: a table of the forms that runners and compilers use. Pure.
import { withoutColours } from '@echelon/ground';
import { tellsOfFailure } from '../../../engine/language/trim.ts';
import { failingTest } from './test-outcome.ts';

export interface FailurePlace {
  path: string;
  line: number;
  /** The failure, in the output's words. */
  said: string;
}

/** `says`: the line itself tells what failed; otherwise what was told before it did. */
interface Form {
  place: RegExp;
  says: boolean;
}

const forms: readonly Form[] = [
  // tsc: src/a.ts(3,5): error TS2322: ...
  { place: /^(?<path>[^\s():]+)\((?<line>\d+),\d+\): (?<said>(?:fatal )?error\b.*)$/, says: true },
  // tsc --pretty, gcc, clang: src/a.ts:3:5 - error TS2322: ...
  { place: /^(?<path>[^\s:]+):(?<line>\d+):\d+(?: -|:) (?<said>(?:fatal )?error\b.*)$/, says: true },
  // pytest: tests/test_a.py:7: AssertionError
  { place: /^(?<path>[^\s:]+\.py):(?<line>\d+): (?<said>.*(?:Error|Exception|Failed)\b.*)$/, says: true },
  // go: "    a_test.go:12: got 1", ./a.go:3:5: undefined: x
  { place: /^\s*(?<path>[^\s:]+\.go):(?<line>\d+):(?:\d+:)? (?<said>\S.*)$/, says: true },
  // cargo: thread 'adds' panicked at src/lib.rs:10:5:
  {
    place: /^(?<said>thread .* panicked at) (?:'.*', )?(?<path>[^\s:']+\.rs):(?<line>\d+):\d+:?$/,
    says: true,
  },
  // rustc: --> src/lib.rs:10:5
  { place: /^\s*--> (?<path>[^\s:]+):(?<line>\d+):\d+$/, says: false },
  // vitest: ❯ src/a.test.ts:5:20
  { place: /^\s*\u276f (?:\S+ )?(?<path>[^\s:]+):(?<line>\d+):\d+$/, says: false },
  // node:test, mocha, jest: at add (file:///x/a.js:3:1)
  { place: /^\s*at (?:[^()]*\()?(?:file:\/\/)?(?<path>[^\s():]+):(?<line>\d+):\d+\)?$/, says: false },
  // node:test, as TAP: location: '/x/a.test.js:5:1'
  { place: /^\s*location: '(?<path>[^\s':]+):(?<line>\d+):\d+'$/, says: false },
  // A traceback of Python: File "a.py", line 3
  { place: /^\s*File "(?<path>[^"]+)", line (?<line>\d+)\b/, says: false },
];

/** A longer line is no runner's (characters). */
const MAX_LINE = 1000;

/**
 * The places that a log names, in its order. Of those that do not say themselves what failed only the first in a file
 * of ours counts for each failure: the rest of a stack leads there. `file`: the name of a file of ours, if it is one.
 */
export function failurePlaces(
  log: string,
  file: (path: string) => string | undefined,
  most: number,
): FailurePlace[] {
  const found = new Map<string, FailurePlace>();
  const note = (path: string, line: string, said: string) => {
    const key = `${path}:${line}`;
    if (!found.has(key)) found.set(key, { path, line: Number(line), said });
  };
  let told: string | undefined = '';
  for (const line of withoutColours(log).split(/\r?\n/)) {
    if (found.size === most) break;
    if (line.length > MAX_LINE) continue;
    const form = placed(line);
    if (!form) {
      const isTold = failingTest(line) !== undefined || tellsOfFailure(line);
      // The first line of a traceback does not describe the failure.
      if (isTold && !line.startsWith('Traceback')) told = line.trim();
      continue;
    }
    if (!form.says && told === undefined) continue;
    const path = file(form.path);
    if (path === undefined) continue;
    note(path, form.line, form.said ?? told ?? '');
    if (!form.says) told = undefined;
  }
  return [...found.values()];
}

function placed(
  text: string,
): { path: string; line: string; said: string | undefined; says: boolean } | undefined {
  for (const { place, says } of forms) {
    const { path, line, said } = place.exec(text)?.groups ?? {};
    // GitHub's lines are numbers of 32 bits, from 1.
    if (path !== undefined && line !== undefined && /^[1-9]\d{0,8}$/.test(line))
      return { path, line, said, says };
  }
  return undefined;
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The folder that a checkout's files stand in. */
const inCheckout = '/tree/';

/**
 * Names the file of the tree that a path of a log means. Commands print paths from the checkout's root, from a folder
 * within it (then the only file that ends so is meant), or absolute ones.
 */
export function fileNames(files: readonly string[]): (path: string) => string | undefined {
  const known = new Set(files);
  const named = Map.groupBy(files, nameOf);
  const only = (path: string) => {
    if (known.has(path)) return path;
    const ends = named.get(nameOf(path))?.filter(each => each.endsWith(`/${path}`)) ?? [];
    return ends.length === 1 ? ends[0] : undefined;
  };
  return path => {
    const plain = path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
    const parts = plain.split('/');
    if (parts.includes('node_modules') || parts.includes('..')) return undefined;
    if (!plain.startsWith('/')) return only(plain);
    for (let at = plain.indexOf(inCheckout); at >= 0; at = plain.indexOf(inCheckout, at + 1)) {
      const within = plain.slice(at + inCheckout.length);
      if (known.has(within)) return within;
    }
    return undefined;
  };
}
