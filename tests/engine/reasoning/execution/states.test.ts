// The states of an execution: every pair of states, the history, and what is told of each step.
import { describe, expect, it } from 'vitest';
import {
  beginStates,
  type ExecutionState,
  executionTransitions,
  type ExecutionTransition,
} from '../../../../src/engine/reasoning/execution/record.ts';

/** Steps that lead to each state, and where it may go from there. */
const ways: Record<ExecutionState, [way: ExecutionState[], exits: ExecutionState[]]> = {
  pending: [[], ['preparing', 'cancelled']],
  preparing: [['preparing'], ['executing', 'cancelled']],
  executing: [
    ['preparing', 'executing'],
    ['completed', 'failed', 'timeout', 'cancelled'],
  ],
  completed: [['preparing', 'executing', 'completed'], []],
  failed: [
    ['preparing', 'executing', 'failed'],
    ['retrying', 'cancelled'],
  ],
  timeout: [
    ['preparing', 'executing', 'timeout'],
    ['retrying', 'cancelled'],
  ],
  retrying: [
    ['preparing', 'executing', 'failed', 'retrying'],
    ['preparing', 'cancelled'],
  ],
  cancelled: [['cancelled'], []],
};
const states = Object.keys(ways) as ExecutionState[];
const pairs = states.flatMap(from => states.map(to => ({ from, to, isAllowed: ways[from][1].includes(to) })));

function inState(state: ExecutionState) {
  let time = 0;
  const steps: ExecutionTransition[] = [];
  const life = beginStates(
    () => ++time,
    step => steps.push(step),
  );
  for (const each of ways[state][0]) life.move(each);
  return { life, steps };
}

describe('transitions', () => {
  it('knows every state', () => expect(Object.keys(executionTransitions).sort()).toEqual([...states].sort()));

  it.each(pairs)('$from -> $to: $isAllowed', ({ from, to, isAllowed }) => {
    const { life } = inState(from);
    if (isAllowed) life.move(to);
    else expect(() => life.move(to)).toThrow(`no transition from "${from}" to "${to}"`);
    expect(life.history.at(-1)?.state).toBe(isAllowed ? to : from);
  });

  it.each(states)('%s, cancelled from outside', state => {
    const { life } = inState(state);
    life.cancel();
    expect(life.history.at(-1)?.state).toBe(state === 'completed' ? 'completed' : 'cancelled');
  });
});

it('tells each step, and what it is about', () => {
  const { life, steps } = inState('preparing');
  life.move('executing', { attempt: 1 });
  expect(steps).toEqual([
    { from: 'pending', to: 'preparing', meta: {} },
    { from: 'preparing', to: 'executing', meta: { attempt: 1 } },
  ]);
});
