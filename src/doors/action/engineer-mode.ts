// `mode: engineer`: works one issue in its job's folder and leaves a report and a patch bundle there, or runs the tests: at
// the base, or of all that is delivered.
import { join } from 'node:path';
import { masker, systemClock, reachOf, jsonOf } from '@echelon/ground';
import {
  appendTo,
  claimFolder,
  hasGround,
  jobFiles,
  markOfJob,
  readIfThere,
  writeWhole,
} from '@echelon/ground/workspace';
import type { AnyJobReport, JobHost, JobSpec } from '../../app/job.ts';
import {
  AnyJobSpec,
  folderBeside,
  groundsIn,
  JobSpent,
  runBaseTests,
  runIntegration,
  workIssue,
} from '../../app/job.ts';
import { candidateTaken } from '../../app/views.ts';
import { anyKey, hasKey, providerKeys, secretsOf } from '../../engine/models/provider-keys.ts';
import { type ModelChoice, openModel } from '../../engine/models.ts';
import { interruption } from '../interrupt.ts';
import { writingEvents } from '../progress.ts';
import { jobSummary, logLine } from './job-summary.ts';
import { keepJournal, openJournal, type Seal } from './sealed-journal.ts';

/** The process that does the job: its number, its end from outside, and where it prints. */
export type JobProcess = ReturnType<typeof thisProcess>;

const thisProcess = () => ({
  pid: process.pid,
  signal: interruption(['SIGINT', 'SIGTERM']),
  say: (line: string): void => console.log(line),
});

/**
 * Does the job in `folder`; answers the exit code. The report is what counts, the code is for people. What it prints is
 * others' text: on a runner that may command nothing.
 */
export async function engineer(
  folder: string,
  env: NodeJS.ProcessEnv,
  own: JobProcess = thisProcess(),
): Promise<number> {
  // On the machine of the run nobody reads what is printed but for its log.
  if (!env['INPUT_MIRROR']) return (await work(folder, env, own)).code;
  const { addSummary, setOutputs } = await import('./workflow-commands.ts');
  if ((await readIfThere(folder, jobFiles.spec)) === undefined) {
    console.log('there are no tests to run: no command is known');
    return 0;
  }
  const { code, summary } = await work(folder, env, own);
  setOutputs({ installed: String(await hasGround(groundsIn(env['INPUT_MIRROR']))) });
  await addSummary(summary);
  return code;
}

async function work(
  folder: string,
  env: NodeJS.ProcessEnv,
  { pid, signal, say }: JobProcess,
): Promise<{ code: number; summary: string }> {
  if (!(await claimFolder(folder, pid))) {
    say('another process works in this folder already');
    return { code: 0, summary: '' };
  }
  const text = await readIfThere(folder, jobFiles.spec);
  if (text === undefined)
    throw new Error(`${join(folder, jobFiles.spec)} is missing: this is no job's folder`);
  const spec = await placed(AnyJobSpec.parse(JSON.parse(text)), env);
  const mask = masker(secretsOf(providerKeys(env)));
  const host = {
    clock: systemClock,
    mark: await markOfJob(folder),
    hostPath: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    reach: reachOf(env),
    signal,
    say,
  };
  const seal: Seal = {
    keys: secretsOf(providerKeys(env)),
    isPlayed: 'model' in spec && spec.model.provider === 'scripted',
    repository: env['GITHUB_REPOSITORY_ID'] ?? '',
    directive: spec.directive,
  };
  if (env['INPUT_MIRROR']) await openEarlier(spec, folder, seal);
  const report = await reportOf(spec, folder, env, host, mask);
  if (env['INPUT_MIRROR']) await keepJournal(folder, spec.op, seal);
  await writeWhole(folder, jobFiles.report, mask(JSON.stringify(report)));
  say(endOf(report));
  return { code: report.kind === 'failed' ? 1 : 0, summary: mask(jobSummary(report)) };
}

/** On a runner what other jobs left has come as an artifact. */
async function openEarlier(spec: AnyJobSpec, folder: string, seal: Seal): Promise<void> {
  const from = 'from' in spec ? spec.from : undefined;
  if (!from || (await openJournal(folderBeside(folder, from.op), from.op, seal))) return;
  console.log(
    'the conversation of the attempt before cannot be read (was the model’s key replaced?): it starts afresh',
  );
}

/**
 * On a runner of its own the job works from what mode `fetch` has brought, and isolation is prepared first; on the machine
 * of the run it works from the run's mirror.
 */
async function placed<T extends AnyJobSpec>(spec: T, env: NodeJS.ProcessEnv): Promise<T> {
  const mirror = env['INPUT_MIRROR'];
  if (!mirror) return spec;
  const { prepareRunner } = await import('./prepare-runner.ts');
  if (spec.isolation === 'bubblewrap')
    await prepareRunner({ env, say: line => console.log(`isolation: ${line}`) });
  return { ...spec, mirror };
}

function endOf(report: AnyJobReport): string {
  if (report.kind === 'base-tests' || report.kind === 'integration') return `the tests: ${report.state}`;
  const { kind, rounds, model_calls, candidates } = report;
  const taken = candidates ? `${candidateTaken(candidates)}; ` : '';
  return `${taken}${kind} after ${rounds} rounds, ${model_calls} model calls`;
}

type Host = Pick<JobHost, 'clock' | 'mark' | 'hostPath' | 'reach' | 'signal'> & Pick<JobProcess, 'say'>;

/** Runs the tests, or works the issue; answers when all that it tells is written. */
async function reportOf(
  spec: AnyJobSpec,
  folder: string,
  env: NodeJS.ProcessEnv,
  host: Host,
  mask: (text: string) => string,
): Promise<AnyJobReport> {
  if ('kind' in spec)
    return await (spec.kind === 'base-tests'
      ? runBaseTests(spec, folder, host)
      : runIntegration(spec, folder, host));
  // Not needed for base tests, which start beside the first layer, and quickly.
  const { openSandbox } = await import('../../engine/sandbox.ts');
  const choice = { ...choiceOf(spec, env), record: env['INPUT_RECORD'] };
  const { model: named } = spec;
  const rows = named.provider === 'served' ? named.rows : {};
  let writing: Promise<void> = Promise.resolve();
  const sandbox = openSandbox();
  const report = await workIssue(spec, folder, {
    openModel: played => openModel(choice, { rows, played }),
    sandbox,
    ...(env['INPUT_DEBUG'] === 'true' && {
      onSession: writingEvents(line => host.say(mask(line))),
    }),
    ...host,
    told: async () => (await readIfThere(folder, jobFiles.guidance)) ?? '',
    spentBefore: JobSpent.safeParse(jsonOf(await readIfThere(folder, jobFiles.spent))).data ?? {
      cost_usd: 0,
      model_calls: 0,
    },
    spend: spent => writeWhole(folder, jobFiles.spent, JSON.stringify(spent)),
    unexpected: error => host.say(mask(error instanceof Error ? String(error.stack) : String(error))),
    progress: line => {
      const said = logLine(line);
      if (said !== undefined) host.say(mask(said));
      writing = writing.then(() => appendTo(folder, jobFiles.progress, `${JSON.stringify(line)}\n`));
    },
  });
  await writing;
  await sandbox.close();
  return report;
}

/** The model that the job names, with the keys of this process. Throws where there is none. */
function choiceOf({ model }: JobSpec, env: NodeJS.ProcessEnv): ModelChoice {
  if (model.provider === 'scripted') return { ...model, file: 'the script of this run' };
  const keys = providerKeys(env, { identity: true });
  if (!hasKey(keys)) throw new Error(`${anyKey} is not set`);
  return { provider: 'served', keys };
}
