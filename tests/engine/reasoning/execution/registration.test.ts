// What can be registered, by the examples of docs/reasoning-extensions.md, and what is refused.
import { readFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../../../src/engine/reasoning/execution/registry.ts';
import { addLastWords } from '../examples/own-cleaner.ts';
import { addSilence } from '../examples/own-handler.ts';
import { addPatient } from '../examples/own-policy.ts';
import { addSteady } from '../examples/own-retry-policy.ts';
import { addBusy } from '../examples/own-rule.ts';
import { addQuickFirst } from '../examples/own-strategy.ts';
import { addMask } from '../examples/own-transformer.ts';
import { addShort } from '../examples/own-validator.ts';
import { play, returns, throws, timesOut } from './scripted.ts';

describe('the examples', () => {
  it('a strategy and a policy that uses it', async () => {
    const registry = createRegistry();
    addQuickFirst(registry);
    addPatient(registry);
    const done = await play([timesOut(), returns('1')], { registry, policy: 'patient' });
    expect(done.requests.map(({ limits }) => limits?.timeMs)).toEqual([1000, 120_000]);
    expect(done.record).toMatchObject({ state: 'completed', policy: 'patient', attempts: 2 });
    expect(done.record.log).toHaveLength(2);
  });

  it('a rule with a class and a retry policy of its own', async () => {
    const registry = createRegistry();
    addSteady(registry);
    addBusy(registry);
    const busy = throws('Error', 'busy', { code: 'EBUSY' });
    const done = await play([busy, busy, busy, busy], { registry });
    expect(done.record).toMatchObject({ attempts: 4, error: { class: 'BUSY' } });
    expect(done.waits).toEqual([250, 250, 250]);
    expect(done.needsReasoning).toBe(false);
  });

  it('a cleaner', async () => {
    const registry = createRegistry();
    addLastWords(registry);
    const first = { ...timesOut(), console: [{ level: 'log' as const, text: 'step 3' }] };
    const done = await play([first, timesOut()], { registry });
    expect(done.told).toContain('Before it failed it printed: step 3');
    expect(done.events).toContainEqual(
      expect.objectContaining({ type: 'context_cleaned', what: ['executionLog', 'hint', 'lastWords'] }),
    );
  });

  it('a result transformer', async () => {
    const registry = createRegistry();
    addMask(registry);
    const done = await play([returns('"sk-abc123 and more"')], { registry });
    expect([done.told, done.record.value, done.lastResult]).toEqual([
      'Returned: "[masked] and more"',
      '"[masked] and more"',
      '"[masked] and more"',
    ]);
  });

  it('a validator', async () => {
    const registry = createRegistry();
    addShort(registry);
    const done = await play([], { registry, code: '\n'.repeat(400) });
    expect(done.record.error).toMatchObject({
      class: 'UNKNOWN_ERROR',
      name: 'ValidationError',
      message: 'short: 401 lines are too many; execute it in parts of at most 300',
    });
  });

  it('an error handler', async () => {
    const registry = createRegistry();
    addSilence(registry);
    const silent = await play([timesOut()], { registry });
    expect(silent.record.attempts).toBe(1);
    expect(silent.told).toContain('print what it is doing');
    const first = { ...timesOut(), console: [{ level: 'log' as const, text: 'step 3' }] };
    expect((await play([first, returns('1')], { registry })).record.attempts).toBe(2);
    expect((await play([throws('TypeError', 'no')], { registry })).told).not.toContain('print what');
  });

  it('stand in the documentation as they are', () => {
    const folder = join(import.meta.dirname, '../examples');
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/reasoning-extensions.md'), 'utf8');
    for (const name of globSync('own-*.ts', { cwd: folder }))
      expect(page, name).toContain(`\`\`\`ts\n${readFileSync(join(folder, name), 'utf8')}\`\`\``);
  });
});

describe('a second one of the same name', () => {
  const registry = createRegistry();
  addQuickFirst(registry);
  addPatient(registry);
  addSteady(registry);
  addBusy(registry);
  addLastWords(registry);
  addMask(registry);
  addShort(registry);
  addSilence(registry);
  it.each([
    ['strategy "quick-first"', addQuickFirst],
    ['execution policy "patient"', addPatient],
    ['retry policy "steady"', addSteady],
    ['classifier rule "busy"', addBusy],
    ['cleaner "lastWords"', addLastWords],
    ['result transformer "mask"', addMask],
    ['validator "short"', addShort],
    ['error handler "silence"', addSilence],
  ])('is refused: %s', (name, add) => {
    expect(() => add(registry)).toThrow(`there is a ${name} already`);
  });

  it('is refused where the first is built in', () => {
    expect(() => registry.policies.register(registry.policies.named('default'))).toThrow('"default" already');
    expect(() => registry.cleaners.register({ name: 'tracker', clean: seen => seen })).toThrow(
      '"tracker" already',
    );
  });

  it('belongs to its registry alone', () =>
    expect(createRegistry().policies.names()).not.toContain('patient'));
});

describe('what is not sound is refused', () => {
  const policy = createRegistry().policies.named('default');
  const steady = createRegistry().retryPolicies.named('immediate');
  it.each([
    ['a strategy that is not there', { strategy: 'quick-first' }, 'the strategy "quick-first", which is not'],
    ['no time', { timeLimitMs: 0 }, 'needs a time limit'],
    ['no number', { retries: Number.NaN }, 'needs a whole number of retries'],
    ['no name', { name: '' }, 'needs a name'],
  ])('policy: %s', (_, wrong, message) => {
    expect(() => createRegistry().policies.register({ ...policy, name: 'own', ...wrong })).toThrow(message);
  });

  it.each([
    ['no attempt', { attempts: 0 }, 'whole number of attempts'],
    ['an endless wait', { capMs: Number.POSITIVE_INFINITY }, 'a base delay and a cap'],
    ['waits that shrink', { factor: 0.5 }, 'a factor of at least 1'],
    ['too much jitter', { jitter: 2 }, 'a jitter from 0 to 1'],
  ])('retry policy: %s', (_, wrong, message) => {
    expect(() => createRegistry().retryPolicies.register({ ...steady, name: 'own', ...wrong })).toThrow(
      message,
    );
  });

  it('rule: a retry policy that is not there', () => {
    expect(() => addBusy(createRegistry())).toThrow('the retry policy "steady", which is not registered');
  });
});

describe('a strategy that makes an attempt it was not allowed', () => {
  it.each([
    ['after a failed one', throws('TypeError', 'no'), 'no transition from "failed" to "preparing"'],
    ['after one that completed', returns('1'), 'no transition from "completed" to "preparing"'],
  ])('throws: %s', async (_, outcome, message) => {
    const registry = createRegistry();
    registry.strategies.register({
      name: 'twice',
      run: async (code, by) => {
        await by.attempt(code);
        return by.attempt(code);
      },
    });
    registry.policies.register({ ...registry.policies.named('default'), name: 'twice', strategy: 'twice' });
    await expect(play([outcome, outcome], { registry, policy: 'twice' })).rejects.toThrow(message);
  });
});

it('a strategy that answers another attempt than its last is told so', async () => {
  const registry = createRegistry();
  registry.strategies.register({
    name: 'first',
    async run(code, by) {
      const first = await by.attempt(code);
      if (first.status !== 'completed' && (await by.again(first))) await by.attempt(code);
      return first;
    },
  });
  registry.policies.register({
    name: 'first',
    strategy: 'first',
    timeLimitMs: 1000,
    retries: 3,
    cleanContext: true,
    logAttempts: false,
    verboseErrors: false,
  });
  await expect(play([timesOut(), returns('1')], { registry, policy: 'first' })).rejects.toThrow(
    'the strategy "first" has to answer the last attempt that it made',
  );
});
