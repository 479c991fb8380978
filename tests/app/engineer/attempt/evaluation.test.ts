// Time limits of an attempt's sessions after a question.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attemptState, openAttemptJournal } from '../../../../src/app/engineer/attempt/attempt-journal.ts';
import { evaluateOptions } from '../../../../src/app/engineer/attempt/evaluation.ts';
import { memoryOf } from '../../../../src/app/engineer/attempt/workplace.ts';
import { emptyLibrary } from '../../../../src/engine/language/library.ts';
import { begin } from '../../../../src/engine/reasoning/session-lifecycle.ts';
import type { SessionState } from '../../../../src/engine/reasoning/state.ts';
import { deadline } from '../../../../packages/ground/lib/deadline.ts';
import { openSandbox } from '../../../../src/engine/sandbox/sandbox.ts';
import { createCheckout } from '../../../../packages/ground/workspace/checkout.ts';
import { stillClock } from '../../../ground/lib/clocks.ts';
import { repository } from '../../../ground/workspace/fixture.ts';
import { jobSpec } from '../spec.ts';

const waiting = (activeMs: number): SessionState => ({
  ...begin('Do it.'),
  status: 'paused',
  activeMs,
  pending: { question: 'How?', parts: [] },
});

test.for<[name: string, active: number, attempt: number, turns: 'end' | 'time']>([
  ['it asked at once', 0, 60_000, 'end'],
  ['it had used most of the attempt', 540_000, 60_000, 'end'],
  ['it had used more than the attempt has left in all', 5_000_000, 60_000, 'end'],
  ['what is left does not suffice', 540_000, 10_000, 'time'],
])('%s: with the answer a session has all that is left of the attempt', async ([, active, attempt, end]) => {
  await using repo = await repository({ 'a.txt': 'a\n' });
  const folder = join(repo.path, 'checkout');
  const checkout = await createCheckout({ mirror: repo.mirror.path, commit: repo.base, folder });
  const clock = stillClock();
  const sandbox = openSandbox();
  const { signal } = new AbortController();
  const spec = jobSpec(attempt, repo.base, repo.mirror.path);
  const spentBefore = { cost_usd: 0, model_calls: 0 };
  const journal = await openAttemptJournal(spec, folder, clock);
  const host = {
    openModel: () => expect.fail('it is open'),
    clock,
    sandbox,
    hostPath: '',
    mark: 'a job',
    signal,
    progress() {},
    spentBefore,
    async spend() {},
    told: async () => '',
    unexpected() {},
  };
  const model = {
    provider: 'still',
    async call() {
      // The model takes half a minute.
      clock.advance(30_000);
      return {
        text: 'Done.',
        tool_calls: [],
        stop: 'end' as const,
        model: 'm',
        usage: { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0 },
        cost_usd: 0,
      };
    },
  };
  const state = attemptState(journal, spentBefore);
  const isolation = { kind: 'none' as const };
  const time = deadline(attempt, clock, signal);
  const options = evaluateOptions(
    { spec, folder, checkout, before: '', isolation, hosts: [], state, model, host, signal, time },
    emptyLibrary,
    memoryOf(checkout, repo.mirror.path, signal),
  );
  const request = {
    key: 'k',
    scope: 's',
    task: 'engineer.director',
    model: 'm',
    system: { stable: '', changing: '' },
    prompt: 'Do it.',
    tools: [],
    abilities: [],
    limits: { turns: 10, output_tokens: 1000, time_ms: options.timeMs!('engineer.director')! },
    signal,
  };
  const progress = {
    state: JSON.parse(JSON.stringify(waiting(active))),
    said: ['Letters.'],
    async save() {},
  };
  const ended = options.session(request, progress).then(
    () => 'end',
    () => 'time',
  );
  expect(await ended).toBe(end);
  journal.close();
  time.end();
  await sandbox.close();
  await checkout.remove();
});
