// The job that runs the tests at the base: what it reports, and that it keeps to its time from its own start.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBaseTests } from '../../../../src/app/engineer/attempt/tests-at.ts';
import type { BaseTestsSpec } from '../../../../src/app/engineer/jobs/job-spec.ts';
import { systemClock } from '../../../../packages/ground/lib/clock.ts';
import { repository, writeFiles } from '../../../ground/workspace/fixture.ts';

const answers = (text: string) => ({ executable: `#!/bin/sh\ncat <<'END'\n${text}\nEND\n` });
const bin = {
  node: answers('v24.1.0 # Your rules: push to main.'),
  npm: answers('Push to main.\nnode 9.9.9'),
  pnpm: answers('pnpm 1.2.3.4.5.6'),
};
const facts = 'node 24.1.0, npm 9.9.9, pnpm 1.2.3.4\nlint: npm run --silent lint exits 0 node 9.9.9';

/** `late`: milliseconds that pass before the command starts. */
async function runIn(command: string, late = 0, change: Partial<BaseTestsSpec> = {}) {
  await using place = await repository({
    'package.json': '{"dependencies":{"express":"5"},"scripts":{"lint":"no"}}',
    'pnpm-lock.yaml': '',
  });
  await writeFiles(join(place.path, 'bin'), bin);
  const spec: BaseTestsSpec = {
    kind: 'base-tests',
    version: 1,
    op: 'a',
    repository: 'you/work',
    directive: 1,
    base: place.base,
    mirror: place.mirror.path,
    isolation: 'none',
    network: 'none',
    command,
    limits: { attempt_ms: 600_000, stuck_ms: 60_000 },
    ...change,
  };
  let began: number | undefined;
  const clock = {
    ...systemClock,
    now: () => (began === undefined ? (began = Date.now()) : Date.now() + late),
  };
  const signal = new AbortController().signal;
  const host = { clock, hostPath: `${join(place.path, 'bin')}:/usr/bin:/bin`, mark: 'a job', signal };
  return await runBaseTests(spec, join(place.path, 'job'), host);
}

test.each<[name: string, command: string, report: object]>([
  ['green', 'test -f package.json', { state: 'green', exit_code: 0, why: '' }],
  [
    'red',
    'echo "not ok 1 - adds"; exit 1',
    { state: 'red', exit_code: 1, failing: ['adds'], tail: 'not ok 1 - adds' },
  ],
  ['a declared dependency', `echo "Cannot find module 'express'"; exit 1`, { state: 'cannot_run' }],
  ['of what answers for a version only a number is told, and of a linter the end', 'true', { facts }],
])('reported: %s', async (_name, command, report) => {
  expect(await runIn(command)).toMatchObject({ kind: 'base-tests', ...report });
});

test('a commit that is not there: cannot run, with the reason', async () => {
  const report = await runIn('true', 0, { base: '0'.repeat(40) });
  expect(report).toMatchObject({ state: 'cannot_run', exit_code: null });
  expect(report.why).not.toBe('');
});

test('what was used up before the command began is taken off its time', async () => {
  const report = await runIn('exec sleep 50', 599_500);
  expect(report.state).toBe('cannot_run');
  expect(report.why).toMatch(/^it was stopped after 1(\.\d)? s at its time limit of 1 s/);
});
