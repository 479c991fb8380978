// What is taken in from comments.
import { expect, test } from 'vitest';
import { commandsIn } from '../../../src/app/run/receive-signals.ts';

test('of one comment 20 commands are read, the first ones', () => {
  const body = Array.from({ length: 30 }, (_, at) => `/retry #${at + 1}`).join('\n');
  expect(commandsIn({ body }).map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
});
