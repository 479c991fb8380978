// Finds the line of a failure in the output of tests: a table of the forms that runners and compilers use. Pure.
import { withoutColours } from '@echelon/ground';
import { tellsOfFailure } from '../../../engine/texts.ts';
import { failingTest, linesOf } from './test-outcome.ts';

export interface FailurePlace {
  path: string;
  line: number;
  /** The failure, in the output's words. */
  said: string;
  /** Told by a compiler: nothing of the file ran. */
  builds: boolean;
}

/** Forms of compilers. Where a form has no `said`, what was told before it did failed there. */
const compilers: readonly RegExp[] = [
  /^(?<path>[^\s():]+)\((?<line>\d+),\d+\): (?<said>(?:fatal )?error\b.*)$/, // tsc: src/a.ts(3,5): error TS2322: ...
  /^(?<path>[^\s:]+):(?<line>\d+):\d+(?: -|:) (?<said>(?:fatal )?error\b.*)$/, // tsc --pretty, gcc, clang: src/a.ts:3:5 - error TS2322: ...
  /^(?:vet: )?(?<path>[^\s:]+\.go):(?<line>\d+):\d+: (?<said>\S.*)$/, // go build, go vet: ./a.go:3:5: undefined: x
  /^\[ERROR\] (?<path>[^\s:]+\.java):\[(?<line>\d+),\d+\] (?<said>\S.*)$/, // javac, by maven: [ERROR] /x/ATest.java:[7,9] cannot find symbol
  /^\s*--> (?<path>[^\s:]+):(?<line>\d+):\d+$/, // rustc: --> src/lib.rs:10:5
];

/** Forms of runners. */
const runners: readonly RegExp[] = [
  /^(?<path>[^\s:]+\.py):(?<line>\d+): (?<said>.*(?:Error|Exception|Failed)\b.*)$/, // pytest: tests/test_a.py:7: AssertionError
  /^\s*(?<path>[^\s:]+\.go):(?<line>\d+):(?:\d+:)? (?<said>\S.*)$/, // go: "    a_test.go:12: got 1"
  /^(?<said>thread .* panicked at) (?:'.*', )?(?<path>[^\s:']+\.rs):(?<line>\d+):\d+:?$/, // cargo: thread 'adds' panicked at src/lib.rs:10:5:
  /^\s*\u276f (?:\S+ )?(?<path>[^\s:]+):(?<line>\d+):\d+$/, // vitest: ❯ src/a.test.ts:5:20
  /^\s*at (?:[^()]*\()?(?:file:\/\/)?(?<path>[^\s():]+):(?<line>\d+):\d+\)?$/, // node:test, mocha, jest: at add (file:///x/a.js:3:1)
  /^\s*location: '(?<path>[^\s':]+):(?<line>\d+):\d+'$/, // node:test, as TAP: location: '/x/a.test.js:5:1'
  /^\s*File "(?<path>[^"]+)", line (?<line>\d+)\b/, // A traceback of Python: File "a.py", line 3
];

/** A longer line is no runner's (characters). */
const MAX_LINE = 1000;
/** Places that are looked at for files that do not compile. */
const MOST_PLACES = 100;

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
    const { line: at, said = told, builds } = form;
    const path = said === undefined ? undefined : file(form.path);
    if (path === undefined || said === undefined) continue;
    const key = `${path}:${at}`;
    if (!found.has(key)) found.set(key, { path, line: Number(at), said, builds });
    if (form.said === undefined) told = undefined;
  }
  return [...found.values()];
}

/** Words of runners for a file that they could not load. */
const unloadable =
  /cannot import name|No module named|Cannot find (?:module|package)|does not provide an export named|Failed to (?:resolve import|load url)|SyntaxError\b/;
/** In the name under which unittest reports such a file. */
const failedToLoad = 'unittest.loader._FailedTest';

/**
 * The files that a log says do not compile or load, each with the place or the words. `failing`: tests that it names as
 * failed, without those that stand for such a file. `stopped`: by a compiler, so that others may not have run either.
 */
export function unloadedIn(log: string, files: readonly string[], failing: readonly string[]) {
  const file = fileNames(files);
  const unloaded = new Map<string, string>();
  for (const { path, line, said, builds } of failurePlaces(log, file, MOST_PLACES))
    if (builds && !unloaded.has(path)) unloaded.set(path, `${path}:${line}: ${said}`);
  const stopped = unloaded.size > 0;
  // Others report it under its path, vitest with the path once more behind it.
  const pathIn = (name: string) => file(name.replace(/ \[ .* \]$/, ''));
  const whole = new Set(failing.map(pathIn));
  const isAny = log.includes(failedToLoad);
  let last: string | undefined;
  for (const line of linesOf(log)) {
    const paths = line.split(/[\s"'()[\]:]+/).map(file);
    last = paths.findLast(Boolean) ?? last;
    if (last === undefined || unloaded.has(last) || !unloadable.test(line)) continue;
    if (isAny || whole.has(last)) unloaded.set(last, `${last}: ${line.replace(/^E? +/, '')}`);
  }
  const tests = failing.filter(name => !name.includes(failedToLoad) && !unloaded.has(pathIn(name) ?? ''));
  return { unloaded, stopped, failing: tests };
}

function placed(text: string) {
  for (const place of [...compilers, ...runners]) {
    const { path, line, said } = place.exec(text)?.groups ?? {};
    // GitHub's lines are numbers of 32 bits, from 1.
    if (path !== undefined && line !== undefined && /^[1-9]\d{0,8}$/.test(line))
      return { path, line, said, builds: compilers.includes(place) };
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
