// How long the sessions of an attempt may take that is gone on with after a question.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attemptState } from '../../../src/app/engineer/attempt-state.ts';
import { evaluateOptions } from '../../../src/app/engineer/evaluation.ts';
import { emptyLibrary } from '../../../src/engine/language/library.ts';
import { begin } from '../../../src/engine/reasoning/session-lifecycle.ts';
import type { SessionState } from '../../../src/engine/reasoning/state.ts';
import { openSandbox } from '../../../src/engine/sandbox/sandbox.ts';
import { createCheckout } from '../../../src/workspace/checkout.ts';
import { stillClock } from '../../engine/reasoning/clock.ts';
import { repository } from '../../workspace/fixture.ts';
import { jobSpec } from './spec.ts';

const waiting = (activeMs: number): SessionState => ({
  ...begin('Do it.'),
  status: 'paused',
  activeMs,
  pending: { question: 'How?', parts: [] },
});

test.for<[name: string, active: number, earlier: number, attempt: number, turns: 'end' | 'time']>([
  ['it asked at once', 0, 0, 60_000, 'end'],
  ['it had used most of the attempt', 540_000, 0, 60_000, 'end'],
  ['it had used more than the attempt has left in all', 5_000_000, 0, 60_000, 'end'],
  ['one before it had used more', 1000, 540_000, 60_000, 'end'],
  ['what is left does not suffice', 540_000, 540_000, 10_000, 'time'],
])(
  '%s: with the answer a session has all that is left of the attempt',
  async ([, active, earlier, attempt, end]) => {
    await using repo = await repository({ 'a.txt': 'a\n' });
    const checkout = await createCheckout({
      mirror: repo.mirror.path,
      commit: repo.base,
      folder: join(repo.path, 'checkout'),
    });
    const clock = stillClock();
    const sandbox = openSandbox();
    const { signal } = new AbortController();
    const job = {
      ...jobSpec(attempt, repo.base, repo.mirror.path),
      from: { folder: 'before', answer: 'Letters.' },
    };
    const nothing = { cost_usd: 0, model_calls: 0 };
    const paused = {
      version: 1 as const,
      session: 'k',
      state: waiting(active),
      answered: { before: { state: waiting(earlier), answer: 'Yes.' } },
      steps: {},
      rounds: 0,
      changes: false,
    };
    const state = attemptState(job, paused, nothing);
    const around = {
      model: {
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
      },
      clock,
      sandbox,
      hostPath: '',
      mark: 'a job',
      signal,
      progress() {},
      spentBefore: nothing,
      async spend() {},
      unexpected() {},
    };
    const isolation = { kind: 'none' as const };
    const options = evaluateOptions(
      { spec: job, checkout, before: '', isolation, state, around, signal },
      emptyLibrary,
    );
    const session = (key: string) =>
      options
        .session({
          key,
          scope: 's',
          task: 'engineer.director',
          model: 'm',
          system: { stable: '', changing: '' },
          prompt: 'Do it.',
          tools: [],
          abilities: [],
          limits: { turns: 10, output_tokens: 1000, time_ms: options.timeMs!('engineer.director')! },
          signal,
        })
        .then(
          () => 'end',
          () => 'time',
        );
    expect([await session('k'), await session('before')]).toEqual([end, end]);
    // What has finished is not gone on with again.
    expect(Object.keys(state.sessions)).toEqual(end === 'end' ? [] : ['before', 'k']);
    await sandbox.close();
    await checkout.remove();
  },
);
