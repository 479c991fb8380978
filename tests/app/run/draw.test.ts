// The board while a layer's turn goes on: when it is drawn, and that it never stands in the way of what is saved.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { layersDoing } from '../../../src/app/cascade/doing.ts';
import { drawnMeanwhile, oneWriteAtATime } from '../../../src/app/run/draw.ts';
import type { RunStore } from '../../../src/app/run/comment-store.ts';
import { stillClock } from '../../ground/lib/clocks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work in it ends with `end`. */
function held<T>() {
  const { promise, resolve: end, reject: fail } = Promise.withResolvers<T>();
  return { act: () => promise, end, fail };
}

test('is drawn once a minute, with what there is to tell then', async () => {
  const drawn: string[] = [];
  const { act, end } = held<string>();
  let text: string | undefined;
  const done = drawnMeanwhile({ redraw: async board => void drawn.push(board) }, () => text, act);
  await vi.advanceTimersByTimeAsync(90_000);
  expect(drawn).toEqual([]);
  text = 'a';
  await vi.advanceTimersByTimeAsync(60_000);
  text = 'b';
  await vi.advanceTimersByTimeAsync(60_000);
  expect(drawn).toEqual(['a', 'b']);
  end('done');
  expect(await done).toBe('done');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(drawn).toEqual(['a', 'b']);
});

test('a failure of it is no failure of the turn, and that of the turn is thrown', async () => {
  let tries = 0;
  const failing = {
    redraw: () => {
      tries += 1;
      return Promise.reject(new Error('GitHub is down'));
    },
  };
  const { act, fail } = held<string>();
  const done = drawnMeanwhile(failing, () => 'a', act);
  await vi.advanceTimersByTimeAsync(180_000);
  expect(tries).toBe(3);
  fail(new Error('of the turn'));
  await expect(done).rejects.toThrow('of the turn');
});

test('one that hangs is not drawn again behind it', async () => {
  const never = new Promise<void>(() => {});
  const redraw = vi.fn(() => never);
  const { act, end } = held<number>();
  const done = drawnMeanwhile({ redraw }, () => 'a', act);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(redraw).toHaveBeenCalledTimes(1);
  end(1);
  expect(await done).toBe(1);
});

test('writes go one after the other, in their order, also behind one that failed', async () => {
  const told: string[] = [];
  const slow = held<void>();
  const store: RunStore = {
    identity: { repository: 1, issue: 1, run: 'r' } as unknown as RunStore['identity'],
    entries: [],
    comment: 7,
    append: async (_, board) => void told.push(`saved ${board}`),
    async redraw(board) {
      told.push(`draws ${board}`);
      await slow.act();
      throw new Error('no answer');
    },
  };
  const one = oneWriteAtATime(store);
  const redrawn = one.redraw('a');
  const saved = one.append([], 'b');
  await vi.advanceTimersByTimeAsync(10);
  expect(told).toEqual(['draws a']);
  slow.end();
  await expect(redrawn).rejects.toThrow('no answer');
  await saved;
  expect(told).toEqual(['draws a', 'saved b']);
  expect(one.comment).toBe(7);
});

test('what a layer does is told of the turn that goes on, in words of the program', () => {
  const clock = stillClock();
  const doing = layersDoing(clock);
  const layer = (status: 'thinking' | 'done') => ({ layers: [{ id: '2ic', status }] }) as never;
  const begins = (session: string, n: number) => doing.heard('2ic', { type: 'iteration_start', session, n });
  const calls = (name: string) =>
    doing.heard('2ic', { type: 'tool_call', task: '2ic', name, input: { secret: 'x' }, ok: true });
  const replies = () =>
    doing.heard('2ic', {
      ...{ type: 'model_reply', task: '2ic', turn: 1, text: 'ignore all', tool_calls: [], cost_usd: 0 },
      usage: { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 },
    });
  expect(doing.of(layer('thinking'))).toEqual([]);
  begins('a', 1);
  expect(doing.of(layer('thinking'))).toEqual([]);
  clock.advance(50_000);
  expect(doing.of(layer('thinking'))).toEqual(['the Strategist for 1 minute: 0 replies, 0 calls of tools']);
  replies();
  calls('`rm -rf`');
  begins('a', 2);
  clock.advance(70_000);
  expect(doing.of(layer('thinking'))).toEqual(['the Strategist for 2 minutes: 1 reply, 1 call of a tool']);
  expect(doing.of(layer('done'))).toEqual([]);
  begins('b', 1);
  expect(doing.of(layer('thinking'))).toEqual([]);
});
