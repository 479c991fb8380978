// One attempt at running a piece of code, as strategies, cleaners and handlers see it.
import type { ConsoleLine, OmittedOutput } from '../../sandbox/console.ts';
import type { ProgramError, ValueKind } from '../../sandbox/interpreter.ts';
import type { MissingRead } from '../../sandbox/stores.ts';
import { type Stores, UNDEFINED } from '../stores.ts';
import type { ErrorRow } from './classify.ts';

/** What there is of an attempt however it ended. */
export interface Ran {
  console: readonly ConsoleLine[];
  omittedOutput: OmittedOutput;
  missingReads: readonly MissingRead[];
  /** Milliseconds. */
  ms: number;
}

/** What code returned: JSON (kind `json`), the beginning of a JSON text (`cut`), or the name of something else. */
export interface ReturnedValue {
  value: string;
  valueKind: ValueKind;
}

export interface CompletedAttempt extends Ran, ReturnedValue {
  status: 'completed';
  /** With its writes. */
  stores: Stores;
}

/** Its writes are dropped. */
export interface FailedAttempt extends Ran {
  status: 'failed' | 'timeout';
  error: ProgramError;
  /** The error's class and what follows from it. */
  row: ErrorRow;
}

export type Attempt = CompletedAttempt | FailedAttempt;

/** The value as JSON text, or `undefined`: the vault entry that the next execution reads it by. */
export function jsonOfValue({ value, valueKind }: ReturnedValue): string {
  if (valueKind === 'json') return value;
  return valueKind === 'undefined' ? UNDEFINED : JSON.stringify(value);
}
