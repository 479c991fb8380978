// The policies: their rows, the waits, how many attempts they allow together, and names that are not known.
import { describe, expect, it } from 'vitest';
import { type BuiltInErrorClass, errorTable } from '../../../../src/engine/reasoning/execution/classify.ts';
import { executionPolicies, storedName } from '../../../../src/engine/reasoning/execution/policy.ts';
import { createRegistry } from '../../../../src/engine/reasoning/execution/registry.ts';
import {
  attemptsAllowed,
  delayOf,
  type RetryPolicy,
  retryPolicies,
  retryPolicyFor,
} from '../../../../src/engine/reasoning/execution/retry-policy.ts';
import { strategies } from '../../../../src/engine/reasoning/execution/strategies.ts';

const registry = createRegistry();

it.each([
  ['default', 'retry', 15_000, 3, true, false, false],
  ['safe', 'safe', 10_000, 0, false, true, false],
  ['aggressive', 'retry', 30_000, 5, true, false, false],
  ['debug', 'standard', 60_000, 0, false, true, true],
])(
  'execution policy %s',
  (name, strategy, timeLimitMs, retries, cleanContext, logAttempts, verboseErrors) => {
    expect(registry.policies.named(name)).toEqual({
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
  expect(registry.retryPolicies.named(name)).toEqual({ name, attempts, baseMs, factor, capMs, jitter });
});

it('has these and no others', () => {
  expect(executionPolicies.map(({ name }) => name)).toEqual(['default', 'safe', 'aggressive', 'debug']);
  expect(retryPolicies).toHaveLength(4);
  expect(strategies.map(({ name }) => name)).toEqual(['standard', 'retry', 'safe']);
});

describe('waits', () => {
  it.each([
    ['immediate', [0, 0, 0, 0]],
    ['exponential', [1000, 2000, 4000, 8000, 10_000, 10_000]],
    ['aggressive', [500, 750, 1125, 1688, 2531, 3797, 5000, 5000]],
    ['conservative', [2000, 4000, 8000, 15_000]],
  ])('%s without luck', (name, expected) => {
    const policy = registry.retryPolicies.named(name);
    expect(expected.map((_, index) => delayOf(policy, index + 1, () => 0.5))).toEqual(expected);
  });

  it.each([
    ['immediate', 0, 0],
    ['exponential', 900, 1100],
    ['aggressive', 450, 550],
    ['conservative', 2000, 2000],
  ])('%s: the first lies between %i and %i', (name, least, most) => {
    const policy = registry.retryPolicies.named(name);
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
  const allowed: [BuiltInErrorClass, string, number][] = [
    ['UNDEFINED_REFERENCE', 'default', 2],
    ['ENTITY_NOT_FOUND', 'aggressive', 2],
    ['TIMEOUT', 'default', 2],
    ['NETWORK_ERROR', 'default', 3],
    ['NETWORK_ERROR', 'aggressive', 3],
    ['NETWORK_ERROR', 'safe', 1],
    ['NETWORK_ERROR', 'debug', 1],
    ['SYNTAX_ERROR', 'aggressive', 1],
    ['TYPE_ERROR', 'default', 1],
    ['MEMORY_ERROR', 'default', 1],
    ['STORAGE_ERROR', 'default', 1],
    ['UNKNOWN_ERROR', 'aggressive', 1],
  ];
  it.each(allowed)('%s under %s: %i', (errorClass, policy, expected) => {
    const row = errorTable[errorClass];
    const retry = registry.retryPolicies.named(retryPolicyFor(row));
    expect(attemptsAllowed(row, retry, registry.policies.named(policy))).toBe(expected);
  });

  const network = { ...errorTable.NETWORK_ERROR, attempts: 9 };
  it.each([
    ['the row', { ...network, attempts: 2 }, 5, 5, 2],
    ['the retry policy', network, 3, 5, 3],
    ['the execution policy', network, 5, 1, 2],
    ['a row that allows no retry', { ...network, retry: false }, 5, 5, 1],
  ])('are the least: %s', (_, row, attempts, retries, expected) => {
    const retry: RetryPolicy = { ...registry.retryPolicies.named('immediate'), attempts };
    expect(attemptsAllowed(row, retry, { ...registry.policies.named('default'), retries })).toBe(expected);
  });

  it('an error without its own retry policy has the default one', () => {
    expect(retryPolicyFor(errorTable.UNKNOWN_ERROR)).toBe('exponential');
    expect(retryPolicyFor(errorTable.UNKNOWN_ERROR, 'conservative')).toBe('conservative');
    expect(retryPolicyFor(errorTable.TIMEOUT, 'immediate')).toBe('conservative');
  });
});

describe('names that are not known', () => {
  it('are errors that name the nearest', () => {
    expect(() => registry.policies.named('agressive')).toThrow(
      'there is no execution policy "agressive"; did you mean "aggressive"? (known: default, safe, aggressive, debug)',
    );
    expect(() => registry.policies.named('toString')).toThrow('there is no execution policy "toString"');
  });

  it('fall back with a warning where they were stored', () => {
    const names = registry.policies.names();
    expect(storedName('execution policy', 'debug', names, 'default')).toEqual({ name: 'debug' });
    expect(storedName('execution policy', 'nightly', names, 'default')).toEqual({
      name: 'default',
      warning: 'the execution policy "nightly" no longer exists; "default" is used in its place',
    });
  });
});
