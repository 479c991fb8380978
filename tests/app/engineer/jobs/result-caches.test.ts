// Results of tests that a runner took from its cache: run anew where its environment can say so, and told where it cannot.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayedIn, runsAnew } from '../../../../src/app/engineer/jobs/result-caches.ts';
import { temporary, writeFiles } from '../../../ground/workspace/fixture.ts';

test.each<[runner: string, line: string]>([
  ['go', 'ok  \texample.com/m\t(cached)'],
  ['go, with its coverage', 'ok  \texample.com/m\t(cached)\tcoverage: 90.0% of statements'],
  ['turbo', 'web:test: cache hit, replaying logs 1f2e3d'],
  ['nx', '✔ nx run ui:test [existing outputs match the cache, left as is]'],
  ['nx, from another machine', '   ✔  nx run ui:test  [remote cache]'],
  ['moon', 'pass app:test (cached, b6ed5a24)'],
  ['pants', '✓ src/a_test.py:tests succeeded in 0.35s (cached locally).'],
  ['bazel', '//a:b (cached) PASSED in 0.1s'],
  ['gradle', '> Task :app:test FROM-CACHE'],
  ['gradle, where nothing has changed', '> Task :integrationTest UP-TO-DATE'],
  ['wireit', '✅ [test] Already fresh'],
])('%s says that a result is an earlier one', (_runner, line) => {
  expect(replayedIn(`before\n\x1b[32m${line}\x1b[0m\nafter`)).toBe(line.trim());
});

test.each([
  'ok  \texample.com/m\t0.003s',
  'web:test: cache bypass, force executing c7223f',
  '> Task :compileTestJava UP-TO-DATE',
  '✔ keeps what is (cached) for a day (1.2ms)',
])('%j tells of no cache', line => {
  expect(replayedIn(line)).toBeUndefined();
});

const go = ['/usr/bin', '/usr/local/go/bin', ...(process.env['PATH'] ?? '').split(':')]
  .map(folder => join(folder, 'go'))
  .find(existsSync);

test.skipIf(go === undefined)(
  'go lists, builds and vets under what has it run its tests anew (skipped without go)',
  async () => {
    await using place = await temporary();
    await writeFiles(place.path, { 'go.mod': 'module example.com/m\n\ngo 1.20\n', 'a.go': 'package m\n' });
    const run = (...args: string[]) =>
      execFileSync(go ?? '', args, {
        cwd: place.path,
        env: { PATH: '/usr/bin:/bin', HOME: place.path, CGO_ENABLED: '0', GOFLAGS: '-mod=mod', ...runsAnew },
        encoding: 'utf8',
      });
    expect(run('env', 'GOFLAGS')).toBe('-count=1\n');
    // Each refuses a flag of GOFLAGS that no command knows.
    expect([run('list'), run('build'), run('vet')]).toEqual(['example.com/m\n', '', '']);
  },
);
