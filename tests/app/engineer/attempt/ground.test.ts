// Prepared environments: installed once by setup in the sandbox, for which lock files. Go and npm if installed.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBaseTests } from '../../../../src/app/engineer/attempt/tests-at.ts';
import { guessSetup } from '../../../../src/app/engineer/project/guess-setup.ts';
import { runIntegration } from '../../../../src/app/engineer/integration/integration-job.ts';
import type { BaseTestsSpec } from '../../../../src/app/engineer/jobs/job-spec.ts';
import { systemClock } from '../../../../packages/ground/lib/clock.ts';
import { bubblewrapFault } from '../../../../packages/ground/workspace/isolation.ts';
import { productTemplates } from '../../../../src/engine/runtime/commit-templates.ts';
import { director, evaluator } from '../../../dialogue/script.ts';
import { type Files, repository } from '../../../ground/workspace/fixture.ts';
import { filesOf } from '../guess-files.ts';
import { playJob } from '../play-job.ts';

const path = process.env['PATH'] ?? '';
const fault = await bubblewrapFault();
const unless = fault === undefined ? '' : ' (skipped: no bubblewrap)';
const isolated = test.skipIf(fault !== undefined);

/** Leaves something else each time that it runs, in the home and in a file that git ignores. */
const setup = 'cat /proc/sys/kernel/random/uuid > ~/made; mkdir -p node_modules; cp ~/made node_modules/made';
const command = 'pwd; cat ~/made node_modules/made; echo changed > ~/made; echo changed > node_modules/made';
const project: Files = { '.gitignore': 'node_modules/\n', 'package-lock.json': '{}\n', 'a.js': '1\n' };

type Place = Awaited<ReturnType<typeof repository>>;
let jobs = 0;
/** The tests at a commit (default: the base) as a job of their own. */
async function testsIn(place: Place, change: Partial<BaseTestsSpec> = {}) {
  const spec = { ...specOf(place), setup: { command: setup, base: place.base }, ...change };
  return await runBaseTests(spec, join(place.path, `job-${(jobs += 1)}`), host);
}
const host = { clock: systemClock, hostPath: path, mark: 'a job', signal: new AbortController().signal };
const specOf = ({ base, mirror }: Place): BaseTestsSpec => ({
  ...{ kind: 'base-tests', version: 1, op: 'a', repository: 'you/work', directive: 1 },
  ...{ base, mirror: mirror.path, isolation: 'bubblewrap', network: 'none', command },
  limits: { attempt_ms: 600_000, stuck_ms: 600_000 },
});

const grounds = ({ mirror }: Place) =>
  existsSync(join(mirror.path, 'grounds'))
    ? readdirSync(join(mirror.path, 'grounds')).filter(name => /^[0-9a-f]+$/.test(name))
    : [];

isolated(
  `three jobs of a run, side by side: installed once, and what one changes no other has${unless}`,
  async () => {
    await using place = await repository(project);
    const reports = await Promise.all([testsIn(place), testsIn(place), testsIn(place)]);
    const [one = '', ...others] = reports.map(({ tail }) => tail);
    expect(one).toMatch(/^\/job\/tree\n([\da-f-]{36})\n\1$/);
    expect(others).toEqual([one, one]);
  },
);

isolated(`another lockfile at the base, or another command: installed anew${unless}`, async () => {
  await using place = await repository(project);
  const { tail: before } = await testsIn(place);
  const base = await place.commit({ 'package-lock.json': '{"lockfileVersion":3}\n' }, 'main');
  await place.mirror.fetch();
  const { tail: locked } = await testsIn(place, { base, setup: { command: setup, base } });
  const { tail: other } = await testsIn(place, { setup: { command: `${setup}; true`, base: place.base } });
  expect(new Set([before, locked, other]).size).toBe(3);
});

isolated(`a branch’s code installs nothing that a job at the base starts from${unless}`, async () => {
  await using place = await repository({ ...project, 'install.sh': 'echo of the base > ~/made\n' });
  const branch = await place.commit(
    { 'package-lock.json': '{"a":1}\n', 'install.sh': 'echo of the branch > ~/made\n' },
    'branch',
  );
  const same = await place.commit({ 'install.sh': 'echo of the branch > ~/made\n' }, 'same');
  await place.mirror.fetch();
  const at = (commit: string, base = place.base) =>
    testsIn(place, { base: commit, command: 'cat ~/made', setup: { command: 'sh install.sh', base } });
  expect((await at(branch)).tail).toBe('of the branch');
  expect((await at(same)).tail).toBe('of the base');
  // A later run begins where that lockfile is the base's.
  const base = await place.commit({ 'package-lock.json': '{"a":1}\n' }, 'later');
  await place.mirror.fetch();
  expect((await at(base, base)).tail).toBe('of the base');
});

isolated(`the tests of all branches together start from it${unless}`, async () => {
  await using place = await repository(project);
  const { tail } = await testsIn(place);
  const commit = await place.commit({ 'b.js': '2\n' }, 'b');
  await place.mirror.fetch();
  const report = await runIntegration(
    {
      ...{ ...specOf(place), kind: 'integration', setup: { command: setup, base: place.base } },
      ...{ branches: [{ issue: 2, commit }], before: null, green: [] },
    },
    join(place.path, 'together'),
    host,
  );
  expect(report).toMatchObject({ state: 'green', tail });
});

test('without a sandbox each job installs in its own checkout, which its folder has a name for', async () => {
  await using place = await repository(project);
  const { tail } = await testsIn(place, { isolation: 'none', command: 'cat ~/made node_modules/made' });
  expect(tail).toMatch(/^([\da-f-]{36})\n\1$/);
  expect(grounds(place)).toEqual([]);
});

test.each(['none', ...(fault === undefined ? (['bubblewrap'] as const) : [])] as const)(
  'a setup that fails, with isolation %s: the tests are not begun, and its words and its output’s end are told',
  async isolation => {
    await using place = await repository(project);
    const failing = 'echo "no such package: left-pad" >&2; exit 7';
    const report = await testsIn(place, { isolation, setup: { command: failing, base: place.base } });
    expect(report).toMatchObject({
      state: 'cannot_run',
      why: `the setup (\`${failing}\`) exited 7`,
      tail: 'no such package: left-pad',
      setup: failing,
    });
  },
);

test('an engineer whose setup fails asks no model, and says what to do', async () => {
  await using place = await repository(project);
  const calls: string[] = [];
  const changes = { setup: { command: 'echo broken; false', base: place.base } };
  const { report } = await playJob(place, 'job', [], changes, { calls, spent: [] });
  expect(report).toMatchObject({ kind: 'failed', class: 'setup', log_tail: 'broken', cost_usd: 0 });
  expect(report.feedback).toMatch(/^the setup \(`echo broken; false`\) exited 1\. Set `setup` in /);
  expect(calls).toEqual([]);
});

test('without a setup nothing is kept, and nothing is asked of any tool', async () => {
  await using place = await repository(project);
  const spec = { ...specOf(place), isolation: 'none' as const, command: 'true' };
  await runBaseTests(spec, join(place.path, 'job'), host);
  expect(existsSync(join(place.mirror.path, 'grounds'))).toBe(false);
});

isolated(
  `what the setup runs has the proxy of the registries, no network of its own, and no variable of ours${unless}`,
  async () => {
    await using place = await repository(project);
    process.env['ECHELON_CANARY'] = 'leaked-secret';
    const look = '(env; cat /proc/self/environ) > ~/seen; cat /proc/net/dev > ~/net';
    const seen = async (network: BaseTestsSpec['network']) => {
      const { tail } = await testsIn(place, {
        ...{ setup: { command: look, base: place.base }, network },
        command: 'cat ~/seen ~/net',
      });
      expect(tail).toContain('HOME=/job/home');
      expect(tail).toMatch(/^HTTPS_PROXY=http:\/\/127\.0\.0\.1:\d+$/m);
      expect(tail).not.toContain('leaked-secret');
      return [...tail.matchAll(/^ *([\w.-]+):(?: +\d+){16}$/gm)].map(([, name]) => name);
    };
    expect(await seen('none')).toEqual(['lo']);
    expect(await seen('all')).toEqual(['lo']);
    delete process.env['ECHELON_CANARY'];
  },
);

const has = (program: string) => {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`], { env: { PATH: path } }).length > 0;
  } catch {
    // It is not there.
    return false;
  }
};

const goLibrary: Files = {
  'go.mod': 'module example.org/size\n\ngo 1.20\n',
  'size.go': 'package size\n\nimport "strconv"\n\nfunc Of(n int) string { return strconv.Itoa(n) + " B" }\n',
  'size_test.go':
    'package size\n\nimport "testing"\n\nfunc TestOf(t *testing.T) {\n\tif Of(3) != "3 B" {\n\t\tt.Fatal(Of(3))\n\t}\n}\n',
};

test.skipIf(fault !== undefined || !has('go'))(
  'a Go library: the first test run of the second job takes at most 1.3 times as long as a warm one (skipped without go and bubblewrap)',
  async () => {
    await using place = await repository(goLibrary);
    const guess = await guessSetup(filesOf(goLibrary as Record<string, string>));
    const setup = { command: guess?.command ?? '', base: place.base };
    expect(await testsIn(place, { setup, command: 'true' })).toMatchObject({ state: 'green' });
    // Processor time of go and of all that it starts: other work on the machine does not count. Each run has as much to
    // compile as the first one has after a change.
    const run = 'time go test -count=1 ./... || exit 1; echo "// again" >> size_test.go';
    const test_command = `TIMEFORMAT="took %U %S"; ${[run, run, run].join('; ')}`;
    let judged = '';
    const { report, files } = await playJob(
      place,
      'second',
      [
        ...director('Add a mark', { 'size_test.go': String(goLibrary['size_test.go']).replaceAll('3', '4') }),
        evaluator('took', true),
      ],
      {
        ...{ library: [productTemplates()], isolation: 'bubblewrap', setup },
        settings: { test_command, rounds: '1' },
      },
      {
        ...{ calls: [], spent: [] },
        before: async request => void (judged = JSON.stringify(request.messages)),
      },
    );
    expect(report).toMatchObject({ kind: 'bundle', tests: { exit_code: 0 } });
    expect(files).toEqual(['size_test.go']);
    const third = await testsIn(place, { setup, command: test_command });
    const ratios = [judged, third.tail].map(output => {
      const [first = Infinity, ...warm] = [...output.matchAll(/took ([\d.]+) ([\d.]+)/g)].map(
        ([, user, system]) => Number((Number(user) + Number(system)).toFixed(3)),
      );
      console.log(`Go: the first test run of a job took ${first} s, warm ones ${warm.join(' and ')} s`);
      return first / Math.max(...warm);
    });
    expect(Math.min(...ratios)).toBeLessThanOrEqual(1.3);
  },
  600_000,
);
