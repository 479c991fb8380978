// Recovery by reasoning: twice for one failure, with what the model needs to mend it.
import { describe, expect, it } from 'vitest';
import type { FailedAttempt } from '../../../../src/engine/reasoning/execution/record.ts';
import { errorTable } from '../../../../src/engine/reasoning/execution/errors.ts';
import type { ExecutionRecord } from '../../../../src/engine/reasoning/execution/record.ts';
import {
  reasoningBefore,
  recoveryNotes,
} from '../../../../src/engine/reasoning/execution/report-to-model.ts';
import { play, returns, throws, vaultOf } from './scripted.ts';

const failed: FailedAttempt = {
  status: 'failed',
  error: { name: 'TypeError', message: 'no', line: 2 },
  row: errorTable.find(row => row.class === 'TYPE_ERROR')!,
  console: [],
  omittedOutput: { lines: 0, chars: 0 },
  missingReads: [],
  ms: 1,
};
const failure = { failed, code: 'a()\n  b()\nc()', reasoning: 'b does it', stores: vaultOf('v') };
const mend = 'Mend the code and execute it again (attempt 1 of 2 at mending it).';
const all = ['Line 2: b()', 'Valid ids: "v"', 'Your reasoning before it: b does it', mend];

describe('what is given', () => {
  it('all', () => expect(recoveryNotes(1, failure)).toEqual(all));

  it('nothing that is not there', () => {
    const error = { name: 'Error', message: 'no', line: 99 };
    expect(
      recoveryNotes(1, { ...failure, failed: { ...failed, error }, reasoning: '', stores: vaultOf() }),
    ).toEqual([mend]);
  });

  it('after two attempts the advice to go another way', () => {
    expect(recoveryNotes(undefined, failure)).toEqual([
      expect.stringMatching(/^2 attempts at mending this failed/),
    ]);
  });
});

describe('in a row of executions', () => {
  const no = () => throws('TypeError', 'no');

  async function recoveries(...outcomes: Parameters<typeof play>[0][]) {
    const executions: ExecutionRecord[] = [];
    for (const outcome of outcomes)
      executions.push((await play(outcome, { executions: [...executions] })).record);
    return executions.map(({ recovery }) => recovery);
  }

  it('another failure begins after an execution that completed', async () => {
    expect(await recoveries([no()], [no()], [no()], [returns('1')], [no()])).toEqual([
      1,
      2,
      undefined,
      undefined,
      1,
    ]);
  });

  it('a network error between does not count and does not end it', async () => {
    const off = () => throws('Error', 'offline', { code: 'EPIPE' });
    expect(await recoveries([no()], [off(), off(), off()], [no()], [no()])).toEqual([
      1,
      undefined,
      2,
      undefined,
    ]);
  });
});

describe('the reasoning before', () => {
  const wrote = (...texts: string[]) => texts.map(reasoning => ({ reasoning }));
  it.each<[string, string[], string]>([
    ['of the same reply', ['this'], 'this'],
    ['of the replies before, newest first', ['first', '', 'second', ''], 'second\nfirst'],
    [
      'as much as is given',
      ['old', 'y'.repeat(600), 'x'.repeat(600)],
      `${'x'.repeat(600)}\n${'y'.repeat(399)}`,
    ],
    ['none', ['', ''], ''],
  ])('%s', (_, texts, expected) => expect(reasoningBefore(wrote(...texts))).toBe(expected));
});
