// Comments on sessions that a fallback model answered.
import { expect, test } from 'vitest';
import { answeredInstead, sessionLines } from '../../../src/app/comments/session.ts';

const session = {
  ...{ task: '2ic', key: 'cascade/2ic/turn-1', status: 'completed', iterations: 1, operations: 0 },
  ...{ health: 'healthy' as const, executions: [], errors: 0, cost_usd: 0.1, ms: 5 },
};
const instead = ['b answered: a refuses', 'b answered: a: @everyone is limited'];

test('the reply names who answered instead, and why, without a mention', () => {
  expect(sessionLines(session)).toBe('');
  expect(sessionLines({ ...session, instead })).toContain('- b answered: a refuses\n');
  expect(sessionLines({ ...session, instead })).not.toMatch(/@everyone/);
});

test('the board names each once', () => {
  expect(answeredInstead([session])).toBe('');
  const shown = answeredInstead([
    { ...session, instead },
    { ...session, instead: instead.slice(0, 1) },
  ]);
  expect(shown.match(/a refuses/g)).toHaveLength(1);
});
