// `echelon doctor --on-github --scripted`: one issue of the sample, worked on the repository's own runner by the scripted
// model, as a draft pull request. It shows the way from a job to a draft without a key, and on branches of its own.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, sharedWait } from '@echelon/ground';
import { applyBundle, bundleLimits, git, openMirror, temporaryFolder } from '@echelon/ground/workspace';
import { Config, sessionSettings } from '../../../app/config.ts';
import type { JobSpec } from '../../../app/job.ts';
import { pullsOf } from '../../../app/set-up.ts';
import { productTemplates } from '../../../engine/language.ts';
import { jobsOnActions } from '../../app/jobs-on-actions.ts';
import { type Finding, missing, well } from '../../finding.ts';
import { directiveIn, samplePath, sampleRepository } from '../sample.ts';
import type { OnGithub } from './on-github.ts';

type PlayOptions = OnGithub & { token: string };

const what = 'sample';
const POLL_MS = 5000;
/** No issue has this number, so that no run of the repository is met. */
const DIRECTIVE = 0;

/** Leaves the draft and its two branches, for the person to look at. */
export async function playSample(on: PlayOptions): Promise<Finding> {
  await using folder = await temporaryFolder('sample');
  try {
    return await play(on, folder.path);
  } catch (error) {
    return missing(what, messageOf(error));
  }
}

async function play(on: PlayOptions, folder: string): Promise<Finding> {
  const { client, calls, place, token, clock } = on;
  const here = { owner: place.owner, repo: place.repo };
  const { data } = await calls.read(() => client.request('GET /repos/{owner}/{repo}', here));
  const url = `${data.html_url}.git`;
  const mirror = await openMirror({ folder: join(folder, 'mirror.git'), url, token: async () => token });
  const from = await sampleRepository(folder);
  await git(['fetch', '--quiet', from, 'refs/heads/main:refs/heads/sample'], { gitDir: mirror.path });
  const base = (await git(['rev-parse', 'refs/heads/sample'], { gitDir: mirror.path })).trim();
  const op = `sample-${randomUUID().slice(0, 8)}`;
  const branch = `echelon/${op}`;
  await mirror.push({ branch, commit: base, expect: null });
  const issue = directiveIn(await readFile(samplePath('issue.md'), 'utf8'));
  const jobs = jobsOnActions({
    ...{ client, wait: sharedWait(clock), folder: join(folder, 'jobs'), mirror: async () => mirror },
    place: { owner: here.owner, name: here.repo, id: Number(data.id) },
    defaultBranch: async () => on.defaultBranch,
  });
  const worked = await work(on, jobs, await specOf(op, base, issue));
  if ('failed' in worked) return missing(what, `the job on the runner failed: ${worked.failed}`);
  const rules = { limits: bundleLimits, protectedPaths: [], secrets: [token] };
  const applied = await applyBundle({ mirror, folder: worked.folder, base, ...rules });
  await jobs(DIRECTIVE).handOut?.(new Map());
  if ('refused' in applied) return missing(what, `the patch was refused: ${applied.refused[0]?.reason}`);
  const { tree, manifest } = applied;
  const date = new Date(clock.now()).toISOString();
  const commit = await mirror.commitTree({ tree, parents: [base], message: `${issue.title}\n`, date });
  const head = `${branch}-work`;
  await mirror.push({ branch: head, commit, expect: null });
  const opened = await pullsOf(client, calls, () => here, undefined).createPull({
    ...{ title: issue.title, head, base: branch, draft: true },
    body: `A trial on a sample project, whose files are on the branch \`${branch}\`. The scripted model played it: no model was called.\n\n${issue.body}`,
  });
  if ('refused' in opened)
    return missing(what, `${head} is pushed, and no draft was opened: ${opened.refused}`);
  const page = `${data.html_url}/pull/${opened.number}`;
  const tests = `tests exited ${manifest.tests?.exit_code} on the runner`;
  const after = `Afterwards close it, and delete the branches ${branch} and ${head}`;
  return well(what, `the scripted model made the draft ${page}; ${tests}. ${after}`);
}

/** The job of an engineer, as a run hands it out. */
async function specOf(op: string, base: string, issue: { title: string; body: string }): Promise<JobSpec> {
  const config = Config.parse({});
  const { timeouts, turns, engines, rounds, network } = config;
  return {
    ...{
      version: 1,
      op,
      repository: 'sample',
      directive: DIRECTIVE,
      attempt: 1,
      base,
      mirror: '',
      previous: null,
    },
    issue: { number: DIRECTIVE, ...issue },
    library: [productTemplates()],
    settings: { test_command: 'npm test', rounds: String(rounds) },
    model: { provider: 'scripted', script: await readFile(samplePath('script.json'), 'utf8') },
    models: { default: 'scripted' },
    limits: { attempt_ms: timeouts.attempt, stuck_ms: timeouts.stuck, budget_usd: 1, turns: turns.director },
    ...{ engines, isolation: 'bubblewrap', network, reasoning: sessionSettings(config) },
  };
}

/** Has the workflow work the job, and waits. `folder`: what it left. */
async function work(
  { clock, say }: PlayOptions,
  jobs: ReturnType<typeof jobsOnActions>,
  spec: JobSpec,
): Promise<{ folder: string } | { failed: string }> {
  const first = jobs(DIRECTIVE);
  await first.start(spec);
  await first.handOut?.(new Map([[spec.op, spec]]));
  say('the scripted model works an issue of the sample on the runner');
  for (;;) {
    await clock.sleep(POLL_MS);
    const look = jobs(DIRECTIVE);
    const state = await look.read(spec);
    if (state.state === 'gone') return { failed: 'its workflow run left nothing' };
    if (state.state !== 'finished') continue;
    const { report } = state;
    if (report.kind === 'bundle') return { folder: await look.folder(spec.op) };
    return { failed: report.kind === 'failed' ? report.feedback : `it ended as ${report.kind}` };
  }
}
