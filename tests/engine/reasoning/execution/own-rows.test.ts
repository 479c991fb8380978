// Rows of a program's own, by the example of docs/reasoning-extensions.md, and what is refused.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knownRows, named } from '../../../../src/engine/reasoning/execution/policies.ts';
import { rows } from '../examples/own-rows.ts';
import { play, returns, throws } from './scripted.ts';

const { execution: executionPolicies, retry: retryPolicies } = knownRows();
const busy = throws('Error', 'busy', { code: 'EBUSY' });

describe('the example', () => {
  it('a policy', async () => {
    const done = await play([returns('1')], { rows, policy: 'patient' });
    expect(done.requests.map(({ limits }) => limits.timeMs)).toEqual([120_000]);
    expect(done.record).toMatchObject({ state: 'completed', policy: 'patient', log: [{}] });
  });

  it('an error with a class and a retry policy of its own', async () => {
    const done = await play([busy, busy, busy, busy], { rows });
    expect(done.record).toMatchObject({ attempts: 4, error: { class: 'BUSY' } });
    expect(done.waits).toEqual([250, 250, 250]);
    expect(done.told).not.toContain('Mend the code');
  });

  it('an error found by its name and message', async () => {
    const quota = (message: string) => throws('QuotaError', message);
    const done = await play([quota('try again'), quota('never')], { rows });
    expect(done.record).toMatchObject({ attempts: 2, error: { class: 'UNKNOWN_ERROR' } });
  });

  it('all examples stand in the documentation as they are', () => {
    const folder = join(import.meta.dirname, '../examples');
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/reasoning-extensions.md'), 'utf8');
    for (const name of globSync('own-*.ts', { cwd: folder }))
      expect(page, name).toContain(`\`\`\`ts\n${readFileSync(join(folder, name), 'utf8')}\`\`\``);
  });
});

it('own rows of errors are asked first, in their order', async () => {
  const [row] = rows.errors!;
  const errors = [{ ...row!, class: 'FIRST' }, row!, { ...row!, class: 'LATE', when: [{}] }];
  const own = { ...rows, errors };
  expect((await play([busy, busy, busy, busy], { rows: own })).record.error?.class).toBe('FIRST');
  expect((await play(Array(4).fill(throws('TypeError', 'no')), { rows: own })).record.error?.class).toBe(
    'LATE',
  );
});

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
