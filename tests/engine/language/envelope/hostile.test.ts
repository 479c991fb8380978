// Hostile replies of an evaluator: each is read as the table says.
import { expect, test } from 'vitest';
import type { Output } from '../../../../src/engine/language/ast.ts';
import { parseReply } from '../../../../src/engine/language/envelope/reply.ts';
import { TaskError } from '../../../../src/engine/language/result.ts';
import { hostile } from './hostile.ts';

const verdict: Output[] = [
  { name: 'success', type: 'boolean', nullable: false },
  { name: 'feedback', type: 'string', nullable: true },
];

/** The verdict, or the violations. */
function read(reply: string): unknown {
  try {
    return parseReply(reply, verdict).outputs['success'];
  } catch (error) {
    if (!(error instanceof TaskError) || error.detail.code !== 'INVALID_OUTPUT') throw error;
    return error.detail.violations.join('; ');
  }
}

test('there are enough hostile replies, each with its own name', () => {
  expect(hostile.length).toBeGreaterThanOrEqual(60);
  expect(new Set(hostile.map(([name]) => name)).size).toBe(hostile.length);
});

test.each(hostile)('%s', (_name, reply, expected) => expect(read(reply)).toBe(expected));
