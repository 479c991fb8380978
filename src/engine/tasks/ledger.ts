// Books of work done side by side: what its sessions spent is known even where it is cut off and leaves no result.
import { Cancelled } from '../language/cancelled.ts';
import { addSpent, nothingSpent, type Spent, TaskError } from '../language/result.ts';

export interface Ledger {
  spent: Spent;
  /** Of the work that this is a part of. */
  readonly around: Ledger | undefined;
}

export function createLedger(around: Ledger | undefined): Ledger {
  return { spent: nothingSpent, around };
}

/** Adds what one session spent to the work it is part of, and to all around that. */
export function book(ledger: Ledger | undefined, { cost_usd, turns, usage }: Spent): void {
  const spent = { cost_usd, turns, usage };
  for (let at = ledger; at; at = at.around) at.spent = addSpent(at.spent, spent);
}

/** Adds what a session spent that was cut off or failed: its error says it. */
export function bookLeft(ledger: Ledger | undefined, error: unknown): void {
  if (error instanceof TaskError) book(ledger, error.notes);
  else if (error instanceof Cancelled) book(ledger, error.spent);
}
