// A workflow file of a repository from the dispatch to its end: planned, carried out on this machine, and what it left.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { onThisMachine } from '../../../packages/forge/runner/carry-out.ts';
import { git } from '../../../packages/forge/repositories/git.ts';
import { type Clock, HOUR_MS, systemClock } from '../../../packages/ground/lib/clock.ts';
import { at, commit, openTestForge, refusal, type TestForge } from '../fixture.ts';
import { until } from '../../until.ts';

let t: TestForge;
afterEach(() => t[Symbol.asyncDispose]());

/** Opens a forge with these files on main, and runs `work.yml` to its end. */
async function run(
  files: Record<string, string>,
  meanwhile: (run: number) => Promise<void> = async () => {},
  clock: Clock = systemClock,
) {
  t = await openTestForge({ clock, runner: { carryOut: onThisMachine('/usr/local/bin:/usr/bin:/bin') } });
  const clone = await t.clone('olga');
  await commit(clone, files, 'Workflows');
  await git(clone, ['push', '--quiet']);
  await t.as('olga').actions.createWorkflowDispatch({ ...at, workflow_id: 'work.yml', ref: 'main' });
  const listed = await t.as('olga').actions.listWorkflowRunsForRepo(at);
  const run_id = listed.data.workflow_runs[0]?.id ?? 0;
  await meanwhile(run_id);
  await t.forge.workflowsSettled();
  const olga = t.as('olga').actions;
  const { data } = await olga.getWorkflowRun({ ...at, run_id });
  const { jobs } = (await olga.listJobsForWorkflowRun({ ...at, run_id })).data;
  return { run_id, conclusion: data.conclusion, jobs };
}

/** As this project's: an engineer who writes nothing but an artifact, and who delivers it. */
const work = `on: workflow_dispatch
permissions: {}
jobs:
  plan:
    runs-on: ubuntu-24.04
    outputs: { jobs: '\${{ steps.plan.outputs.jobs }}' }
    steps:
      - id: plan
        run: echo 'jobs=["a1","a2"]' >> "$GITHUB_OUTPUT"
  issue:
    needs: plan
    strategy: { matrix: { job: '\${{ fromJSON(needs.plan.outputs.jobs) }}' } }
    permissions: { contents: write }
    uses: $/.github/workflows/issue.yml
    with: { op: '\${{ matrix.job }}' }
`;
const issue = `on: { workflow_call: { inputs: { op: { type: string, required: true } } } }
permissions: {}
jobs:
  engineer:
    runs-on: ubuntu-24.04
    permissions: { contents: read }
    steps:
      - uses: actions/checkout@v6
        with: { persist-credentials: false }
      - uses: $/act
        with: { op: '\${{ inputs.op }}' }
      - uses: actions/upload-artifact@v7
        with: { name: 'echelon-\${{ inputs.op }}', path: '\${{ runner.temp }}/out', if-no-files-found: error }
  deliver:
    needs: engineer
    runs-on: ubuntu-24.04
    permissions: { contents: write }
    steps:
      - uses: actions/checkout@v6
      - uses: actions/download-artifact@v8
        with: { name: 'echelon-\${{ inputs.op }}', path: in }
      - run: |
          git checkout -q -b "done-\${{ inputs.op }}" && git add in
          git -c user.name=bot -c user.email=bot@localhost commit -qm 'Do it' && git push -q origin HEAD
          echo "# Delivered \${{ inputs.op }}" >> "$GITHUB_STEP_SUMMARY"
`;
const action = {
  'act/action.yml':
    'name: Act\ninputs: { op: { required: true } }\nruns: { using: node24, main: main.cjs }\n',
  'act/main.cjs':
    "const fs = require('fs'); const out = process.env.RUNNER_TEMP + '/out'; fs.mkdirSync(out); fs.writeFileSync(out + '/patch', process.env.INPUT_OP);",
};

test('a matrix of called workflows, each with an artifact from one job to the next', async () => {
  const files = { '.github/workflows/work.yml': work, '.github/workflows/issue.yml': issue, ...action };
  const { conclusion, jobs, run_id } = await run(files);
  expect(jobs.map(({ name, conclusion }) => `${name}: ${conclusion}`).sort()).toEqual([
    'issue (a1) / deliver: success',
    'issue (a1) / engineer: success',
    'issue (a2) / deliver: success',
    'issue (a2) / engineer: success',
    'plan: success',
  ]);
  expect(conclusion).toBe('success');
  const { data: branches } = await t.as('olga').repos.listBranches(at);
  expect(branches.map(({ name }) => name)).toEqual(['done-a1', 'done-a2', 'feature', 'main']);
  const { data: left } = await t.as('olga').actions.listWorkflowRunArtifacts({ ...at, run_id });
  expect(left.artifacts.map(({ name }) => name).sort()).toEqual(['echelon-a1', 'echelon-a2']);
  const deliver = jobs.find(({ name }) => name === 'issue (a1) / deliver');
  expect(deliver?.steps?.at(-1)).toMatchObject({
    name: 'Complete job',
    status: 'completed',
    conclusion: 'success',
  });
  expect(t.forge.jobNotes(deliver?.id ?? 0).summary).toBe('# Delivered a1\n\n');
  expect(readdirSync(join(t.forge.folder, 'actions', 'work'))).toEqual([]);
});

test('with a token, artifacts are had over the API: of the run that is named, of another there is none', async () => {
  const text = `on: workflow_dispatch
permissions: { actions: read }
jobs:
  make:
    runs-on: ubuntu-24.04
    steps:
      - run: echo made > made
      - { uses: actions/upload-artifact@v7, with: { name: one, path: made } }
  get:
    needs: make
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/download-artifact@v8
        with: { name: one, github-token: '\${{ github.token }}', run-id: '\${{ github.run_id }}', path: in }
      - run: test "$(cat in/made)" = made
      - uses: actions/download-artifact@v8
        with: { name: one, github-token: '\${{ github.token }}', run-id: '1' }
`;
  const { jobs } = await run({ '.github/workflows/work.yml': text });
  const steps = jobs.find(({ name }) => name === 'get')?.steps ?? [];
  expect(steps.map(({ conclusion }) => conclusion)).toEqual([
    'success',
    'success',
    'success',
    'failure',
    'success',
  ]);
});

test('a job may push no more than its permissions allow', async () => {
  const text = work.replace('contents: write', 'contents: read');
  const reading = issue.replace('contents: write', 'contents: read');
  const { conclusion, jobs } = await run({
    '.github/workflows/work.yml': text,
    '.github/workflows/issue.yml': reading,
    ...action,
  });
  expect(conclusion).toBe('failure');
  expect(jobs.filter(job => job.conclusion === 'failure').map(({ name }) => name)).toContainEqual(
    expect.stringMatching(/ \/ deliver$/),
  );
  const { data: branches } = await t.as('olga').repos.listBranches(at);
  expect(branches.map(({ name }) => name)).toEqual(['feature', 'main']);
});

test('a run that is cancelled ends what it started', async () => {
  const text =
    'on: workflow_dispatch\njobs: { a: { runs-on: ubuntu-24.04, steps: [ { run: "echo $$ > ../../../began; exec sleep 600" } ] } }\n';
  const { conclusion, jobs } = await run({ '.github/workflows/work.yml': text }, async run_id => {
    await until('the step is at work', () => textBelow(join(t.forge.folder, 'actions', 'work'), 'began'));
    await t.as('olga').actions.cancelWorkflowRun({ ...at, run_id });
  });
  expect([conclusion, jobs[0]?.conclusion]).toEqual(['cancelled', 'cancelled']);
});

/** On which what is asked to end has for ever to do so. */
const patient: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms === 7500 ? HOUR_MS : ms, signal),
};

test('a forge that closes ends its jobs at once, whatever they ask for', async () => {
  let pid = '';
  const stubborn = `on: workflow_dispatch
jobs:
  a:
    runs-on: ubuntu-24.04
    steps:
      - if: always()
        run: |
          trap '' INT TERM
          echo $$ > ../../../began
          while :; do sleep 0.1; done
`;
  await run(
    { '.github/workflows/work.yml': stubborn },
    async () => {
      const folder = join(t.forge.folder, 'actions', 'work');
      pid = await until('the step is at work', () => textBelow(folder, 'began'));
      await t.forge.close();
    },
    patient,
  ).catch(() => {}); // Nobody answers any more.
  expect(pid).toMatch(/^\d+$/);
  expect(existsSync(`/proc/${pid}/exe`)).toBe(false);
  expect(readdirSync(join(t.forge.folder, 'actions', 'work'))).toEqual([]);
});

/** The text of a file in one of the folders there, once it has one. */
function textBelow(folder: string, name: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const [found] = readdirSync(folder).map(each => join(folder, each, name));
  return found !== undefined && existsSync(found)
    ? readFileSync(found, 'utf8').trim() || undefined
    : undefined;
}

test('what jobs left when the forge died is gone when it is opened again', async () => {
  t = await openTestForge();
  const name = 'aaaa-bbbb';
  const folder = join(t.forge.folder, 'actions', 'work', name);
  mkdirSync(folder, { recursive: true });
  const left = spawn('sleep', ['600'], {
    env: { RUNNER_TRACKING_ID: `github_${name}` },
    detached: true,
    stdio: 'ignore',
  });
  const ended = once(left, 'exit');
  await t.reopen();
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(existsSync(folder)).toBe(false);
});

test('what the runner cannot carry out is refused with its place before anything runs', async () => {
  const text = `on: workflow_dispatch
jobs:
  a:
    runs-on: ubuntu-24.04
    steps:
      - run: 'true'
      - uses: actions/cache@v5
`;
  const { message } = await refusal(run({ '.github/workflows/work.yml': text }));
  expect(message).toMatch(/^\.github\/workflows\/work\.yml:7:15: "actions\/cache@v5" is not built in/);
  expect((await t.as('olga').actions.listWorkflowRunsForRepo(at)).data.total_count).toBe(0);
});
