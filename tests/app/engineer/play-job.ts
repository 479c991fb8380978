// A whole job in this process, whose model plays replies: its report, and the files of its bundle.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runJob } from '../../../src/app/engineer/job.ts';
import type { JobSpec } from '../../../src/app/engineer/job-spec.ts';
import { parseScript } from '../../../src/engine/models/script.ts';
import { scriptedModel } from '../../../src/engine/models/scripted.ts';
import { openSandbox } from '../../../src/engine/sandbox/sandbox.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import type { Reply } from '../../dialogue/script.ts';
import { jobSpec } from './spec.ts';

/** In the folder `name` of the repository, at its base. */
export async function playJob(
  repo: { path: string; base: string; mirror: { path: string } },
  name: string,
  replies: readonly Reply[],
  changes: Partial<JobSpec>,
) {
  const script = parseScript(JSON.stringify({ version: 1, replies }), 'the script');
  const spec: JobSpec = { ...jobSpec(60_000, repo.base, repo.mirror.path), ...changes };
  const folder = join(repo.path, name);
  const sandbox = openSandbox();
  const report = await runJob(spec, folder, {
    async openModel(played) {
      const model = scriptedModel(script, { clock: systemClock, played });
      return { model, used: () => model.used() };
    },
    clock: systemClock,
    sandbox,
    hostPath: process.env['PATH'] ?? '',
    mark: name,
    signal: new AbortController().signal,
    progress() {},
    spentBefore: { cost_usd: 0, model_calls: 0 },
    async spend() {},
    unexpected() {},
  });
  await sandbox.close();
  const patch = await readFile(join(folder, 'changes.patch'), 'utf8').catch(() => undefined);
  const files = [...(patch ?? '').matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, path]) => path);
  return { report, files, handed: patch !== undefined };
}
