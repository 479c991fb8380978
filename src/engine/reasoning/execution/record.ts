// What is kept of one execution of JavaScript: plain JSON, bounded, so that a hundred of them fit into a journal.
import type { ConsoleLine } from '../../sandbox/console.ts';
import type { Transitions } from '../../../lib/machine.ts';
import type { ErrorClass } from './classify.ts';

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
  class: ErrorClass;
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
  /** Which of the attempts at recovery by reasoning this failure began, from 1. */
  recovery?: number;
  /** Every attempt, where the policy logs all. */
  log?: readonly AttemptRecord[];
}

/** Characters of code and of value, and lines and characters of output, that a record keeps. */
export const recordLimits = { code: 2000, value: 2000, lines: 50, lineChars: 200, message: 1000 } as const;

/** As many lines as a record keeps, each cut. */
export const keptLines = (lines: readonly ConsoleLine[]): ConsoleLine[] =>
  lines
    .slice(0, recordLimits.lines)
    .map(({ level, text }) => ({ level, text: text.slice(0, recordLimits.lineChars).toWellFormed() }));
