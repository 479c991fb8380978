// The entry of a job: `mode: engineer` works one issue in its folder. The Action and the local executor start the same file.
import { messageOf } from '../lib/message.ts';
import { join } from 'node:path';
import { runJob } from '../engineer/job.ts';
import { JobSpec, JobSpent } from '../engineer/job-spec.ts';
import { systemClock } from '../lib/clock.ts';
import { masker } from '../lib/mask.ts';
import type { Model } from '../models/model.ts';
import { appendTo, claimFolder, jobFiles, readIfThere, writeWhole } from '../workspace/job-process.ts';

/** Works the job in `folder`; answers the exit code. The report is what counts, the code is for people. */
async function engineer(folder: string, env: NodeJS.ProcessEnv): Promise<number> {
  if (!(await claimFolder(folder))) {
    console.log('another process works in this folder already');
    return 0;
  }
  const text = await readIfThere(folder, jobFiles.spec);
  if (text === undefined)
    throw new Error(`${join(folder, jobFiles.spec)} is missing: this is no job's folder`);
  const spec = JobSpec.parse(JSON.parse(text));
  const model = await openModel(spec, env);
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => stop.abort(new Error(`ended by ${name}`)));
  let writing: Promise<void> = Promise.resolve();
  const report = await runJob(spec, folder, {
    model,
    clock: systemClock,
    hostPath: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    signal: stop.signal,
    spentBefore: JobSpent.safeParse(parse(await readIfThere(folder, jobFiles.spent))).data ?? {
      cost_usd: 0,
      model_calls: 0,
    },
    spend: spent => writeWhole(folder, jobFiles.spent, JSON.stringify(spent)),
    progress: line => {
      writing = writing.then(() => appendTo(folder, jobFiles.progress, `${JSON.stringify(line)}\n`));
    },
  });
  await writing;
  const mask = masker([env['ANTHROPIC_API_KEY'] ?? ''].filter(Boolean));
  await writeWhole(folder, jobFiles.report, mask(JSON.stringify(report)));
  console.log(`${report.kind} after ${report.rounds} rounds, ${report.model_calls} model calls`);
  return report.kind === 'bundle' ? 0 : 1;
}

async function openModel(spec: JobSpec, env: NodeJS.ProcessEnv): Promise<Model> {
  if (spec.model.provider === 'scripted') {
    const { parseScript } = await import('../models/script.ts');
    const { scriptedModel } = await import('../models/scripted.ts');
    return scriptedModel(parseScript(spec.model.script, 'the script of this run'), { clock: systemClock });
  }
  const { anthropicModel } = await import('../models/anthropic.ts');
  const apiKey = env['ANTHROPIC_API_KEY'];
  if (!apiKey) throw new Error('ANTHROPIC_API_KEY is not set');
  const baseUrl = env['ANTHROPIC_BASE_URL'];
  return anthropicModel({ apiKey, prices: spec.model.prices, ...(baseUrl && { baseUrl }) });
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

const mode = process.env['INPUT_MODE'] ?? '';
const folder = process.env['INPUT_JOB'] ?? '';
if (mode !== 'engineer' || folder === '') {
  console.error(`mode: "${mode}" is not available yet; what is: engineer, with job: the folder of a job`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await engineer(folder, process.env);
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}
