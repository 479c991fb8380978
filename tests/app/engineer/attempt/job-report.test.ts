// Reports of attempts that ended by an error, and errors that are not the attempt's.
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attemptState, openAttemptJournal } from '../../../../src/app/engineer/attempt/attempt-journal.ts';
import { reportOf } from '../../../../src/app/engineer/attempt/job-report.ts';
import { nothingSpent, TaskError } from '../../../../src/engine/language/result.ts';
import { deadline } from '../../../../packages/ground/lib/deadline.ts';
import { ModelFailure, ProviderWait } from '../../../../src/engine/models/model.ts';
import { openSandbox } from '../../../../src/engine/sandbox/sandbox.ts';
import { createCheckout, TreeTooLarge } from '../../../../packages/ground/workspace/checkout.ts';
import { GitError } from '../../../../packages/ground/workspace/git.ts';
import { stillClock } from '../../../ground/lib/clocks.ts';
import { repository } from '../../../ground/workspace/fixture.ts';
import { jobSpec } from '../spec.ts';

async function ended(error: unknown, { change = false, late = false, judged = true } = {}) {
  await using repo = await repository({ 'a.txt': 'a\n' });
  const folder = join(repo.path, 'job');
  const checkout = await createCheckout({ mirror: repo.mirror.path, commit: repo.base, folder });
  const before = await checkout.writeTree();
  const clock = stillClock();
  const { signal } = new AbortController();
  const sandbox = openSandbox();
  const spec = jobSpec(60_000, repo.base, repo.mirror.path);
  const spent = { cost_usd: 0.5, model_calls: 3 };
  const time = deadline(60_000, clock, signal);
  const journal = await openAttemptJournal(spec, folder, clock);
  const state = attemptState(journal, spent);
  state.log = 'output of the tests';
  if (change) {
    await writeFile(join(checkout.tree, 'b.txt'), 'b\n');
    if (judged) state.tree = await checkout.writeTree();
    state.changing = !judged;
  }
  clock.advance(late ? 60_000 : 1000);
  await new Promise(resolve => setImmediate(resolve));
  const model = { provider: 'none', call: () => Promise.reject(new Error('not asked')) };
  const host = {
    openModel: async () => ({ model, used: () => [] }),
    clock,
    sandbox,
    hostPath: '',
    mark: 'a job',
    signal,
    progress() {},
    spentBefore: spent,
    async spend() {},
    told: async () => '',
    unexpected: (thrown: unknown) => void unexpected.push(thrown),
  };
  const unexpected: unknown[] = [];
  try {
    const attempt = {
      spec,
      folder,
      checkout,
      before,
      isolation: { kind: 'none' as const },
      hosts: [],
      state,
      model,
      host,
      signal,
      time,
    };
    const report = await reportOf(error, attempt);
    const bundle = await access(join(folder, 'changes.patch')).then(
      () => true,
      () => false,
    );
    return { report, bundle, unexpected };
  } finally {
    time.end();
    journal.close();
    await sandbox.close();
    await checkout.remove();
  }
}

const quota = new ModelFailure('quota', 'the job may cost no more');
const judged = {
  notes: { warnings: [], ...nothingSpent, rounds: 2, evaluation: { success: false, feedback: 'No.' } },
};

const exhausted = (resource: 'turns' | 'output') =>
  new TaskError({ code: 'RESOURCE_EXHAUSTION', resource, used: 1, limit: 1, peak: 1 }, 'over');
const failed = { code: 'TASK_FAILURE', reason: 'model_failure' } as const;

test.each<[name: string, error: unknown, kind: string, feedback: string, late?: boolean]>([
  [
    'the provider wants a long wait',
    new ProviderWait(0, quota),
    'rate_limit',
    'the model is not to be called',
  ],
  ['the tree is too large', new TreeTooLarge('too large'), 'checkout', 'too large'],
  ['git fails', new GitError('git log', 1, 'broken'), 'checkout', 'git log exited 1: broken'],
  ['the model failed', new TaskError(failed, 'no more', { ...judged, cause: quota }), 'quota', 'no more'],
  ['the model refused', new TaskError(failed, 'the model refused'), 'model_failure', 'the model refused'],
  [
    'it was rejected',
    new TaskError({ code: 'TASK_FAILURE', reason: 'rejected' }, 'x', judged),
    'rejected',
    'No.',
  ],
  ['its turns were used up', exhausted('turns'), 'turns_exhausted', 'over'],
  ['its output was cut off', exhausted('output'), 'output_exhausted', 'over'],
  ['an input was wrong', new TaskError({ code: 'INVALID_INPUT' }, 'wrong'), 'INVALID_INPUT', 'wrong'],
  [
    'its verdict could not be read',
    new TaskError({ code: 'INVALID_OUTPUT', violations: [] }, 'unread'),
    'INVALID_OUTPUT',
    'unread',
  ],
  ['the time was up', new Error('whatever'), 'time', 'the hard time limit has passed', true],
  ['the product has an error', new TypeError('a bug'), 'error', 'a bug'],
])('%s: what was changed is left, judged or not', async (_name, error, kind, feedback, late = false) => {
  for (const judged of [undefined, true, false]) {
    const change = judged !== undefined;
    const { report, bundle } = await ended(error, { change, late, ...(change && { judged }) });
    expect(report).toMatchObject({
      kind: 'failed',
      class: kind,
      feedback: expect.stringContaining(feedback),
      log_tail: 'output of the tests',
      partial: change,
      cost_usd: 0.5,
      model_calls: 3,
      ms: late ? 60_000 : 1000,
    });
    expect(bundle).toBe(change);
  }
});

test('once the time is up nothing else was the reason', async () => {
  const { report } = await ended(new Error('whatever'), { late: true });
  const late =
    'the hard time limit has passed: the attempt was ended after 60 s, at its limit of 60 s; it is that of the whole attempt, which `timeouts.attempt` sets';
  expect(report).toMatchObject({ class: 'time', feedback: late, partial: false });
});

test('an error of the product is told in the report, and whole in the log', async () => {
  const bug = new TypeError('a bug');
  const { report, unexpected } = await ended(bug);
  expect(report).toMatchObject({ class: 'error', feedback: 'an error of the bot itself: a bug' });
  expect(unexpected).toEqual([bug]);
});

test('what a report tells of an attempt that was cut short: why, the last evaluation, the last words', async () => {
  const { report } = await ended(exhausted('turns').with({ ...judged.notes, partial: 'Half of it stands.' }));
  expect(report.feedback).toBe('over\n\nThe last evaluation: No.\n\nWhat was said last: Half of it stands.');
});
