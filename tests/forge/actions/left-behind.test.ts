// Results of a run: artifacts and logs over the API, and the pages that show runs, jobs and summaries.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { artifactStore } from '../../../packages/forge/runner/artifact-store.ts';
import { openJobRecord, Secrets } from '../../../packages/forge/runner/job-record.ts';
import type { Core } from '../../../packages/forge/core.ts';
import { Database } from '../../../packages/forge/database.ts';
import { git } from '../../../packages/forge/repositories/git.ts';
import { pages } from '../../../packages/forge/pages/pages.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { issueRunsOf, jobOf, runOf } from '../issue-run/run.ts';
import { Visitor } from '../../visitor.ts';
import { at, commit, openTestForge, refusal, type TestForge } from '../fixture.ts';

const key = 'the-key-of-these-pages';
const hostile = `<script>alert(1)</script><img src=x onerror=alert(1)>"'`;
/** Moved on by a test. */
let ahead = 0;
const clock = { ...systemClock, now: () => systemClock.now() + ahead };

/** A run whose jobs were worked elsewhere. */
const issueRuns = { ...issueRunsOf(runOf(1, 1), jobOf()), job: async () => undefined };

let t: TestForge;
let run: number;
let job: number;
beforeAll(async () => {
  t = await openTestForge({ clock, pages: forge => pages(forge, { actor: 'olga', key, issueRuns }) });
  const clone = await t.clone('olga');
  const text = 'name: Work\non: workflow_dispatch\njobs: {one: {runs-on: x, steps: [{run: "true"}]}}\n';
  await commit(clone, { '.github/workflows/work.yml': text }, 'Workflow');
  await git(clone, ['push', '--quiet']);
  const bot = t.as('olga');
  await bot.actions.createWorkflowDispatch({ ...at, workflow_id: 'work.yml', ref: 'main' });
  run = (await bot.actions.listWorkflowRunsForRepo(at)).data.workflow_runs[0]?.id ?? 0;
  await fill();
});
afterAll(() => t[Symbol.asyncDispose]());

/** Writes a runner's results beside the forge while it rests. */
async function fill(): Promise<void> {
  const { folder, url: site, api } = t.forge;
  const db = new Database(join(folder, 'forge.sqlite'));
  const core: Core = { db, clock, folder, site, api, isExposed: false, runsWorkflows: false, artifactLag: 0 };
  const time = '2026-01-01T00:00:00Z';
  const step = (name: string, number: number) => ({
    name,
    number,
    status: 'completed',
    conclusion: 'success',
  });
  const steps = JSON.stringify([step('Set up job', 1), step(hostile, 2)]);
  const row = { run_id: run, status: 'completed', conclusion: 'success', labels: '[]', steps };
  const times = { created_at: time, started_at: time, completed_at: '2026-01-01T00:01:05Z' };
  job = core.db.insert('jobs', { ...row, ...times, name: 'issue (a1) / engineer' });
  core.db.insert('jobs', { ...row, ...times, name: hostile, message: `Why: ${hostile}` });
  core.db.insert('jobs', { ...row, ...times, name: 'jobs / #2, attempt 1 [a1b2c3d4e5f60718293a]' });
  const record = openJobRecord(core, job, new Secrets([]), 1024 ** 2);
  record.write(
    `##[group]Run ${hostile}\n\u001b[36;1minside\u001b[0m\n##[endgroup]\nplain ${hostile}\n##[error]bad`,
  );
  record.follow(['plan', 'other']);
  record.summarize(`# Done\n\n${hostile}`);
  record.end();
  const options = { overwrite: false, days: 0, level: 6 };
  const file = (name: string) => ({ name, chunks: () => [Buffer.from('x')] });
  await artifactStore(core, run, 1).add('one', [file('a.txt'), file('b/c.txt')], options);
  await artifactStore(core, run, 1).add(hostile, [file('a.txt')], options);
  await artifactStore(core, run, 2).add('one', [file('again.txt')], options);
  core.db.close();
}

describe('over the API', () => {
  test('artifacts are listed, the newest first, of one name where asked for', async () => {
    const { data } = await t.as('sam').actions.listWorkflowRunArtifacts({ ...at, run_id: run });
    expect(data.artifacts.map(each => each.name)).toEqual(['one', hostile, 'one']);
    const named = await t.as('sam').actions.listArtifactsForRepo({ ...at, name: 'one', per_page: 1 });
    expect([named.data.total_count, named.data.artifacts.length]).toEqual([2, 1]);
    expect(data.artifacts[0]).toMatchObject({
      expired: false,
      workflow_run: { id: run },
      digest: expect.stringMatching(/^sha256:/),
    });
  });

  test('the zip of one is had by following a redirect, without a token from there on', async () => {
    const { data } = await t.as('sam').actions.listArtifactsForRepo({ ...at, name: 'one' });
    const artifact = data.artifacts.at(-1);
    const authorization = `Bearer ${t.forge.tokenFor('sam')}`;
    const redirect = await fetch(artifact?.archive_download_url ?? '', {
      redirect: 'manual',
      headers: { authorization },
    });
    const zip = await fetch(redirect.headers.get('location') ?? '');
    expect([redirect.status, zip.status, zip.headers.get('content-type')]).toEqual([
      302,
      200,
      'application/zip',
    ]);
    const path = join(t.root, 'got.zip');
    writeFileSync(path, Buffer.from(await zip.arrayBuffer()));
    expect(execFileSync('unzip', ['-Z1', path]).toString().trim().split('\n')).toEqual(['a.txt', 'b/c.txt']);
  });

  test('an address that was not given out, or is older than a minute, leads to nothing', async () => {
    const headers = { authorization: `Bearer ${t.forge.tokenFor('sam')}` };
    const url = `${t.forge.api}/repos/olga/work/actions/runs/${run}/logs`;
    const location = (await fetch(url, { redirect: 'manual', headers })).headers.get('location') ?? '';
    const status = async (address: string) => (await fetch(address)).status;
    expect(await status(location)).toBe(200);
    expect(await status(location.replace(String(run), String(run + 1)))).toBe(404);
    expect(await status(location.replace(/expires=\d+/, 'expires=99999999999999'))).toBe(404);
    expect(await status(location.replace(/sig=.*/, ''))).toBe(404);
    ahead = 61_000;
    expect(await status(location)).toBe(404);
    ahead = 0;
  });

  test('logs of a run are a zip', async () => {
    const logs = await t.as('sam').actions.downloadWorkflowRunLogs({ ...at, run_id: run });
    const path = join(t.root, 'logs.zip');
    writeFileSync(path, Buffer.from(logs.data as ArrayBuffer));
    expect(execFileSync('unzip', ['-Z1', path]).toString().trim()).toBe('0_issue (a1)  engineer.txt');
  });

  test.each<[what: string, path: () => string, login: string | null, status: number]>([
    ['nobody has a log', () => `runs/${run}/logs`, null, 401],
    ['nobody has an artifact', () => 'artifacts/14000000001/zip', null, 401],
    ['there is no such job', () => 'jobs/1', 'olga', 404],
    ['there is no such run', () => 'runs/1/artifacts', 'olga', 404],
    ['there is no such artifact', () => 'artifacts/1/zip', 'olga', 404],
  ])('%s', async (_what, path, login, status) => {
    expect((await refusal(t.as(login).request(`GET /repos/olga/work/actions/${path()}`))).status).toBe(
      status,
    );
  });

  test('a stranger deletes no artifact, and one that is deleted is gone', async () => {
    const { data } = await t.as('sam').actions.listArtifactsForRepo({ ...at, name: hostile });
    const place = { ...at, artifact_id: data.artifacts[0]?.id ?? 0 };
    expect((await refusal(t.as('sam').actions.deleteArtifact(place))).status).toBe(403);
    await t.as('wanda').actions.deleteArtifact(place);
    const zip = { ...place, archive_format: 'zip' };
    expect((await refusal(t.as('olga').actions.downloadArtifact(zip))).status).toBe(404);
  });
});

describe('pages', () => {
  let cookie: string;
  beforeAll(async () => {
    const entrance = await fetch(`${t.forge.url}/?key=${key}`, { redirect: 'manual' });
    cookie = entrance.headers.get('set-cookie')?.split(';')[0] ?? '';
  });
  const read = async (path: string) => {
    const answer = await fetch(`${t.forge.url}/olga/work/actions${path}`, { headers: { cookie } });
    return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') };
  };

  test('the list of runs leads to each', async () => {
    const { text } = await read('');
    expect(text).toContain(`href="/olga/work/actions/runs/${run}"`);
    expect(text).toContain('<span class="outcome queued">queued</span>');
  });

  test('a run has its jobs below the one that called them, summary and artifacts', async () => {
    const { text } = await read(`/runs/${run}`);
    expect(text).toMatch(
      /<b>issue \(a1\)<\/b><ul><li>.*engineer<\/a> <span class="quiet">after plan, other, 1 min 5 s/,
    );
    expect(text).toContain('<h1>Done</h1>');
    expect(text).toMatch(/one <span class="quiet">\d+ bytes/);
  });

  test('a run says why a job of it was not carried out', async () => {
    const { text } = await read(`/runs/${run}`);
    expect(text).toMatch(/What went wrong.*<pre>Why: &lt;script&gt;/s);
  });

  test('a log has its groups folded, its colours shown and its times left out', async () => {
    const { text } = await read(`/runs/${run}/job/${job}`);
    expect(text).toMatch(
      /<details><summary>Run &lt;script&gt;.*<\/summary><span class="bold ansi-cyan">inside<\/span>\n<\/details>plain &lt;script&gt;/s,
    );
    expect(text).toContain('<span class="error">bad</span>');
  });

  test('an attempt of a run that a workflow worked leads to the job that names it; any other id leads nowhere', async () => {
    const run = '/olga/work/issues/1/run';
    const visitor = new Visitor(t.forge.url, key);
    const { status, text } = await visitor.read(`${run}/a1b2c3d4e5f60718293a`);
    expect([status, text.includes('<h1>jobs / #2, attempt 1')]).toEqual([200, true]);
    expect((await visitor.read(`${run}/a1`)).status).toBe(404);
  });

  test('nothing hostile gets through on any of them', async () => {
    for (const path of ['', `/runs/${run}`, `/runs/${run}/job/${job}`, `/runs/${run}/job/${job + 1}`]) {
      const { status, text } = await read(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toMatch(/<script(?! src="\/-\/live\.js")|<img|\son\w+=x|\u001b/);
    }
  });

  test('the whole log is text and nothing else', async () => {
    const { text, type } = await read(`/runs/${run}/job/${job}/log`);
    expect([type, text.includes(hostile)]).toEqual(['text/plain; charset=utf-8', true]);
  });

  test.each(['/runs/1', '/runs/x', '/runs/99999999999999999999', `/runs/1/job/1`])(
    '%s is not there',
    async path => {
      expect((await read(path)).status).toBe(404);
    },
  );

  test("a job under another run's address is not there", async () => {
    expect((await read(`/runs/1/job/${job}`)).status).toBe(404);
  });

  test('a run is cancelled and run again from its page', async () => {
    const press = async (action: string) => {
      const { text } = await read(`/runs/${run}`);
      expect(text).toContain(`action="/olga/work/actions/runs/${run}/${action}"`);
      const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
      const answer = await fetch(`${t.forge.url}/olga/work/actions/runs/${run}/${action}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, origin: t.forge.url, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ csrf }),
      });
      const { data } = await t.as('olga').actions.getWorkflowRun({ ...at, run_id: run });
      return [answer.status, data.status, data.run_attempt];
    };
    expect(await press('cancel')).toEqual([303, 'completed', 1]);
    expect(await press('rerun')).toEqual([303, 'queued', 2]);
  });
});
