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

/** Tests that a log names as failed, each once, in their order; at most 20. */
function failingTests(lines: readonly string[]): string[] {
  const found = new Set<string>();
  for (const line of lines) {
    if (found.size === MOST_NAMES) break;
    const name = failingTest(line);
    if (name) found.add(name);
  }
  return [...found];
}

/** The same of a log as it was printed. */
export const testsFailingIn = (log: string): string[] => failingTests(linesOf(log));

/** The test that a line of a log names as failed. */
export const failingTest = (line: string): string | undefined =>
  failures
    .map(pattern => pattern.exec(line)?.[1])
    .find(each => each !== undefined)
    ?.trim()
    .slice(0, MAX_NAME);

/** Forms in which runners name a passed test, a line each; some name no more than its file or its package. */
const passes = [
  /^\s*ok \d+ (?:- )?(.+?)(?: # (?:time=|tests=).*)?$/, // TAP
  /^\s*[\u2713\u2714] (.+?)(?: \(?\d+(?:\.\d+)? ?ms\)?)?$/, // node, mocha, jest, vitest
  /^ ?PASS {1,2}(\S.*?)(?: \(\d[\d.]* m?s\))?$/, // jest
  /^(\S+::\S.*) PASSED\b/, // pytest -v
  /^(\S+\.py) \.+ +\[ *\d+%\]$/, // pytest
  /^(\S+ \([\w.]+\)) \.\.\. ok$/, // unittest
  /^\s*--- PASS: (\S+)/, // go -v
  /^ok\s+(\S+)\s+\d+\.\d+s/, // go
  /^test (\S+) \.\.\. ok$/, // cargo
  /^(\S+ > .+) PASSED$/, // gradle
  /^\[INFO\] Tests run: [1-9]\d*, Failures: 0, Errors: 0, .* -{1,2} in (\S+)$/, // surefire
  /^\s*\d+\/\d+ Test +#\d+: (\S+) \.+ +Passed\b/, // ctest
];

/** Counted as passed by its runner, and not run. */
const notRun = /# (?:SKIP|TODO)\b/i;

/** Tests that a log names as passed: how many, and at most 20 names, those of `first` before others. */
export function testsPassingIn(log: string, first: readonly string[] = []) {
  const found = new Set<string>();
  for (const line of linesOf(log)) {
    const name = passes.map(pattern => pattern.exec(line)?.[1]).find(each => each !== undefined);
    if (name && !notRun.test(line)) found.add(name.trim().slice(0, MAX_NAME));
  }
  const wanted = new Set(first);
  const ordered = [...first.filter(name => found.has(name)), ...[...found].filter(name => !wanted.has(name))];
  return { count: found.size, names: ordered.slice(0, MOST_NAMES) };
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
