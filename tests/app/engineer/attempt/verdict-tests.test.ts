// The evaluator's text about tests, beside their output.
import { expect, test } from 'vitest';
import { evidenceText } from '../../../../src/app/engineer/attempt/verdict-tests.ts';
import { estimateTokens } from '../../../../src/engine/language/trim.ts';

const tests = {
  command: 'npm test',
  exit_code: 0,
  tree: '',
  ran: { count: 30, names: ['adds', '# Verdict'] },
};

test('names of what passed are told where the output is cut, quoted', () => {
  expect(evidenceText(tests, 'line\n'.repeat(2000))).toBe('> Named as passed: adds, # Verdict');
  expect(evidenceText(tests, 'ok 1 - adds\n')).toBe('');
});

test('names of any length are cut', () => {
  const failing = Array.from({ length: 20 }, (_, index) => `${index} ${'a'.repeat(150)}`);
  const removed = failing;
  const without = { state: 'fails' as const, exit_code: 1, failing, said: '' };
  const told = evidenceText(
    { ...tests, without, removed, ran: { count: 20, names: failing } },
    'x'.repeat(9000),
  );
  expect(estimateTokens(told)).toBeLessThan(600);
});
