// How an execution is carried out: once, again after errors that may pass, or only after its code was checked.
import type { ProgramError } from '../../sandbox/interpreter.ts';
import type { Attempt, FailedAttempt } from './attempt.ts';
import { unsafeIn } from './unsafe.ts';

/** What a strategy works with. It belongs to one execution. */
export interface Attempts {
  /**
   * One attempt; it never throws because of the code. `timeMs` makes the time limit shorter, never longer.
   * `refusal`: the code is not run and the attempt fails with this error.
   * A second attempt needs a yes of `again` before it; without one this throws.
   */
  attempt(code: string, how?: { timeMs?: number; refusal?: ProgramError | undefined }): Promise<Attempt>;
  /**
   * Whether another attempt may follow the failed one; by then the wait is over and the context is cleaned.
   * False where the error, its retry policy or the execution policy allows no more.
   */
  again(failed: FailedAttempt): Promise<boolean>;
}

export interface Strategy {
  name: string;
  /** Milliseconds that an attempt of it may run at most, where that is less than the policy's. */
  timeLimitMs?: number;
  /** Answers the last attempt it made. */
  run(code: string, by: Attempts): Promise<Attempt>;
}

/** Milliseconds that checked code may run, whatever its policy allows. */
export const SAFE_TIME_MS = 10_000;

export const strategies = [
  { name: 'standard', run: (code, by) => by.attempt(code) },
  {
    name: 'retry',
    async run(code, by) {
      for (;;) {
        const attempt = await by.attempt(code);
        if (attempt.status === 'completed' || !(await by.again(attempt))) return attempt;
      }
    },
  },
  {
    name: 'safe',
    timeLimitMs: SAFE_TIME_MS,
    run: (code, by) => by.attempt(code, { refusal: unsafeIn(code) }),
  },
] as const satisfies readonly Strategy[];

/** The strategy of executions that a person starts, whatever the policy says. */
export const PERSONS_STRATEGY = 'standard';
