// What a run of a project's tests came to: green, red with the tests that failed, or it could not run at all.
import type { CommandResult } from '../../workspace/command-end.ts';

export type TestOutcome =
  | { state: 'green' }
  | { state: 'red'; failing: string[] }
  /** `why`: a sentence without its full stop. */
  | { state: 'cannot_run'; why: string };

type Ended = Pick<CommandResult, 'exit_code' | 'timed_out' | 'end' | 'stdout' | 'stderr'>;

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
    return { state: 'cannot_run', why: 'it wanted the network, which commands do not have here' };
  return { state: 'red', failing };
}

/** Tests that are named, and characters of a name. */
const MOST = 20;
const NAME = 160;
/** A longer line is no runner's. */
const LINE = 1000;

/** How runners name a test that failed, a line each. */
const failures = [
  /^\s*not ok \d+ (?:- )?(.+?)(?: # .*)?$/, // TAP
  /^\s*[\u2716\u2717\u2718\u00d7] (.+?)(?: \(?\d+(?:\.\d+)? ?ms\)?)?$/, // node, mocha, vitest
  /^\s*\u25cf (.+)$/, // jest
  /^ ?FAIL {1,2}(\S.*)$/, // jest, vitest
  /^(?:FAILED|ERROR) (\S+::\S+)/, // pytest
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
    if (found.size === MOST) break;
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
    .slice(0, NAME);

/** A log as lines without terminal colours. */
const linesOf = (log: string): string[] =>
  log
    .replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '')
    .split(/\r?\n/)
    .filter(line => line.length <= LINE);

/** How a package that is not there is told of: Node, Python. Paths are files of the project. */
const notFound = [
  /Cannot find (?:module|package) '((?:@[\w.-]+\/)?[\w-][\w.-]*)/,
  /No module named '?([\w-]+)/,
  /Failed to resolve import "((?:@[\w.-]+\/)?[\w-][\w.-]*)/,
];

function missingDependency(
  lines: readonly string[],
  declared: (name: string) => boolean,
): string | undefined {
  const named = lines.flatMap(line => notFound.flatMap(pattern => pattern.exec(line)?.[1] ?? []));
  return [...new Set(named)].slice(0, MOST).find(declared);
}

const noNetwork =
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|Temporary failure in name resolution|dial tcp: lookup |Could not resolve host|Unable to update registry|failed to download|Could not transfer artifact|Network is unreachable/;
