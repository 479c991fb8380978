// A role's turn that dies while its model is left alone: who goes on with it knows that.
import { expect, test } from 'vitest';
import type { Cascade } from '../../../src/app/cascade/cascade-state.ts';
import { evaluateRole } from '../../../src/app/cascade/evaluate-role.ts';
import { layers } from '../../../src/app/layers.ts';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { type Model, ModelFailure } from '../../../src/engine/models/model.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { present } from '../../../src/lib/present.ts';
import type { Json } from '../../../src/lib/json.ts';
import { Config } from '../../../src/app/config/config.ts';
import { scriptedRows } from '../../../src/engine/models/names.ts';
import type { Memory } from '../../../src/engine/tasks/memory/memory.ts';
import { sequence } from '../../engine/models/request.ts';
import { testClock } from '../../lib/clocks.ts';

const { library } = createLibrary([
  { file: '2ic.xml', text: '<task name="2ic"><description>Plan it.</description></task>' },
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
      limits: { layerMs: 1000 },
      openModel: async () => ({ model, used: () => [] }),
      evaluation: () => ({
        ...{ library, clock, signal, sandbox: {}, reasoning: Config.parse({}).reasoning, settings: {} },
        ...{ contextIsAid: true, models: () => 'scripted', modelRows: scriptedRows, scope: 'layers' },
        ...{ turns: () => 3, timeMs: () => turnMs },
      }),
    },
  }) as unknown as Cascade;

test('a minute that a model is left alone, and that it was, holds for the process that goes on', async () => {
  const died = new AbortController();
  const quick = testClock({ onSleep: ms => ms === 60_000 && died.abort(new Error('the process dies')) });
  const clock: Clock = {
    now: quick.now,
    sleep: (ms, signal) => (ms < turnMs ? quick.sleep(ms, signal) : new Promise(() => {})),
  };
  let kept: Json | undefined;
  const turn = (model: Model, signal: AbortSignal) =>
    evaluateRole(cascadeWith(model, clock, signal), {
      ...{ role, key: 'cascade/2ic/turn-1', most: 1, inputs: {}, pauses: true },
      repository: { tools: [], memory: {} as Memory },
      progress: {
        state: kept,
        said: [],
        save: async state => {
          kept = JSON.parse(JSON.stringify(state)) as Json;
        },
      },
    });
  await expect(turn(sequence(Array(5).fill(late)), died.signal)).rejects.toThrow('the process dies');
  const before = quick.sleeps.length;
  await clock.sleep(20_000);
  expect(await turn(sequence([late]), new AbortController().signal)).toMatchObject({
    ok: false,
    message: expect.stringContaining('timed out again and again, and is not called any more'),
  });
  expect(quick.sleeps.slice(before)).toEqual([20_000, 40_000]);
});
