// Every pair of slot states against the transitions of the specification.
import { describe, expect, test } from 'vitest';
import { endStates } from '../../../src/app/comments/view.ts';
import { activeStates, moveSlot, type SlotState } from '../../../src/app/scheduler/slots.ts';

const allowed: Record<SlotState, string> = {
  pending: 'running blocked skipped cancelled',
  running: 'stuck killed retrying failed merging cancelled done',
  stuck: 'running killed retrying failed merging cancelled done',
  killed: 'retrying failed',
  retrying: 'pending cancelled',
  merging: 'delivering done retrying failed',
  delivering: 'done failed',
  done: 'running merging failed',
  failed: 'pending merging done',
  blocked: 'pending',
  skipped: 'pending blocked',
  cancelled: 'pending blocked',
};

const slotStates = Object.keys(allowed) as SlotState[];

describe('slots', () => {
  test.each(slotStates.flatMap(from => slotStates.map(to => [from, to] as const)))('%s -> %s', (from, to) => {
    if (allowed[from].split(' ').includes(to)) expect(moveSlot(from, to)).toBe(to);
    else expect(() => moveSlot(from, to)).toThrow(`"${from}" to "${to}"`);
  });
  test('every state is pending, active or an end', () => {
    for (const state of slotStates)
      expect(
        [state === 'pending', activeStates.has(state), endStates.includes(state)].filter(Boolean),
      ).toHaveLength(1);
  });
});
