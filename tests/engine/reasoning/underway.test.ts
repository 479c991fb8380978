// A reply that was carried out in part when its process died: what reached outside is not done again.
import { expect, test } from 'vitest';
import type { Tool } from '../../../src/engine/language/tool.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import type { Entry } from '../../../packages/ground/journal/journal.ts';
import { over } from '../../ground/journal/in-memory.ts';
import { stillClock } from '../../ground/lib/clocks.ts';
import { callsTo, playing, reply } from './model.ts';

const pay = (n: number): [string, unknown] => ['pay', { n }];
const replies = [callsTo(pay(1), pay(2), pay(3)), reply('paid')];

/** One process over the journal; it dies in the call `dies`. */
async function run(kept: Entry[], { dies, outside = true }: { dies?: number; outside?: boolean } = {}) {
  const controller = new AbortController();
  const paid: number[] = [];
  const tool: Tool = {
    ...{ name: 'pay', description: 'Pays.', input: { type: 'object' }, readOnly: false, outside },
    async run(input) {
      const { n } = input as { n: number };
      paid.push(n);
      if (n === dies) {
        controller.abort(new Error('killed'));
        await new Promise(() => {});
      }
      return `paid ${n}`;
    },
  };
  const asked = kept.some(({ t }) => t === 'checkpoint') ? replies.slice(1) : replies;
  const model = playing(...(outside ? asked : replies));
  const clock = stillClock();
  const journal = over(kept, { clock, write: batch => void kept.push(...batch) });
  const ended = await journal
    .step(
      'k',
      (_op, progress) =>
        runSession(
          {
            ...{ key: 'k', scope: 's', task: 't', model: 'm', prompt: 'Go.', abilities: [] },
            system: { stable: '', changing: '' },
            tools: [tool],
            limits: { turns: 2, output_tokens: 100, time_ms: 60_000 },
            signal: controller.signal,
          },
          { model, clock },
          progress,
        ),
      { costly: true },
    )
    .then(
      outcome => ({ outcome, error: undefined }),
      (error: unknown) => ({ outcome: undefined, error }),
    );
  return { ...ended, paid, keys: model.requests.map(({ key }) => key), last: model.requests.at(-1) };
}

test.each([1, 2, 3])('a process that dies in call %i leaves the calls before it done', async dies => {
  const undisturbed = await run([]);
  const kept: Entry[] = [];
  const first = await run(kept, { dies });
  expect(first.error).toMatchObject({ message: 'killed' });
  expect(first.keys).toEqual(['k/1']);
  const second = await run(kept);
  // The result of the call it died in is unknown: the call is repeated.
  expect([...first.paid, ...second.paid]).toEqual([1, 2, 3].flatMap(n => (n === dies ? [n, n] : [n])));
  // The reply was paid for: it is not asked for again, and its turn counts once.
  expect(second.keys).toEqual(dies === 1 ? ['k/1', 'k/2'] : ['k/2']);
  expect(second.outcome).toEqual(undisturbed.outcome);
  expect(second.last?.messages).toEqual(undisturbed.last?.messages);
});

test('what changes files only is done again with the files as they were saved', async () => {
  const kept: Entry[] = [];
  await run(kept, { dies: 2, outside: false });
  const second = await run(kept, { outside: false });
  expect([second.keys, second.paid]).toEqual([
    ['k/1', 'k/2'],
    [1, 2, 3],
  ]);
});
