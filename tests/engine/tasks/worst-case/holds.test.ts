// No run comes to more than its worst case, however its model answers.
import { expect, test } from 'vitest';
import { tasksIn } from '../../../../src/engine/language/ast.ts';
import { createLibrary, emptyLibrary } from '../../../../src/engine/language/library.ts';
import type { ModelRequest } from '../../../../src/engine/models/model.ts';
import { worstCaseOf } from '../../../../src/engine/runtime/worst-case.ts';
import type { Json } from '../../../../src/lib/json.ts';
import fc from '../../../properties.ts';
import { choices, librarySources, randomProgram, randomReply } from '../../language/random-programs.ts';

import {
  row,
  price,
  read,
  parts,
  ran,
  late,
  busy,
  atomic,
  turns,
  steps,
  verdict,
  judged,
  loop,
  fn,
  map,
} from './played.ts';

test('a list that only a run knows has as many elements as a list may have', () => {
  const source = steps(atomic(turns(1), ' name="s"'), map('<over from="s"/>', atomic(turns(2))));
  const { written, openEnds } = worstCaseOf(
    { ...read(source, emptyLibrary), inputs: {} },
    parts(emptyLibrary),
  );
  expect(written.calls).toBe(20_001);
  expect(openEnds).toEqual([
    {
      kind: 'list',
      name: 'map',
      at: expect.objectContaining({ file: 'p.xml', line: 1 }),
      most: 10_000,
      each: 2,
    },
  ]);
});

test('a name that is bound again is not what was given', () => {
  const inner = map('<over from="all"/>', atomic(turns(1)), '');
  const rebound = `<task type="sequential"><inputs><input name="all"/></inputs><steps><task type="let"><bind name="all">${atomic(turns(1))}</bind><body>${inner}</body></task></steps></task>`;
  const { program, flows } = read(rebound, emptyLibrary);
  const bound = worstCaseOf({ program, flows, inputs: { all: [1] } }, parts(emptyLibrary));
  expect(bound.written.calls).toBe(10_001);
});

test('a function that calls itself does so as often as calls may be within one another', async () => {
  const itself = steps(atomic(turns(1)), '<task type="call" ref="f"/>');
  const source = steps(fn('f', itself), '<task type="call" ref="f"/>');
  const { written, openEnds } = worstCaseOf(
    { ...read(source, emptyLibrary), inputs: {} },
    parts(emptyLibrary),
  );
  expect(written.calls).toBe(50);
  expect(openEnds).toEqual([
    { kind: 'recursion', name: 'call', at: expect.objectContaining({ line: 1 }), most: 50, each: undefined },
  ]);
  const run = await ran(source, {}, emptyLibrary, () => ({ text: 'c' }));
  expect(run).toMatchObject({ calls: 50, end: 'TASK_FAILURE' });
});

test('a function that calls itself twice is worked out in no time', () => {
  const source = steps(
    fn('f', steps(atomic(turns(1)), '<task type="call" ref="f"/>', '<task type="call" ref="f"/>')),
    '<task type="call" ref="f"/>',
  );
  const { written } = worstCaseOf({ ...read(source, emptyLibrary), inputs: {} }, parts(emptyLibrary));
  expect(written.calls).toBe(2 ** 50 - 1);
});

test('a limit of money holds but for the calls that are under way', async () => {
  const limited = (usd: number, inside: string) =>
    `<task type="sequential"><limits><budget>${usd}</budget></limits><steps>${inside}</steps></task>`;
  const each = 8_000 * 2e-6 + 16_000 * 0 + 500 * 1e-5;
  const cases: [string, number][] = [
    [limited(0.05, atomic()), 0.05 + each],
    [limited(0.05, map('<over>[1, 2, 3, 4]</over>', atomic(), '<parallel>4</parallel>')), 0.05 + 4 * each],
    [limited(9, atomic()), 10 * each],
  ];
  for (const [source, usd] of cases) {
    const { written } = worstCaseOf({ ...read(source, emptyLibrary), inputs: {} }, parts(emptyLibrary));
    expect(written.cost_usd).toBeCloseTo(usd);
    const run = await ran(source, {}, emptyLibrary, busy);
    expect(run.cost_usd).toBeLessThanOrEqual(written.cost_usd);
    expect(run.cost_usd).toBeGreaterThanOrEqual(Math.min(usd, 0.05));
  }
});

test('each model that may answer in the place of another may be paid for', () => {
  const known = { ...read(atomic(turns(1)), emptyLibrary), inputs: {} };
  const alone = worstCaseOf(known, parts(emptyLibrary)).written;
  const { written } = worstCaseOf(known, parts(emptyLibrary, { behind: () => ['dear'] }));
  expect(written.calls).toBe(1);
  expect(written.cost_usd).toBeCloseTo(2 * alone.cost_usd + 500 * 1e-5);
});

test('what is not known is said to be so', () => {
  const known = { ...read(atomic(), emptyLibrary), inputs: {} };
  const { written } = worstCaseOf(known, parts(emptyLibrary, { models: () => 'unknown' }));
  expect(written).toMatchObject({
    calls: 10,
    input_tokens: Number.NaN,
    cost_usd: Number.NaN,
    output_tokens: 160_000,
  });
});

test('the prices of a long prompt count', () => {
  const long = { over: 4_000, input: 2, output: 30, cache_read: 1, cache_write: 3 };
  const modelRows = { m: { ...row, price: { ...price, long } } };
  const known = { ...read(atomic(turns(1)), emptyLibrary), inputs: {} };
  const { written } = worstCaseOf(known, parts(emptyLibrary, { modelRows }));
  expect(written.cost_usd).toBeCloseTo(8_000 * 3e-6 + 500 * 3e-5);
});

const own = (name: string, inputs: string[]) => ({
  file: `${name}.xml`,
  text: `<task name="${name}" subtype="${name}"><inputs>${inputs.map(each => `<input name="${each}"/>`).join('')}</inputs><description>${inputs.map(each => `{{${each}}}`).join(' ')}</description></task>`,
});
const { library: full } = createLibrary([
  ...librarySources,
  own('matching', ['request', 'tasks']),
  {
    file: 'judge.xml',
    text: `<task name="judge" subtype="evaluator"><description>rest judge</description>${verdict}</task>`,
  },
  {
    file: 'pair.xml',
    text: `<task name="pair" type="sequential"><description>pair</description><steps>${atomic(turns(2))}${loop(3, judged())}</steps></task>`,
  },
]);

test('what takes the place of a failed task counts: as many sessions as it may have', async () => {
  const source = atomic(`<output name="o" type="number"/>${turns(1)}`);
  const { written, added } = worstCaseOf({ ...read(source, full), inputs: {} }, parts(full));
  expect(written.calls).toBe(1);
  expect(added.calls).toBe(1 + 50 * 10);
  const run = await ran(source, {}, full, (request, n) =>
    request.task === 'reparse'
      ? {
          text: steps(
            ...Array.from({ length: 60 }, () => atomic()),
            atomic('<output name="o" type="number"/>'),
          ),
        }
      : n === 0
        ? { text: 'none' }
        : late(request, n),
  );
  // One session of the fifty wrote what the others did.
  expect(run).toMatchObject({ calls: 1 + 1 + 49 * 10, end: 'TASK_FAILURE' });
});

test('what a director asks for counts: subtasks within subtasks', async () => {
  const asks = (request: ModelRequest, n: number) =>
    request.task === 'matching'
      ? { text: '[{"name":"pair","score":1}]' }
      : request.task === 'director'
        ? {
            text: JSON.stringify({
              status: 'CONTINUATION',
              content: '',
              notes: { subtask_request: { description: 'pair' } },
            }),
          }
        : late(request, n);
  const source = `<task type="sequential"><disable_reparsing>true</disable_reparsing><steps>${loop(3, judged())}</steps></task>`;
  const { written, added } = worstCaseOf({ ...read(source, full), inputs: {} }, parts(full));
  const run = await ran(source, {}, full, asks);
  expect(written.calls).toBe(3 * (3 + 2));
  expect(run.calls).toBeGreaterThan(written.calls);
  expect(run.calls).toBeLessThanOrEqual(added.calls);
});

test('no run of a random program comes to more, whatever is replied to it', async () => {
  const most = { calls: 0, share: 0 };
  // Few turns, so that many a session uses them up.
  const two = { turns: () => 2 };
  await fc.assert(
    fc.asyncProperty(choices, choices, async (choose, replies) => {
      const source = randomProgram(choose, 2);
      const { program, flows } = read(source, full);
      const values: Json[] = ['text', 7, ['a', { b: null }], '', null];
      const inputs = Object.fromEntries(program.inputs.map(({ name }) => [name, replies.of(values)]));
      const declared = [...tasksIn(program)].flatMap(each =>
        each.type === 'atomic' ? each.outputs.map(output => output.name) : [],
      );
      const { added, written } = worstCaseOf({ program, flows, inputs }, parts(full, two));
      const run = await ran(
        source,
        inputs,
        full,
        (request, n) => {
          const { text = '', stop = 'end' } = randomReply(replies, declared);
          return replies.below(3) === 0 ? busy(request, n) : { text, stop };
        },
        two,
      );
      expect(run.calls).toBeLessThanOrEqual(added.calls);
      for (const figure of ['input_tokens', 'output_tokens', 'cost_usd'] as const)
        expect(run[figure]).toBeLessThanOrEqual(added[figure] * (1 + 1e-9));
      expect(written.calls).toBeLessThanOrEqual(added.calls);
      most.calls = Math.max(most.calls, run.calls);
      most.share = Math.max(most.share, run.calls / Math.max(1, written.calls));
    }),
    { numRuns: 300 },
  );
  // The model that is played makes much of what it may: programs are left that come to more than they say themselves.
  expect(most.share).toBeGreaterThan(1);
});
