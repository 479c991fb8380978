// Runners that keep results of tests: how each is told to run them all the same, and how it says that it did not. Pure.
import { linesOf } from './test-outcome.ts';

interface ResultCache {
  runner: string;
  /** Has it run everything; none: no variable of the environment does that. */
  env: Readonly<Record<string, string>>;
  /** A line of its output by which a result is an earlier one. */
  replayed: RegExp;
  source: string;
}

/**
 * jest, vitest, pytest and cargo keep none: what jest's `--no-cache` and pytest's cacheprovider are about is
 * transformed files and the order of tests.
 */
const resultCaches: readonly ResultCache[] = [
  {
    runner: 'go test',
    // A flag in GOFLAGS counts for the commands that know it: build and vet do not mind.
    env: { GOFLAGS: '-count=1' },
    replayed: /^ok\s+\S+\s+\(cached\)/,
    source: 'https://pkg.go.dev/cmd/go#hdr-Environment_variables',
  },
  {
    runner: 'Turborepo',
    env: { TURBO_FORCE: 'true' },
    replayed: /\bcache hit, (?:replaying|suppressing) (?:logs|output)\b/,
    source: 'https://turborepo.com/docs/reference/system-environment-variables',
  },
  {
    runner: 'Nx',
    env: { NX_SKIP_NX_CACHE: 'true' },
    replayed: /\[(?:existing outputs match the cache, left as is|local cache|remote cache)\]/,
    source: 'https://nx.dev/reference/environment-variables',
  },
  {
    runner: 'moon',
    // `off` would install dependencies anew.
    env: { MOON_CACHE: 'write' },
    replayed: /\s\(cached(?:, [^()]*)?\)$/,
    source: 'https://moonrepo.dev/docs/commands/overview#caching',
  },
  {
    runner: 'Pants',
    env: { PANTS_TEST_FORCE: 'true' },
    replayed: /\((?:cached locally|cached remotely|memoized)\)\.?$/,
    source: 'https://www.pantsbuild.org/stable/reference/goals/test#force',
  },
  {
    runner: 'Bazel',
    env: {},
    replayed: /\s\(cached\) PASSED\b/,
    source: 'https://bazel.build/docs/user-manual#cache-test-results',
  },
  {
    runner: 'Gradle',
    // GRADLE_OPTS gives way to the project's own gradle.properties.
    env: {},
    replayed: /^> Task (?::[\w.-]+)*:(?:test|\w*Test) (?:FROM-CACHE|UP-TO-DATE)$/,
    source: 'https://docs.gradle.org/current/userguide/build_environment.html',
  },
  {
    runner: 'Wireit',
    env: {},
    replayed: /\] (?:Already fresh|Restored from cache)\b/,
    source: 'https://github.com/google/wireit#caching',
  },
];

/** Variables under which the tests of a verdict run: anew; and pytest runs and names all that it can. */
export const runsAnew: Readonly<Record<string, string>> = Object.assign(
  { PYTEST_ADDOPTS: '--continue-on-collection-errors -rfEp' },
  ...resultCaches.map(({ env }) => env),
);

/** Characters of a line that is told. */
const SHOWN = 160;

/** The first line of a log by which a result was not made anew. */
export const replayedIn = (log: string): string | undefined =>
  linesOf(log)
    .find(line => resultCaches.some(({ replayed }) => replayed.test(line)))
    ?.trim()
    .slice(0, SHOWN);
