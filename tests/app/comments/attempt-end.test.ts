// The words for what ended an attempt: each class has its own, and what is an error inside stays off the board.
import { expect, test } from 'vitest';
import { attemptEnd, attemptEnds, shortReason, toldNext } from '../../../src/app/comments/attempt-end.ts';

test('each class is told by a clause of its own: no code, no full stop', () => {
  const clauses = Object.values(attemptEnds);
  expect(new Set(clauses).size).toBe(clauses.length);
  for (const clause of clauses) expect(clause).toMatch(/^[a-z][^_(){}]*[a-z]$/);
});

test.each(['UNKNOWN', 'constructor', '__proto__', ''])('a class that nobody knows: %j', kind => {
  expect(attemptEnd(kind)).toBe("the engineer's program could not be carried out");
});

const failing = { command: 'npm test', exit_code: 1 };

test.each<[name: string, given: Parameters<typeof shortReason>, said: string]>([
  [
    'an evaluator’s words',
    ['rejected', 'No.\nReally.'],
    'the evaluator did not accept the change: No. Really',
  ],
  ['an error inside is left out', ['error', 'E_INSIDE at x'], 'an error of the bot itself ended the job'],
  [
    'which call failed of which provider, and why',
    ['denied', 'Anthropic (claude-x, for engineer.director): 401 no\n\nThe last evaluation: No.'],
    "the model's provider denies what is asked of it: Anthropic (claude-x, for engineer.director): 401 no",
  ],
  [
    'tests that failed, and of what',
    ['turns_exhausted', 'x', failing, 'FAIL a'],
    'the engineer used up its turns; `npm test` exited 1: FAIL a',
  ],
  [
    'tests that passed',
    ['no_changes', '', { ...failing, exit_code: 0 }, 'x'],
    'the engineer changed nothing',
  ],
  [
    'tests that were killed',
    ['time', '', { ...failing, exit_code: null }],
    'the hard time limit has passed; `npm test` was ended by a signal',
  ],
])('%s', (_, given, said) => {
  expect(shortReason(...given)).toBe(said);
});

test('whatever was said, the board gets a line, and the next attempt a bounded text', () => {
  const long = 'x y\n'.repeat(100_000);
  expect(shortReason('rejected', long, { ...failing, command: long }, long).length).toBeLessThan(1200);
  expect(toldNext('rejected', long).length).toBeLessThan(4100);
});
