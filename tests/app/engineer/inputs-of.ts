// Inputs of an engineer's program for a job in its own checkout, as values.
import { join } from 'node:path';
import { issueInputs } from '../../../src/app/engineer/attempt/issue-inputs.ts';
import { memoryOf } from '../../../src/app/engineer/attempt/workplace.ts';
import type { JobSpec } from '../../../src/app/engineer/jobs/job-spec.ts';
import { createCheckout } from '../../../packages/ground/workspace/checkout.ts';
import { jobSpec } from './spec.ts';

export async function inputsOf(
  { path, base, mirror }: { path: string; base: string; mirror: { path: string } },
  changes: Partial<JobSpec> = {},
  hostPath = process.env['PATH'] ?? '',
): Promise<Record<string, string>> {
  const spec = { ...jobSpec(60_000, base, mirror.path), ...changes };
  const checkout = await createCheckout({
    mirror: mirror.path,
    commit: spec.base,
    folder: join(path, 'job'),
  });
  const { signal } = new AbortController();
  const host = { hostPath, mark: 'inputs' };
  const place = { ...{ spec, checkout, signal, host }, isolation: { kind: 'none' as const }, hosts: [] };
  return await issueInputs(place, memoryOf(checkout, mirror.path, signal), 'fresh');
}
