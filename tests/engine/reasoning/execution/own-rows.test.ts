// Rows of a program's own: their order, what they leave open, and what is refused.
import { describe, expect, it } from 'vitest';
import { type ExecutionRows, knownRows, named } from '../../../../src/engine/reasoning/execution/policies.ts';
import { play, throws } from './scripted.ts';

const { execution: executionPolicies, retry: retryPolicies } = knownRows();
const busy = throws('Error', 'busy', { code: 'EBUSY' });
const rows: ExecutionRows = {
  retryPolicies: [{ name: 'steady', attempts: 4, baseMs: 250, factor: 1, capMs: 250, jitter: 0 }],
  errors: [
    {
      ...{ class: 'BUSY', category: 'external', severity: 'low', when: [{ codes: ['EBUSY'] }] },
      ...{ attempts: 4, cleanContext: true, needsModel: false, retryPolicy: 'steady' },
    },
  ],
};

it('the retry policy in use is that of an error that names none', async () => {
  const { retryPolicy: _, ...row } = rows.errors![0]!;
  const done = await play([busy, busy], { rows: { errors: [row] }, retry: 'immediate' });
  expect(done.waits).toEqual([]);
  expect(done.record.attempts).toBe(2);
});

it('an own policy of the strategy safe has at most the time of that strategy', () => {
  const slow = {
    ...named('execution policy', executionPolicies, 'safe'),
    name: 'slow',
    timeLimitMs: 600_000,
  };
  const known = knownRows({ policies: [slow] }).execution;
  expect(named('execution policy', known, 'slow').timeLimitMs).toBe(10_000);
});

describe('what is not sound is refused', () => {
  const [policy] = executionPolicies;
  it.each([
    [
      'a strategy that is not there',
      { strategy: 'quick' as 'safe' },
      'needs a strategy: standard, retry, safe',
    ],
    ['no time', { timeLimitMs: 0 }, 'needs a time limit'],
    ['no number', { retries: Number.NaN }, 'needs a whole number of retries'],
    ['no name', { name: '' }, 'needs a name'],
    ['a name that is taken', { name: 'debug' }, 'the execution policy "debug" is there already'],
  ])('policy: %s', (_, wrong, message) => {
    expect(() => knownRows({ policies: [{ ...policy!, name: 'own', ...wrong }] })).toThrow(message);
  });

  const [steady] = retryPolicies;
  it.each([
    ['no attempt', { attempts: 0 }, 'whole number of attempts'],
    ['an endless wait', { capMs: Number.POSITIVE_INFINITY }, 'a base delay and a cap'],
    ['waits that shrink', { factor: 0.5 }, 'a factor of at least 1'],
    ['too much jitter', { jitter: 2 }, 'a jitter from 0 to 1'],
  ])('retry policy: %s', (_, wrong, message) => {
    expect(() => knownRows({ retryPolicies: [{ ...steady!, name: 'own', ...wrong }] })).toThrow(message);
  });

  it.each([
    ['no attempt', { attempts: 0 }, 'whole number of attempts'],
    ['a retry policy that is not there', { retryPolicy: 'staedy' }, 'did you mean "steady"'],
  ])('error: %s', (_, wrong, message) => {
    expect(() => knownRows({ ...rows, errors: [{ ...rows.errors![0]!, ...wrong }] })).toThrow(message);
  });
});
