// Result of a project's test run: green, red with the tests that failed, or it could not run at all.
import { withoutColours } from '@echelon/ground';
import type { CommandResult } from '@echelon/ground/workspace';
import { SHOWN_AT } from './job-spec.ts';

export type TestOutcome =
  | { state: 'green' }
  | { state: 'red'; failing: string[] }
  /** `why`: a sentence without its full stop. */
  | { state: 'cannot_run'; why: string };

type Ended = Pick<CommandResult, 'exit_code' | 'timed_out' | 'end' | 'stdout' | 'stderr' | 'refused'>;

/**
 * `declared`: whether the project itself names this package as its dependency. Only then is a package that is not
 * found a missing dependency; else it may be what the work is to add, and the tests are red.
 */
export function testOutcome(ended: Ended, declared: (name: string) => boolean): TestOutcome {
  if (ended.exit_code === 0 && !ended.timed_out) return { state: 'green' };
  if (ended.exit_code === null || ended.timed_out)
    return { state: 'cannot_run', why: `it was ${ended.end ?? 'ended by a signal'}` };
  const lines = linesOf(`${ended.stdout}\n${ended.stderr}`);
  if (ended.exit_code === 127) return { state: 'cannot_run', why: `a program was not found (exit code 127)` };
  if (ended.exit_code === 126)
    return { state: 'cannot_run', why: `a file could not be executed (exit code 126)` };
  const missing = missingDependency(lines, declared);
  if (missing !== undefined)
    return {
      state: 'cannot_run',
      why: `the dependency ${missing}, which the project declares, is not installed`,
    };
  const failing = failingTests(lines);
  if (failing.length === 0 && lines.some(line => noNetwork.test(line)))
    return { state: 'cannot_run', why: networkWanted(ended.refused) };
  return { state: 'red', failing };
}

/** Tests that are named, and characters of a name. */
export const MOST_NAMES = 20;
export const MAX_NAME = 160;
/** A longer line is no runner's. */
const LINE = 1000;

/** Forms in which runners name a failed test, a line each. */
const failures = [
  /^\s*not ok \d+ (?:- )?(.+?)(?: # .*)?$/, // TAP
  /^\s*[\u2716\u2717\u2718\u00d7] (.+?)(?: \(?\d+(?:\.\d+)? ?ms\)?)?$/, // node, mocha, vitest
  /^\s*\u25cf (.+)$/, // jest
  /^ ?FAIL {1,2}(\S.*)$/, // jest, vitest
  /^(?:FAILED|ERROR) (\S+::\S+|\S+\.py\b)/, // pytest
  /^(?:FAIL|ERROR): (\S+ \(\S+\))/, // unittest
  /^\s*--- FAIL: (\S+)/, // go
  /^test (\S+) \.\.\. FAILED$/, // cargo
  /^\[ERROR\] {1,3}(\w+\.\w+):\d+/, // surefire
  /^rspec (\S+) # /, // RSpec
  /^\s*\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT)\)/, // ctest
];

/** Tests that a log names as failed, each once, in their order but one of each file or package first; at most 20. */
function failingTests(lines: readonly string[]): string[] {
  const places = new Map<string, number>();
  const counted = new Map<string, number>();
  // Names of Go's tests say nothing of their package, which is named at its end.
  let packages = 0;
  for (const line of lines) {
    if (line.startsWith('FAIL\t')) packages += 1;
    const name = failingTest(line);
    if (!name || places.has(name)) continue;
    const [file = '', test] = name.split(/::| > /);
    const of = test === undefined ? `${packages}` : file;
    places.set(name, counted.get(of) ?? 0);
    counted.set(of, (counted.get(of) ?? 0) + 1);
  }
  const names = [...places].toSorted(([, a], [, b]) => a - b).map(([name]) => name);
  return names.slice(0, MOST_NAMES);
}

/** The same of a log as it was printed. */
export const testsFailingIn = (log: string): string[] => failingTests(linesOf(log));

/** The test that a line of a log names as failed. */
export const failingTest = (line: string): string | undefined => readBy(failures, line);

/** Forms in which runners name a passed test, a line each. */
const passes = [
  /^\s*ok \d+ (?:- )?(.+?)(?: # (?:time=|tests=).*)?$/, // TAP
  /^\s*[\u2713\u2714] (.+?)(?: \(?\d+(?:\.\d+)? ?ms\)?)?$/, // node, mocha, jest, vitest
  /^(\S+::\S.*) PASSED\b/, // pytest -v
  /^PASSED (\S+::\S.*)$/, // pytest -rp
  /^(\S+ \([\w.]+\)) \.\.\. ok$/, // unittest -v
  /^\s*--- PASS: (\S+)/, // go -v
  /^test (\S+) \.\.\. ok$/, // cargo
  /^(\S+ > .+) PASSED$/, // gradle
  /^\s*\d+\/\d+ Test +#\d+: (\S+) \.+ +Passed\b/, // ctest
];

/** The same of a file, a class or a package, of which nobody knows how many tests it has. */
const passesWhole = [
  /^\s*[\u2713\u2714] (\S+ \(\d+ tests?\))/, // vitest
  /^ ?PASS {1,2}(\S.*?)(?: \(\d[\d.]* m?s\))?$/, // jest
  /^(\S+\.py) \.+ +\[ *\d+%\]$/, // pytest
  /^ok\s+(\S+)\s+\d+\.\d+s/, // go
  /^\[INFO\] Tests run: [1-9]\d*, Failures: 0, Errors: 0, .* -{1,2} in (\S+)$/, // surefire
];

/** Lines in which runners say how many tests have passed. */
const counts = [
  /^\s*Tests:? +(?:\d+ \w+(?: \||,) )*(\d+) passed\b/, // vitest, jest
  /^(?:=+ )?(?:\d+ \w+, )*(\d+) passed\b.* in \d[\d.]*s/, // pytest
  /^[\u2139#] pass (\d+)$/, // node
  /^\s+(\d+) passing\b/, // mocha
  /^test result: \w+\. (\d+) passed;/, // cargo
  /^(\d+) examples?, 0 failures$/, // RSpec
  /^\[INFO\] Tests run: (\d+), Failures: 0, Errors: 0, Skipped: 0$/, // surefire
  /^100% tests passed, 0 tests failed out of (\d+)$/, // ctest
];

/** Counted as passed by its runner, and not run. */
const notRun = /# (?:SKIP|TODO)\b/i;

/**
 * Tests that a log names as passed, at most 20, those of `first` before others; of a runner that names none its files or
 * packages. `count`: what runners say of themselves, else the names; absent where those are no tests.
 */
export function testsPassingIn(log: string, first: readonly string[] = []) {
  const tests = new Set<string>();
  const whole = new Set<string>();
  let said: number | undefined;
  for (const line of linesOf(log)) {
    const counted = readBy(counts, line);
    if (counted) said = (said ?? 0) + Number(counted);
    const group = readBy(passesWhole, line);
    const name = group ?? readBy(passes, line);
    if (name && !notRun.test(line)) (group ? whole : tests).add(name);
  }
  const count = said ?? (whole.size === 0 ? tests.size : undefined);
  const names = tests.size > 0 ? tests : whole;
  const wanted = first.filter(name => names.has(name));
  const ordered = [...new Set([...wanted, ...names])];
  return { ...(count && { count }), names: ordered.slice(0, MOST_NAMES) };
}

function readBy(forms: readonly RegExp[], line: string): string | undefined {
  for (const form of forms) {
    const [, found] = form.exec(line) ?? [];
    if (found !== undefined) return found.trim().slice(0, MAX_NAME);
  }
  return undefined;
}

/** A log with the paths of files in the work tree `tree`, or where a sandbox shows it, as they are from its root. */
export const fromRoot = (log: string, tree: string): string =>
  [tree, `${SHOWN_AT}/tree`].reduce((text, place) => text.replaceAll(`${place}/`, ''), log);

/** A log as lines without terminal colours. */
export const linesOf = (log: string): string[] =>
  withoutColours(log)
    .split(/\r?\n/)
    .filter(line => line.length <= LINE);

/** Messages about a missing package: Node, Python. Paths are files of the project. */
const notFound = [
  /Cannot find (?:module|package) '((?:@[\w.-]+\/)?[\w-][\w.-]*)/,
  // Of a dotted one the package is there, and a module of it is not.
  /No module named '?([\w-]+)(?![\w.-])/,
  /Failed to resolve import "((?:@[\w.-]+\/)?[\w-][\w.-]*)/,
];

function missingDependency(
  lines: readonly string[],
  declared: (name: string) => boolean,
): string | undefined {
  const named = lines.flatMap(line => notFound.flatMap(pattern => pattern.exec(line)?.[1] ?? []));
  return [...new Set(named)].slice(0, MOST_NAMES).find(declared);
}

const noNetwork =
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|Temporary failure in name resolution|dial tcp: lookup |Could not resolve host|Unable to update registry|failed to download|Could not transfer artifact|Network is unreachable|(?:CONNECT tunnel|Tunnel connection) failed|^(?!\[sandbox\] ).*network refused for host /;

/** Hosts that are named in a sentence. */
const MOST_REFUSED = 3;

/** `refused`: by the sandbox's proxy; undefined: it had none. */
function networkWanted(refused: readonly string[] | undefined): string {
  if (refused === undefined) return 'it wanted the network, which `network` does not allow here';
  if (refused.length > 0) return refused.slice(0, MOST_REFUSED).join('; ');
  return 'it wanted the network without a proxy: clients that do not read `HTTPS_PROXY` are not supported in the sandbox';
}
