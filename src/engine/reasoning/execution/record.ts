// One execution of JavaScript: its attempts, its states, and its record, which is plain JSON and bounded, so that a
// hundred of them fit into a journal.
import { machine, type Transitions } from '@echelon/ground';
import type { ConsoleLine } from '../../sandbox/worker.ts';
import type { Completed } from '../../sandbox/program-end.ts';
import type { Ran } from '../../sandbox/sandbox.ts';
import type { Stores } from '../stores.ts';
import type { ErrorRow, Failure } from './errors.ts';
import type { ExecutionPolicy } from './policies.ts';

export interface CompletedAttempt extends Ran, Completed {
  /** With its writes. */
  stores: Stores;
}

/** Its writes are dropped. */
export interface FailedAttempt extends Ran, Failure {
  /** The error's class and what follows from it. */
  row: ErrorRow;
}

export type ExecutionAttempt = CompletedAttempt | FailedAttempt;

export type ExecutionState =
  | 'pending'
  | 'preparing'
  | 'executing'
  | 'completed'
  | 'failed'
  | 'timeout'
  | 'retrying'
  | 'cancelled';

/** `failed` and `timeout` are ends once no attempt follows; `completed` and `cancelled` always are. */
export const executionTransitions: Transitions<ExecutionState> = {
  pending: { preparing: 'an attempt begins', cancelled: 'it was ended from outside' },
  preparing: { executing: 'the code is handed to the sandbox', cancelled: 'it was ended from outside' },
  executing: {
    completed: 'the code ended and its writes were applied',
    failed: 'the code threw, or was refused',
    timeout: 'the code ran past its time limit',
    cancelled: 'it was ended from outside',
  },
  failed: { retrying: 'another attempt is allowed', cancelled: 'it was ended from outside' },
  timeout: { retrying: 'another attempt is allowed', cancelled: 'it was ended from outside' },
  retrying: { preparing: 'the wait is over', cancelled: 'it was ended from outside' },
  completed: {},
  cancelled: {},
};

export interface Moment {
  state: ExecutionState;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface ErrorRecord {
  /** The class of its row. */
  class: string;
  /** The name of the thrown error. */
  name: string;
  message: string;
  /** From 1, in the code. */
  line?: number;
}

/** One attempt, where the policy logs all of them. */
export interface AttemptRecord {
  state: 'completed' | 'failed' | 'timeout';
  ms: number;
  error?: ErrorRecord;
}

export interface ExecutionRecord {
  id: string;
  state: ExecutionState;
  startedBy: 'model' | 'person';
  /** The execution policy's name. */
  policy: string;
  /** Its beginning; `codeSize` is the length of the whole in characters. */
  code: string;
  codeSize: number;
  attempts: number;
  history: readonly Moment[];
  /** The beginning of the returned value: JSON text, or the name of what JSON has no word for. */
  value?: string;
  /** The last attempt's output, its first lines. */
  console: readonly ConsoleLine[];
  error?: ErrorRecord;
  /** Milliseconds that the last attempt ran, without waits and earlier attempts. */
  ms: number;
  /** Ids that the last attempt asked for in vain. */
  missing: readonly string[];
  /** Number of the attempt at recovery by reasoning that this failure began, from 1. */
  recovery?: number;
  /** Every attempt, where the policy logs all. */
  log?: readonly AttemptRecord[];
}

/** Characters of code and of value, and lines and characters of output, that a record keeps. */
export const recordLimits = { code: 2000, value: 2000, lines: 50, lineChars: 200, message: 1000 } as const;

/** One step of an execution's state; `meta`: numbers and words about it, such as the attempt and the wait. */
export interface ExecutionTransition {
  from: ExecutionState;
  to: ExecutionState;
  meta: Record<string, string | number>;
}

const transition = machine(executionTransitions);

export type ExecutionStates = ReturnType<typeof beginStates>;

/** The states of a new execution, `pending`. `now` answers milliseconds since the epoch. */
export function beginStates(now: () => number, tell: (step: ExecutionTransition) => void) {
  const history: Moment[] = [{ state: 'pending', at: now() }];
  let state: ExecutionState = 'pending';
  return {
    history: history as readonly Moment[],
    /** Throws Error when the table has no such transition. */
    move(to: ExecutionState, meta: ExecutionTransition['meta'] = {}): void {
      const from = state;
      state = transition(from, to);
      history.push({ state, at: now() });
      tell({ from, to, meta });
    },
    /** Ends it from outside, unless it has ended already. */
    cancel(meta: ExecutionTransition['meta'] = {}): void {
      if (state !== 'completed' && state !== 'cancelled') this.move('cancelled', meta);
    },
  };
}

/** The record of an execution that has ended; `attempts` are all of them, `last` too. */
export function recordOf(
  last: ExecutionAttempt,
  about: Pick<ExecutionRecord, 'id' | 'startedBy' | 'code' | 'history'> & {
    policy: ExecutionPolicy;
    attempts: readonly ExecutionAttempt[];
  },
): ExecutionRecord {
  const { id, startedBy, policy, code, history, attempts } = about;
  return {
    id,
    state: last.status,
    startedBy,
    policy: policy.name,
    code: beginningOf(code, recordLimits.code),
    codeSize: code.length,
    attempts: attempts.length,
    history: [...history],
    console: last.console.slice(0, recordLimits.lines).map(({ level, text }) => ({
      level,
      text: beginningOf(text, recordLimits.lineChars),
    })),
    ms: Math.round(last.ms),
    missing: last.missingReads.map(asked => asked.id),
    ...(last.status === 'completed'
      ? { value: beginningOf(last.value, recordLimits.value) }
      : { error: errorOf(last) }),
    ...(policy.logAttempts && { log: attempts.map(attemptRecord) }),
  };
}

/** As many characters as are kept. */
export const beginningOf = (text: string, chars: number) => text.slice(0, chars).toWellFormed();

function errorOf({ row, error: { name, message, line } }: FailedAttempt): ErrorRecord {
  const said = beginningOf(message, recordLimits.message);
  return { class: row.class, name, message: said, ...(line !== undefined && { line }) };
}

const attemptRecord = (attempt: ExecutionAttempt): AttemptRecord => ({
  state: attempt.status,
  ms: Math.round(attempt.ms),
  ...(attempt.status !== 'completed' && { error: errorOf(attempt) }),
});
