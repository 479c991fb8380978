// A role's turn that dies while its model is left alone: who goes on with it knows that.
import { expect, test } from 'vitest';
import type { Cascade } from '../../../src/app/cascade/cascade-state.ts';
import { evaluateRole } from '../../../src/app/cascade/evaluate-role.ts';
import { layers } from '../../../src/app/layers.ts';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { bindTool } from '../../../src/engine/language/tool.ts';
import { type Model, ModelFailure } from '../../../src/engine/models/model.ts';
import type { Clock } from '../../../packages/ground/lib/clock.ts';
import { present } from '../../../packages/ground/lib/present.ts';
import type { Json } from '../../../packages/ground/lib/json.ts';
import { Config } from '../../../src/app/config/config.ts';
import { scriptedRows } from '../../../src/engine/models/names.ts';
import type { Memory } from '../../../src/engine/tasks/memory/memory.ts';
import { reply, sequence } from '../../engine/models/request.ts';
import { testClock } from '../../ground/lib/clocks.ts';

const { library } = createLibrary([
  {
    file: '2ic.xml',
    text: '<task name="2ic"><description>Plan it.</description><tools>read_file</tools></task>',
  },
]);
const late = new ModelFailure('timeout', 'too late');
const role = present(layers[0], 'a layer');
/** Of the turn: it does not come to that. */
const turnMs = 60 * 60_000;

/** Of a run, only what a turn that reads nothing needs. */
const cascadeWith = (model: Model, clock: Clock, signal: AbortSignal) =>
  ({
    played: [],
    ctx: {
      clock,
      config: { timeouts: { layer: 1000 } },
      behind: () => [],
      openModel: async () => ({ model, used: () => [] }),
      evaluation: () => ({
        ...{ library, clock, signal, sandbox: {}, reasoning: Config.parse({}).reasoning, settings: {} },
        ...{ contextIsAid: true, models: () => 'scripted', modelRows: scriptedRows, scope: 'layers' },
        ...{ turns: () => 3, timeMs: () => turnMs },
      }),
    },
  }) as unknown as Cascade;

/** Time passes at once, but for that of the turn. */
const clockWith = (quick: Clock): Clock => ({
  now: quick.now,
  sleep: (ms, signal) => (ms < turnMs ? quick.sleep(ms, signal) : new Promise(() => {})),
});

/** One turn, begun or gone on with by one process after the other. */
function turnOn(clock: Clock) {
  let kept: Json | undefined;
  return (model: Model, signal = new AbortController().signal) =>
    evaluateRole(cascadeWith(model, clock, signal), {
      ...{ role, key: 'cascade/2ic/turn-1', most: 1, inputs: {}, pauses: true },
      repository: { tools: [bindTool('read_file', async () => '1\tOnce.')], memory: {} as Memory },
      progress: {
        state: kept,
        said: [],
        save: async state => {
          kept = JSON.parse(JSON.stringify(state)) as Json;
        },
      },
    });
}

test('a minute that a model is left alone, and that it was, holds for the process that goes on', async () => {
  const died = new AbortController();
  const quick = testClock({ onSleep: ms => ms === 60_000 && died.abort(new Error('the process dies')) });
  const clock = clockWith(quick);
  const turn = turnOn(clock);
  await expect(turn(sequence(Array(5).fill(late)), died.signal)).rejects.toThrow('the process dies');
  const before = quick.sleeps.length;
  await clock.sleep(20_000);
  await expect(turn(sequence([late]))).rejects.toThrow(/not to be called before .*: too late$/);
  expect(quick.sleeps.slice(before)).toEqual([20_000, 40_000]);
});

test('what a turn opened before its process died the next layers get from the process that ends it', async () => {
  const turn = turnOn(clockWith(testClock()));
  const died = new AbortController();
  const opens = (id: string, path: string) =>
    reply({ text: '', tool_calls: [{ id, name: 'read_file', input: { path } }], stop: 'tool_calls' });
  const dying = sequence([opens('c1', 'a.ts')]);
  const { call } = dying;
  dying.call = async (...asked) => {
    if (dying.calls === 1) died.abort(new Error('the process dies'));
    died.signal.throwIfAborted();
    return await call.apply(dying, asked);
  };
  await expect(turn(dying, died.signal)).rejects.toThrow('the process dies');
  const rest = sequence([opens('c2', 'b.ts'), reply()]);
  expect(await turn(rest)).toMatchObject({
    ok: true,
    booked: { turns: 3, opened: [{ path: 'a.ts' }, { path: 'b.ts' }] },
  });
});
