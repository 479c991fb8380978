// A job for tests: one attempt at one issue.
import type { JobSpec } from '../../../src/app/engineer/jobs/job-spec.ts';

export const jobSpec = (attempt_ms: number, base: string, mirror: string): JobSpec => ({
  version: 1,
  op: 'op',
  repository: 'you/shelf',
  directive: 1,
  issue: { number: 2, title: 'Add a mark', body: '' },
  attempt: 1,
  base,
  mirror,
  library: [],
  settings: { test_command: '', rounds: '3' },
  model: { provider: 'scripted', script: '' },
  models: {},
  limits: { attempt_ms, stuck_ms: 1000, budget_usd: 1, turns: 10 },
  engines: ['native'],
  isolation: 'none',
  network: 'none',
  reasoning: {
    policy: 'recovery',
    tasks: {},
    retry: 'immediate',
  },
  previous: null,
});
