// The states of an execution: every pair of states, the history, and who follows them.
import { describe, expect, it } from 'vitest';
import {
  beginLife,
  listeners,
  type Step,
} from '../../../../src/engine/reasoning/execution/execution-lifecycle.ts';
import {
  type ExecutionState,
  executionTransitions,
} from '../../../../src/engine/reasoning/execution/record.ts';

/** Steps that lead to each state. */
const ways: Record<ExecutionState, ExecutionState[]> = {
  pending: [],
  preparing: ['preparing'],
  executing: ['preparing', 'executing'],
  completed: ['preparing', 'executing', 'completed'],
  failed: ['preparing', 'executing', 'failed'],
  timeout: ['preparing', 'executing', 'timeout'],
  retrying: ['preparing', 'executing', 'failed', 'retrying'],
  cancelled: ['cancelled'],
};
const states = Object.keys(ways) as ExecutionState[];

const allowed: [ExecutionState, ExecutionState[]][] = [
  ['pending', ['preparing', 'cancelled']],
  ['preparing', ['executing', 'cancelled']],
  ['executing', ['completed', 'failed', 'timeout', 'cancelled']],
  ['failed', ['retrying', 'cancelled']],
  ['timeout', ['retrying', 'cancelled']],
  ['retrying', ['preparing', 'cancelled']],
  ['completed', []],
  ['cancelled', []],
];
const pairs = allowed.flatMap(([from, exits]) =>
  states.map(to => ({ from, to, isAllowed: exits.includes(to) })),
);

function inState(state: ExecutionState, tell: (step: Step) => void = () => {}) {
  let time = 0;
  const life = beginLife('x', () => ++time, tell);
  for (const each of ways[state]) life.move(each);
  return life;
}

describe('transitions', () => {
  it('knows every state', () => expect(Object.keys(executionTransitions).sort()).toEqual([...states].sort()));

  it.each(pairs)('$from -> $to: $isAllowed', ({ from, to, isAllowed }) => {
    const life = inState(from);
    if (!isAllowed) {
      expect(() => life.move(to)).toThrow(`no transition from "${from}" to "${to}"`);
      expect(life.state).toBe(from);
      expect(life.history).toHaveLength(ways[from].length + 1);
      return;
    }
    life.move(to);
    expect(life.state).toBe(to);
  });

  it.each(['failed', 'timeout'] as const)('%s is an end once it is settled', state => {
    const life = inState(state);
    life.settle();
    expect(() => life.move('retrying')).toThrow('the execution has ended');
    life.cancel();
    expect(life.state).toBe(state);
  });

  it.each(['pending', 'preparing', 'executing', 'retrying'] as const)('%s is no end', state => {
    expect(() => inState(state).settle()).toThrow(`cannot end as "${state}"`);
  });

  it.each(states)('%s, cancelled from outside', state => {
    const life = inState(state);
    life.cancel();
    expect(life.state).toBe(state === 'completed' ? 'completed' : 'cancelled');
  });
});

it('keeps the history with its times', () => {
  expect(inState('retrying').history).toEqual([
    { state: 'pending', at: 1 },
    { state: 'preparing', at: 2 },
    { state: 'executing', at: 3 },
    { state: 'failed', at: 4 },
    { state: 'retrying', at: 5 },
  ]);
});

describe('listeners', () => {
  it('follow one state, several, or all, until they end it', () => {
    const { follow, tell } = listeners();
    const heard: string[] = [];
    const note = (who: string) => (step: Step) => void heard.push(`${who}: ${step.from} -> ${step.to}`);
    const both = note('both');
    follow('failed', note('one'));
    follow('failed', both);
    const endPreparing = follow('preparing', both);
    const endAll = follow('any', note('all'));
    endPreparing();
    inState('executing', tell);
    endAll();
    inState('failed', tell);
    expect(heard).toEqual([
      'all: pending -> preparing',
      'all: preparing -> executing',
      'one: executing -> failed',
      'both: executing -> failed',
    ]);
  });

  it('get what the step is about', () => {
    const steps: Step[] = [];
    beginLife(
      'x7',
      () => 0,
      step => steps.push(step),
    ).move('preparing', { attempt: 1 });
    expect(steps).toEqual([{ id: 'x7', from: 'pending', to: 'preparing', meta: { attempt: 1 } }]);
  });
});

it('a listener that follows twice is called once a step, until both are ended', () => {
  const { follow, tell } = listeners();
  const seen: string[] = [];
  const listener = ({ to }: { to: string }) => void seen.push(to);
  const ends = [follow('failed', listener), follow('failed', listener)];
  const step = { id: 'x', from: 'executing', to: 'failed', meta: {} } as const;
  tell(step);
  ends[0]!();
  ends[0]!();
  tell(step);
  ends[1]!();
  tell(step);
  expect(seen).toEqual(['failed', 'failed']);
});
