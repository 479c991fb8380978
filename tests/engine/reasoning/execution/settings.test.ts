// What a configuration names that no longer exists: the default in its place, with a warning for people.
import { expect, it } from 'vitest';
import { configuredExecutor } from '../../../../src/engine/reasoning/execution/settings.ts';
import { createRegistry } from '../../../../src/engine/reasoning/execution/registry.ts';
import { recordingClock, scriptedSandbox } from './scripted.ts';

const settings = {
  policy: 'default',
  retry: 'exponential',
  cleaning: { execution_log: true, tracker: true, reasoning_log: false, valid_ids: true, hint: true },
  recovery: { context: true, reasoning: true, valid_ids: true },
};

const configured = (given: object, registry = createRegistry()) => {
  const events: unknown[] = [];
  const { sandbox } = scriptedSandbox([]);
  const { clock } = recordingClock();
  const onEvent = (event: unknown) => void events.push(event);
  return {
    executor: configuredExecutor({ ...settings, ...given }, { sandbox, clock, registry, onEvent }),
    events,
  };
};

it.each([
  [{ policy: 'gone' }, 'execution', 'default'],
  [{ tasks: { t: 'gone' } }, 'execution', 'default'],
  [{ retry: 'gone' }, 'retry', 'exponential'],
])('%j', (given, kind, to) => {
  const { executor, events } = configured(given);
  expect(executor.policyOf('t').name).toBe('default');
  expect(events).toEqual([
    { type: 'policy_changed', kind, from: 'gone', to },
    { type: 'note', text: `the ${kind} policy "gone" no longer exists; "${to}" is used in its place` },
  ]);
});

it('says nothing where all are known', () =>
  expect(configured({ retry: 'immediate' }).events).not.toContain('note'));

it('holds an own policy by the strategy safe to the time of that strategy', () => {
  const registry = createRegistry();
  registry.policies.register({
    name: 'slow-safe',
    strategy: 'safe',
    timeLimitMs: 600_000,
    retries: 0,
    cleanContext: false,
    logAttempts: false,
    verboseErrors: false,
  });
  const { executor } = configured({ policy: 'slow-safe' }, registry);
  expect(executor.timeLimitOf('t')).toBe(10_000);
});
