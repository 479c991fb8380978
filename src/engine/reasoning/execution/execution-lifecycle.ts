// The state of one execution while it goes on: its history, and what follows each of its steps.
import { machine } from '../../../lib/machine.ts';
import { type ExecutionState, executionTransitions, type Moment } from './record.ts';

/** Numbers and words about a step, such as the attempt and the wait. */
export type StepMeta = Record<string, string | number>;

/** One step of an execution's state. */
export interface Step {
  id: string;
  from: ExecutionState;
  to: ExecutionState;
  meta: StepMeta;
}

export type StepListener = (step: Step) => void;

/** Who follows the steps of executions: all of them, or those into one state. */
export function listeners() {
  // A listener may follow a state twice; each time ends by itself.
  const following = new Map<StepListener, (ExecutionState | 'any')[]>();
  return {
    /** Calls `listener` at each step into `state`, until the answered function is called. It must not throw. */
    follow(state: ExecutionState | 'any', listener: StepListener): () => void {
      following.set(listener, [...(following.get(listener) ?? []), state]);
      let isFollowed = true;
      return () => {
        if (!isFollowed) return;
        isFollowed = false;
        const states = following.get(listener) ?? [];
        const rest = states.toSpliced(states.indexOf(state), 1);
        if (rest.length === 0) following.delete(listener);
        else following.set(listener, rest);
      };
    },
    tell(step: Step): void {
      for (const [listener, states] of [...following])
        if (states.includes('any') || states.includes(step.to)) listener(step);
    },
  };
}

const transition = machine(executionTransitions);

export type Life = ReturnType<typeof beginLife>;

/** A new execution, `pending`. `now` answers milliseconds since the epoch. */
export function beginLife(id: string, now: () => number, tell: StepListener) {
  const history: Moment[] = [{ state: 'pending', at: now() }];
  let state: ExecutionState = 'pending';
  let isSettled = false;
  return {
    get state() {
      return state;
    },
    get history(): readonly Moment[] {
      return history;
    },
    /** Throws Error when the table has no such transition, and after `settle`. */
    move(to: ExecutionState, meta: StepMeta = {}): void {
      if (isSettled) throw new Error(`no transition from "${state}" to "${to}": the execution has ended`);
      const from = state;
      state = transition(from, to);
      history.push({ state, at: now() });
      tell({ id, from, to, meta });
    },
    /** No attempt follows: `failed` and `timeout` are ends from now on. Throws Error in the middle of an attempt. */
    settle(): void {
      if (state !== 'completed' && state !== 'failed' && state !== 'timeout' && state !== 'cancelled')
        throw new Error(`an execution cannot end as "${state}"`);
      isSettled = true;
    },
    /** Ends it from outside, unless it has ended already. */
    cancel(meta: StepMeta = {}): void {
      const isOver = isSettled || state === 'completed' || state === 'cancelled';
      if (!isOver) this.move('cancelled', meta);
      isSettled = true;
    },
  };
}
