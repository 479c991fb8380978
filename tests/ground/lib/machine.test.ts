// The state machine: what the table holds, and what it refuses.
import { describe, expect, test } from 'vitest';
import { machine } from '../../../packages/ground/lib/machine.ts';

const move = machine({
  open: { closed: 'someone closes it' },
  closed: { open: 'someone opens it' },
  gone: {},
});

describe('machine', () => {
  test('moves where the table leads', () => {
    expect(move('open', 'closed')).toBe('closed');
    expect(move('closed', 'open')).toBe('open');
  });
  test.each([
    ['open', 'open'],
    ['open', 'gone'],
    ['gone', 'open'],
  ] as const)('refuses %s -> %s, naming both', (from, to) => {
    expect(() => move(from, to)).toThrow(`no transition from "${from}" to "${to}"`);
  });
  test('names of Object.prototype are no states', () => {
    expect(() => move('open', 'toString' as 'open')).toThrow('to "toString"');
    expect(() => move('constructor' as 'open', 'open')).toThrow('not a state');
  });
});
