// Figures as people read them.
import { expect, test } from 'vitest';
import { dollars } from '../../../src/app/comments/figures.ts';

test.each([
  [0, '$0.00'],
  [0.0012, '$0.0012'],
  // A cent, but for what binary fractions make of it.
  [0.00999, '$0.01'],
  [0.01, '$0.01'],
  [12.345, '$12.35'],
])('%d is %s', (usd, text) => {
  expect(dollars(usd)).toBe(text);
});
