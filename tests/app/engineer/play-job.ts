// A whole job in this process, whose model plays replies: its report, and the files of its bundle.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { carryOut } from '../../../src/app/engineer/attempt/candidates.ts';
import type { JobSpec } from '../../../src/app/engineer/jobs/job-spec.ts';
import type { ModelRequest } from '../../../src/engine/models/model.ts';
import type { Spending } from '../../../src/engine/models/budget.ts';
import { parseScript } from '../../../src/engine/models/script.ts';
import { scriptedModel } from '../../../src/engine/models/scripted.ts';
import { openSandbox } from '../../../src/engine/sandbox/sandbox.ts';
import { type Clock, systemClock } from '../../../packages/ground/lib/clock.ts';
import type { Reply } from '../../dialogue/script.ts';
import { jobSpec } from './spec.ts';

/** Observations of a test while a process works. */
interface Watched {
  /** Tasks of the calls of its model, and what it had paid for after each. */
  calls: string[];
  spent: number[];
  /** Before each call; `stop`: the process is lost. */
  before?: (request: ModelRequest, stop: () => void) => Promise<void>;
  spentBefore?: Spending;
  hostPath?: string;
  /** Of the job; its model has the machine's. */
  clock?: Clock;
}

/** In the folder `name` of the repository, at its base. */
export async function playJob(
  repo: { path: string; base: string; mirror: { path: string } },
  name: string,
  replies: readonly Reply[],
  changes: Partial<JobSpec>,
  {
    calls,
    spent,
    before,
    spentBefore = { cost_usd: 0, model_calls: 0 },
    hostPath = process.env['PATH'] ?? '',
    clock = systemClock,
  }: Watched = { calls: [], spent: [] },
) {
  const script = parseScript(JSON.stringify({ version: 1, replies }), 'the script');
  const spec: JobSpec = { ...jobSpec(60_000, repo.base, repo.mirror.path), ...changes };
  const folder = join(repo.path, name);
  const sandbox = openSandbox();
  const stop = new AbortController();
  const report = await carryOut(spec, folder, {
    async openModel(played) {
      const model = scriptedModel(script, { clock: systemClock, played });
      const call: typeof model.call = async (request, onEvent) => {
        await before?.(request, () => stop.abort(new Error('lost')));
        stop.signal.throwIfAborted();
        calls.push(request.task);
        return await model.call(request, onEvent);
      };
      return { model: { ...model, call }, used: () => model.used() };
    },
    clock,
    sandbox,
    hostPath,
    mark: name,
    signal: stop.signal,
    progress() {},
    spentBefore,
    spend: async ({ cost_usd }) => void spent.push(cost_usd),
    told: async () => '',
    unexpected() {},
  }).finally(() => sandbox.close());
  const patch = await readFile(join(folder, 'changes.patch'), 'utf8').catch(() => undefined);
  const files = [...(patch ?? '').matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, path]) => path);
  return { report, files, patch, handed: patch !== undefined };
}
