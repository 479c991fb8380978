// The job that tests the delivered branches together: what it names where they are red, and what it leaves alone.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runIntegration } from '../../../../src/app/engineer/integration/integration-job.ts';
import type { IntegrationSpec } from '../../../../src/app/engineer/jobs/job-spec.ts';
import { systemClock } from '../../../../packages/ground/lib/clock.ts';
import { repository } from '../../../ground/workspace/fixture.ts';

/** Each branch adds the file of its name; `stacked`: c stands on a. `command` is the project's test. */
async function together(
  command: string,
  change: Partial<IntegrationSpec> & { stacked?: boolean; pushed?: string; late?: number } = {},
) {
  const { stacked, pushed, late = 0, ...more } = change;
  await using place = await repository({ base: '1\n' });
  const branches: IntegrationSpec['branches'] = [];
  for (const [at, name] of ['a', 'b', 'c'].entries())
    branches.push({ issue: at + 1, commit: await place.commit({ [name]: '1\n' }, name) });
  const base = pushed === undefined ? place.base : await place.commit({ [pushed]: '1\n' }, 'main');
  await place.mirror.fetch();
  const [a, , c] = branches;
  if (stacked && a && c) {
    const fields = { message: 'Over it', date: '2026-01-02T03:04:05Z' };
    const made = await place.mirror.merge([a.commit, c.commit], fields);
    if ('commit' in made) c.commit = made.commit;
  }
  let looks = 0;
  // The first look at the clock is that of the beginning.
  const clock = { ...systemClock, now: () => Date.now() + (looks++ === 0 ? 0 : late) };
  const host = {
    clock,
    hostPath: process.env['PATH'] ?? '',
    mark: 'a job',
    signal: new AbortController().signal,
  };
  const spec: IntegrationSpec = {
    kind: 'integration',
    version: 1,
    op: 'a',
    repository: 'you/work',
    directive: 1,
    base,
    mirror: place.mirror.path,
    isolation: 'none',
    network: 'none',
    command,
    limits: { attempt_ms: 60_000, stuck_ms: 60_000 },
    branches,
    before: { state: 'green', failing: [] },
    green: [],
    ...more,
  };
  return await runIntegration(spec, join(place.path, 'job'), host);
}

const failsWith = (...files: string[]) =>
  `${files.map(file => `test -e ${file}`).join(' && ')} && { echo "not ok 1 - fits"; exit 1; } || true`;

test.each<[name: string, command: string, change: Parameters<typeof together>[1], report: object]>([
  ['green', 'test -e a -a -e b -a -e c', {}, { state: 'green', cause: [] }],
  ['a pair', failsWith('a', 'c'), {}, { state: 'red', cause: [1, 3], failing: ['fits'], exit_code: 1 }],
  ['a pair, of which one has another on it', failsWith('a', 'b'), { stacked: true }, { cause: [1, 2] }],
  ['a pair, of which one stands on another', failsWith('b', 'c'), { stacked: true }, { cause: [2, 3] }],
  ['three', failsWith('a', 'b', 'c'), {}, { state: 'red', cause: [1, 2, 3] }],
  [
    'one that fails on what was pushed to the base meanwhile',
    failsWith('b', 'new'),
    { pushed: 'new', before: null },
    { state: 'red', cause: [2] },
  ],
  [
    'red before: no news',
    'echo "not ok 1 - old"; exit 1',
    { before: { state: 'red', failing: ['old'] } },
    { state: 'red', cause: [], failing: [] },
  ],
  [
    'red before, and something new',
    'echo "not ok 1 - old"; test -e b && echo "not ok 2 - fits"; exit 1',
    { before: { state: 'red', failing: ['old'] } },
    { state: 'red', cause: [2], failing: ['fits'] },
  ],
  [
    'red on the base by what was pushed to it: no news',
    failsWith('new'),
    { pushed: 'new', before: null },
    { state: 'red', cause: [] },
  ],
  ['they cannot run', 'exec no-such-runner', {}, { state: 'cannot_run', cause: [] }],
  [
    'half of the time is used up: all that may be the cause',
    failsWith('a', 'c'),
    { late: 31_000 },
    { state: 'red', cause: [1, 2, 3] },
  ],
])('%s', async (_name, command, change, report) => {
  expect(await together(command, change)).toMatchObject({ kind: 'integration', ...report });
});
