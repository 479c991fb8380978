// Reports of a session besides its events: figures at the end and on a timer, and lines.
import { expect, test } from 'vitest';
import type { SessionEvent } from '../../../src/engine/reasoning/events.ts';
import { logging } from '../../../src/engine/reasoning/built-in.ts';
import { exportMetrics, type SessionMetrics } from '../../../src/engine/reasoning/metrics.ts';
import type { SessionRequest, SessionSurroundings } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { stillClock } from '../../ground/lib/clocks.ts';
import { asked, callsTo, playing, reply } from './model.ts';

const request: SessionRequest = {
  ...asked(),
  tools: [],
  abilities: ['js'],
  limits: { turns: 10, output_tokens: 100, time_ms: 1_000_000 },
};

test('figures are exported every so often and at the end, and never after it', async () => {
  const clock = stillClock();
  const got: SessionMetrics[] = [];
  const metrics = { everyMs: 1000, export: (each: SessionMetrics) => void got.push(each) };
  const seen: number[] = [];
  const tick = async () => {
    clock.advance(1000);
    await new Promise(resolve => setImmediate(resolve));
    seen.push(got.length);
  };
  const model = playing(async () => {
    await tick();
    await tick();
    return reply('end');
  });
  await runSession(request, { model, clock, metrics });
  await tick();
  expect(seen).toEqual([1, 2, 3]);
  expect(JSON.parse(JSON.stringify(got.at(-1)))).toMatchObject({ session: 'k', total: 0, successRate: 1 });
});

test.each<[string, () => Promise<unknown>]>([
  ['fails', () => Promise.reject(new Error('no'))],
  ['ends', () => Promise.resolve(reply('end'))],
])('without a timer there is one export, when the session %s', async (_, answer) => {
  const got: SessionMetrics[] = [];
  const metrics = { export: (each: SessionMetrics) => void got.push(each) };
  const model = playing(async () => (await answer()) as ReturnType<typeof reply>);
  await runSession(request, { model, clock: stillClock(), metrics }).catch(() => {});
  expect(got).toHaveLength(1);
});

test('an export that throws is reported, and the session goes on', async () => {
  const events: SessionEvent[] = [];
  const metrics = {
    export: () => {
      throw new Error('disk full');
    },
  };
  const onEvent = (event: SessionEvent) => void events.push(event);
  const outcome = await runSession(request, {
    model: playing(reply('end')),
    clock: stillClock(),
    metrics,
    onEvent,
  });
  expect(outcome.text).toBe('end');
  expect(events).toContainEqual({
    type: 'middleware_error',
    session: 'k',
    hook: 'export',
    name: 'metrics',
    error: 'disk full',
  });
});

test('the logging middleware writes a line for each hook, and changes nothing', async () => {
  const lines: string[] = [];
  const around: SessionSurroundings = {
    model: playing(callsTo(['memory', { identifier: 'a\nb' }]), reply('end')),
    clock: stillClock(),
    middleware: [logging(line => void lines.push(line))],
  };
  expect((await runSession(request, around)).text).toBe('end');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe('iteration 1 begins with 1 messages');
  expect(lines[1]).toMatch(/^error: the identifier of a memory/);
  expect(lines[2]).toBe('iteration 1 completed: 1 operations, 1 errors, 0 ms'.replace('completed', 'failed'));
  expect(lines.join('')).not.toContain('\n');

  const hooks = logging(line => void lines.push(line));
  expect(await hooks.preExecution?.('return 1')).toBe('return 1');
  expect(lines.at(-1)).toBe('an execution of 8 characters begins');
});

// The middle of an even number lies between two.
test.each([
  [[], 0],
  [[3], 3],
  [[1, 3], 2],
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
])('the median of %j is %d', (times, median) => {
  const executions = times.map(ms => ({ ms, codeSize: 1, state: 'completed', attempts: 1 }));
  const got: SessionMetrics[] = [];
  const metrics = { export: (each: SessionMetrics) => void got.push(each) };
  exportMetrics('k', { executions } as never, { metrics, clock: stillClock() })();
  expect(got[0]?.time.median).toBe(median);
});
