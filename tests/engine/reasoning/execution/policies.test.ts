// The policies: their rows, the waits, how many attempts they allow together, and names that are not known.
import { describe, expect, it } from 'vitest';
import { errorTable } from '../../../../src/engine/reasoning/execution/errors.ts';
import {
  attemptsAllowed,
  delayOf,
  knownRows,
  named,
  type RetryPolicy,
} from '../../../../src/engine/reasoning/execution/policies.ts';

const { execution: executionPolicies, retry: retryPolicies, strategies } = knownRows();
const execution = (name: string) => named('execution policy', executionPolicies, name);
const retrying = (name: string) => named('retry policy', retryPolicies, name);
const strategy = (name: string) => named('strategy', strategies, name);

it.each([
  ['default', 'retry', 15_000, 3, true, false, false],
  ['safe', 'safe', 10_000, 0, false, true, false],
  ['aggressive', 'retry', 30_000, 5, true, false, false],
  ['debug', 'standard', 60_000, 0, false, true, true],
])(
  'execution policy %s',
  (name, strategy, timeLimitMs, retries, cleanContext, logAttempts, verboseErrors) => {
    expect(execution(name)).toEqual({
      name,
      strategy,
      timeLimitMs,
      retries,
      cleanContext,
      logAttempts,
      verboseErrors,
    });
  },
);

it.each([
  ['immediate', 2, 0, 1, 0, 0],
  ['exponential', 3, 1000, 2, 10_000, 0.1],
  ['aggressive', 5, 500, 1.5, 5000, 0.1],
  ['conservative', 2, 2000, 2, 15_000, 0],
])('retry policy %s', (name, attempts, baseMs, factor, capMs, jitter) => {
  expect(retrying(name)).toEqual({ name, attempts, baseMs, factor, capMs, jitter });
});

it('has these and no others', () => {
  expect(executionPolicies.map(({ name }) => name)).toEqual(['default', 'safe', 'aggressive', 'debug']);
  expect(retryPolicies).toHaveLength(4);
});

describe('waits', () => {
  it.each([
    ['immediate', [0, 0, 0, 0]],
    ['exponential', [1000, 2000, 4000, 8000, 10_000, 10_000]],
    ['aggressive', [500, 750, 1125, 1688, 2531, 3797, 5000, 5000]],
    ['conservative', [2000, 4000, 8000, 15_000]],
  ])('%s without luck', (name, expected) => {
    const policy = retrying(name);
    expect(expected.map((_, index) => delayOf(policy, index + 1, () => 0.5))).toEqual(expected);
  });

  it.each([
    ['immediate', 0, 0],
    ['exponential', 900, 1100],
    ['aggressive', 450, 550],
    ['conservative', 2000, 2000],
  ])('%s: the first lies between %i and %i', (name, least, most) => {
    const policy = retrying(name);
    expect([delayOf(policy, 1, () => 0), delayOf(policy, 1, () => 1)]).toEqual([least, most]);
  });

  it.each(retryPolicies.map(policy => [policy.name, policy] as const))(
    '%s: no luck passes the cap',
    (_, policy) => {
      expect(delayOf(policy, 1000, () => 1)).toBe(policy.capMs);
    },
  );
});

describe('attempts in all', () => {
  const network = { ...errorTable.find(row => row.class === 'NETWORK_ERROR')!, attempts: 9 };
  it.each([
    ['the row', { ...network, attempts: 2 }, 5, 5, 2],
    ['the retry policy', network, 3, 5, 3],
    ['the execution policy', network, 5, 1, 2],
  ])('are the least: %s', (_, row, attempts, retries, expected) => {
    const retry: RetryPolicy = { ...retrying('immediate'), attempts };
    expect(attemptsAllowed(row, retry, { ...execution('default'), retries }, strategy('retry'))).toBe(
      expected,
    );
  });

  it.each(['standard', 'safe'] as const)('are one by the strategy %s', name => {
    expect(attemptsAllowed(network, retrying('aggressive'), execution('default'), strategy(name))).toBe(1);
  });
});

it('names that are not known are errors that name the nearest', () => {
  expect(() => execution('agressive')).toThrow(
    'there is no execution policy "agressive"; did you mean "aggressive"? (known: default, safe, aggressive, debug)',
  );
  expect(() => execution('toString')).toThrow('there is no execution policy "toString"');
});
