// Times of steps in the history of a sequence: on a clock, and the same again over a journal.
import { describe, expect, test } from 'vitest';
import type { TaskResult } from '../../../src/engine/language/result.ts';
import type { Entry } from '../../../packages/ground/journal/journal.ts';
import type { EvaluateOptions } from '../../../src/engine/tasks/evaluate.ts';
import { over } from '../../ground/journal/in-memory.ts';
import { stillClock } from '../../ground/lib/clocks.ts';
import { evaluating, failed } from './surroundings.ts';

const epoch = stillClock().now();

/** Every session takes 100 ms, every script 10 ms; the clock begins `late` ms after the epoch of the test. */
function run(source: string, more: Partial<EvaluateOptions> = {}, late = 0, answer = 'ok') {
  const clock = stillClock();
  clock.advance(late);
  return evaluating(
    source,
    {},
    () => {
      clock.advance(100);
      return answer;
    },
    {
      clock,
      script: async () => {
        clock.advance(10);
        return { exit_code: 0, stdout: 'out', stderr: '', timed_out: false };
      },
      ...more,
    },
  ).result;
}

const leaf = (name: string, more = '') => `<task name="${name}"><instructions>x</instructions>${more}</task>`;
const steps = (...inner: string[]) => `<task type="sequential"><steps>${inner.join('')}</steps></task>`;
const script = '<task type="script" name="s"><command>make</command></task>';
const at = (started: number, ended: number) => ({ started: epoch + started, ended: epoch + ended });
const timesIn = ({ notes }: Pick<TaskResult, 'notes'>) => [
  notes.dataUsage.times,
  notes.steps?.map(({ result }) => result.notes.dataUsage.times),
];

describe.each(['without a journal', 'with a journal'])('%s', kind => {
  const around = () => (kind === 'with a journal' ? { step: over([]).step } : {});
  test.each([
    ['sessions', steps(leaf('a'), leaf('b')), at(0, 200), [at(0, 100), at(100, 200)]],
    ['a script', steps(leaf('a'), script), at(0, 110), [at(0, 100), at(100, 110)]],
    [
      'a sequence within',
      steps(leaf('a'), steps(leaf('b'), leaf('c'))),
      at(0, 300),
      [at(0, 100), at(100, 300)],
    ],
    [
      'the tasks of inputs',
      steps(
        `<task name="a"><inputs><input name="i">${leaf('v')}</input></inputs><instructions>{{i}}</instructions></task>`,
      ),
      at(0, 200),
      [at(0, 200)],
    ],
    [
      'what runs nothing',
      steps(leaf('a'), '<task type="cond"><case test="false">'.concat(leaf('b'), '</case></task>')),
      at(0, 100),
      [at(0, 100), undefined],
    ],
  ])('%s', async (_what, source, all, each) => {
    expect(timesIn(await run(source, around()))).toEqual([all, each]);
  });

  test('a session that fails', async () => {
    const source = steps(leaf('a'), leaf('b', '<output name="n" type="number"/>'));
    expect(timesIn(await failed(run(source, around())))).toEqual([at(0, 200), [at(0, 100)]]);
  });
});

test('a replay has those of the first run', async () => {
  const source = steps(leaf('a'), script);
  const kept: Entry[] = [];
  const first = await run(source, { step: over(kept).step });
  const again = await run(source, { step: over(kept).step }, 5_000);
  expect(again.notes).toEqual(first.notes);
});

test('the outcome of a script that a model and people see has no times', async () => {
  const { notes } = await run(script, { step: over([]).step });
  expect(notes.script).toEqual({ exit_code: 0, stdout: 'out', stderr: '', timed_out: false });
});
