// The part of `mode: check` that runs the repository's code: sandbox, setup, tests. Its job has no key and no token that writes.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, reachOf } from '@echelon/ground';
import {
  borrowObjects,
  bubblewrapFault,
  markOfJob,
  type Mirror,
  openMirror,
} from '@echelon/ground/workspace';
import { Config, configPath, parseConfig } from '../../../app/config.ts';
import { type BaseTestsReport, runBaseTests } from '../../../app/job.ts';
import { commandsOf, expectedOf } from '../../../app/app.ts';
import { defaultTier, rowOf, tiers } from '../../../engine/models.ts';
import { type Finding, finding, missing, unknown, well } from '../../finding.ts';
import { baseTests } from '../fetch-mode.ts';
import { prepareRunner } from '../prepare-runner.ts';

/** Bytes of the configuration that are read. */
const MAX_CONFIG = 256 * 1024;

export async function checkTests(env: NodeJS.ProcessEnv): Promise<{ findings: Finding[] }> {
  const checkout = env['INPUT_CHECKOUT'] ?? '';
  const folder = join(env['RUNNER_TEMP'] ?? '', 'echelon-check');
  await mkdir(folder, { recursive: true });
  const mirror = join(folder, 'mirror.git');
  await borrowObjects(join(checkout, '.git'), mirror);
  const opened = await openMirror({ folder: mirror, url: checkout });
  const { GITHUB_SHA: commit = '', GITHUB_REPOSITORY: repository = '' } = env;
  const config = await configAt(opened, commit);
  const sandbox = await sandboxFinding(env, config);
  if (sandbox.state === 'missing') return { findings: [sandbox] };
  const { test, setup } = await commandsOf({ test: undefined }, { mirror: opened, config, base: { commit } });
  if (test === '') {
    const detail = `none is known: write \`test: <command>\` into ${configPath}`;
    return { findings: [sandbox, missing('tests', detail)] };
  }
  const report = await runBaseTests(
    baseTests(config, { op: 'check', repository, base: commit, mirror, command: test }, setup),
    folder,
    {
      ...{ clock: systemClock, mark: await markOfJob(folder), reach: reachOf(env) },
      hostPath: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
      signal: new AbortController().signal,
    },
  );
  if (report.tail !== '' && report.state !== 'green') console.log(report.tail);
  return { findings: [sandbox, ...testFindings({ test, setup }, report), minutesFinding(config, report)] };
}

/** Problems of the file are the finding of another job: here the defaults do. */
async function configAt(mirror: Mirror, commit: string): Promise<Config> {
  const read = parseConfig(String((await mirror.readFile(commit, configPath, MAX_CONFIG)) ?? ''));
  return 'config' in read ? read.config : Config.parse({});
}

async function sandboxFinding(env: NodeJS.ProcessEnv, { isolation }: Config): Promise<Finding> {
  const what = 'sandbox';
  if (isolation === 'none') return unknown(what, `switched off by \`isolation: none\` in ${configPath}`);
  await prepareRunner({ env, say: line => console.log(`isolation: ${line}`) });
  return finding(what, 'bubblewrap works', await bubblewrapFault());
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function testFindings(
  { test, setup }: { test: string; setup: string },
  { state, exit_code, why, ms, setup: failed }: Omit<BaseTestsReport, 'kind'>,
): Finding[] {
  if (failed !== undefined) return [missing('setup', why)];
  const installed = setup === '' ? [] : [well('setup', setup)];
  const told = {
    green: well('tests', `${test} passes in ${seconds(ms)}`),
    red: well('tests', `${test} runs in ${seconds(ms)}; it fails before any change (exit code ${exit_code})`),
    cannot_run: missing('tests', `${test} cannot run: ${why}`),
  };
  return [...installed, told[state]];
}

/** Issues of the run whose time is told. */
const ISSUES = 4;
/** Characters of an issue's text, for the estimate. */
const TEXT = 500;

/** Expected minutes of runners for a run. Each job is billed by whole minutes. */
function minutesFinding({ candidates }: Config, { ms }: Pick<BaseTestsReport, 'ms'>): Finding {
  const { price } = rowOf(tiers[defaultTier('')]);
  const means = { director: price, evaluator: price, testMinutes: ms / 60_000, candidates };
  const one = expectedOf({ domain: 'backend', characters: TEXT, paths: 2 }, means).minutes;
  const planning = 3 + Math.ceil(ms / 60_000);
  const all = planning + ISSUES * Math.ceil(one);
  return well('minutes', `about ${all} of runners for a run of ${ISSUES} issues, ${Math.ceil(one)} an issue`);
}
