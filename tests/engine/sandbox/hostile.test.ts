// Every program of hostile.ts ends as it may, in time, within the memory, and without having seen or changed the host.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultLimits } from '../../../src/engine/sandbox/limits.ts';
import { openSandbox, type SandboxOutcome } from '../../../src/engine/sandbox/sandbox.ts';
import { type Hostile, hostile } from './hostile.ts';

const MB = 1024 * 1024;
/** For what may come to its limit, and for what may not, on a busy machine either. */
const timeFor = ({ ends }: Hostile) => (ends.includes('timeout') ? 250 : 5_000);
const LATE_MS = 250;
// From source each thread also holds what strips its types.
const OVER_MB = 280;
const canary = 'canary-4f1c';

const host = globalThis as { hostCanary?: string };
const prototypes = () =>
  [Object, Array, Function, Promise, Map, String, Error].map(each => Reflect.ownKeys(each.prototype).length);

describe('hostile programs', () => {
  const outcomes = new Map<Hostile, SandboxOutcome>();
  const before = prototypes();
  const builtins = [JSON.stringify, JSON.parse, Promise.prototype.then, Array.prototype.push];
  let startRss = 0;
  let peakRss = 0;

  beforeAll(async () => {
    host.hostCanary = canary;
    const queue = hostile.values();
    startRss = process.memoryUsage.rss();
    const watch = setInterval(() => {
      peakRss = Math.max(peakRss, process.memoryUsage.rss());
    }, 10);
    // Two at a time, each lane with its own spares.
    const lane = async () => {
      const [usual, small] = [openSandbox(), openSandbox({ memoryBytes: 16 * MB })];
      for (const program of queue) {
        const { signal } = new AbortController();
        const sandbox = program.fillsMemory ? small : usual;
        const request = { code: program.code, limits: { timeMs: timeFor(program) }, signal, stores: {} };
        outcomes.set(program, await sandbox.run(request));
      }
      await usual.close();
      await small.close();
    };
    await Promise.all([lane(), lane()]);
    clearInterval(watch);
  }, 300_000);

  afterAll(() => {
    delete host.hostCanary;
  });

  it('are at least 160, each with its own name in its kind', () => {
    expect(new Set(hostile.map(each => each.code)).size).toBe(hostile.length);
    expect(hostile.length).toBeGreaterThanOrEqual(160);
  });

  it.each(hostile)('$name', program => {
    const outcome = outcomes.get(program)!;
    const shown = JSON.stringify(outcome);
    expect(program.ends, shown.slice(0, 300)).toContain(outcome.status);
    if (program.value !== undefined) expect(outcome).toMatchObject({ value: program.value });
    if (outcome.status === 'completed' && outcome.valueKind === 'json')
      expect(() => JSON.parse(outcome.value)).not.toThrow();
    expect(outcome.ms).toBeLessThan(timeFor(program) + LATE_MS);
    expect(shown).not.toContain(canary);
    expect(shown).not.toMatch(/node:internal|node_modules|engine\/sandbox|\.ts\b/);
    expect(shown).not.toContain(process.cwd());
    expect(shown.length).toBeLessThan(MB);
  });

  it('leave the host as it was', () => {
    expect(host.hostCanary).toBe(canary);
    expect(prototypes()).toEqual(before);
    expect([JSON.stringify, JSON.parse, Promise.prototype.then, Array.prototype.push]).toEqual(builtins);
  });

  it(`take at most ${OVER_MB} MB above the limit, two at once`, () => {
    expect((peakRss - startRss) / MB).toBeLessThan(defaultLimits.memoryBytes / MB + OVER_MB);
  });
});
