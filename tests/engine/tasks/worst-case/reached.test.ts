// What a run can come to at most is what a run does come to, where all of it is used up.
import { expect, test } from 'vitest';
import { emptyLibrary } from '../../../../src/engine/language/library.ts';
import { worstCaseOf } from '../../../../src/engine/runtime/worst-case.ts';
import type { Json } from '../../../../src/lib/json.ts';

import { read, parts, ran, late, busy, one, atomic, turns, steps, judged, loop, fn, map } from './played.ts';

interface Case {
  source: string;
  calls: number;
  inputs?: Record<string, Json>;
  answer?: typeof late;
  end?: string;
}

const cases: Record<string, Case> = {
  'a session has its usual turns': { source: atomic(), calls: 10 },
  'turns are limited': { source: atomic(turns(3)), calls: 3 },
  'turns beyond those of any session are not there': { source: atomic(turns(99)), calls: 30 },
  'a session of one turn': { source: atomic(turns(1)), calls: 1, answer: busy, end: 'RESOURCE_EXHAUSTION' },
  'tries side by side': { source: atomic(`${turns(2)}<candidates n="3"/>`), calls: 6 },
  'what ranks the tries': {
    source: atomic(
      `${turns(2)}<candidates n="2"><evaluator>${one}${turns(4)}<output name="best" type="number"/><output name="why" type="string"/></evaluator></candidates>`,
    ),
    calls: 8,
    // Two different results: nothing but the evaluator tells them apart.
    answer: (request, n) => {
      const { text = '' } = late(request, n);
      return { text: text.replace('"success":false', `"best":${n},"why":""`) };
    },
  },
  'what runs on failure': {
    source: atomic(`${turns(2)}<on_failure>${atomic(turns(4))}</on_failure>`),
    calls: 6,
    answer: (request, n) => (n < 2 ? busy(request, n) : late(request, n)),
  },
  inputs: {
    source: `<task><inputs><input name="a">${atomic(turns(2))}</input><input name="b">${atomic(turns(3))}</input></inputs>${one}</task>`,
    calls: 15,
  },
  steps: { source: steps(atomic(turns(2)), atomic(turns(3))), calls: 5 },
  'a limit around steps': {
    source: `<task type="sequential"><limits><turns>4</turns></limits><steps>${atomic(turns(3))}${atomic(turns(3))}</steps></task>`,
    calls: 4,
    end: 'RESOURCE_EXHAUSTION',
  },
  'a list that is written': { source: map('<over>["a", "b", "c"]</over>', atomic(turns(2))), calls: 6 },
  'a list of lines': { source: map('<over>a\nb</over>', atomic(turns(2))), calls: 4 },
  'a list that is given': {
    source: map('<inputs><input name="all"/></inputs><over from="all"/>', atomic(turns(2))),
    calls: 8,
    inputs: { all: [1, 2, 3, 4] },
  },
  'a list in what is given': {
    source: steps(map('<over>{{all.of[0]}}</over>', atomic(turns(2)))).replace(
      '<steps>',
      '<inputs><input name="all"/></inputs><steps>',
    ),
    calls: 4,
    inputs: { all: { of: [['x', 'y']] } },
  },
  'named inputs that are folded': {
    source: `<task type="reduce"><inputs><input name="a">1</input><input name="b">2</input></inputs><initial_value>0</initial_value><inner_task>${one}${turns(2)}</inner_task><reduction_task>${one}${turns(3)}</reduction_task></task>`,
    calls: 10,
  },
  'a list that is folded': {
    source: `<task type="reduce"><over>[1, 2, 3]</over><initial_value>${atomic(turns(2))}</initial_value><inner_task>${one}${turns(2)}</inner_task><reduction_task>${one}${turns(1)}</reduction_task></task>`,
    calls: 11,
    answer: (request, n) =>
      JSON.stringify(request.messages).includes('last turn') || request.key.includes('reduction')
        ? { text: 'c' }
        : late(request, n),
  },
  rounds: { source: loop(4, judged()), calls: 20, end: 'TASK_FAILURE' },
  'rounds by a setting': { source: loop('{{rounds}}', judged()), calls: 15, end: 'TASK_FAILURE' },
  'the dearer branch': {
    source: `<task type="cond"><case test="false">${atomic(turns(2))}</case><else>${atomic(turns(3))}</else></task>`,
    calls: 3,
  },
  'bindings, and what reads them': {
    source: `<task type="let"><bind name="a">${atomic(turns(2))}</bind><body>${atomic(turns(3))}</body></task>`,
    calls: 5,
  },
  'calls of a function': {
    source: steps(fn('f', atomic(turns(2))), '<task type="call" ref="f"/>', '<task type="call" ref="f"/>'),
    calls: 4,
  },
};

test.each(Object.entries(cases))('a run comes to its bound, and no further: %s', async (_what, given) => {
  const { source, calls, inputs = {}, answer = late, end = 'COMPLETE' } = given;
  const known = { ...read(source, emptyLibrary), inputs };
  const { written, added, openEnds } = worstCaseOf(known, parts(emptyLibrary));
  expect(written.calls).toBe(calls);
  // Without reparse nothing takes the place of what failed.
  expect(added).toEqual(written);
  expect(openEnds).toEqual([]);
  const run = await ran(source, inputs, emptyLibrary, answer);
  expect(run).toMatchObject({ calls, end });
  expect(run.cost_usd).toBeCloseTo(written.cost_usd);
  expect(run.output_tokens).toBe(written.output_tokens);
  expect(run.input_tokens).toBe(written.input_tokens);
});
