// Recovery by reasoning: a failure that only the model can mend goes back to it with all it needs, twice at most.
import type { Stores } from '../stores.ts';
import type { FailedAttempt } from './attempt.ts';
import { validIdsNote } from './cleaning.ts';
import type { ExecutionRecord } from './record.ts';
import { validIds } from './valid-ids.ts';

/** Attempts at mending one failure. */
export const RECOVERY_ATTEMPTS = 2;

/** What the model is given besides the error; each can be switched off by itself. */
export interface RecoverySwitches {
  /** The line of the code at which the error arose. */
  readonly context: boolean;
  /** What it wrote before it executed the code. */
  readonly reasoning: boolean;
  readonly validIds: boolean;
}

export const defaultRecovery: RecoverySwitches = { context: true, reasoning: true, validIds: true };

/**
 * Which attempt at recovery the next failure begins, from 1; nothing once one failure had its share. Until an
 * execution completes, all that fail are one failure.
 */
export function nextRecovery(before: readonly ExecutionRecord[]): number | undefined {
  const since = before.slice(before.findLastIndex(({ state }) => state === 'completed') + 1);
  const given = since.filter(({ recovery }) => recovery !== undefined).length;
  return given < RECOVERY_ATTEMPTS ? given + 1 : undefined;
}

/** Characters of the line and of the reasoning that are given. */
const LINE = 200;
const REASONING = 1000;

/** What the model wrote around its operations, newest first, as much as is given. */
export function reasoningBefore(iterations: readonly { reasoning: string }[]): string {
  let text = '';
  for (const { reasoning } of iterations.toReversed()) {
    if (text.length >= REASONING) break;
    if (reasoning !== '') text += text === '' ? reasoning : `\n${reasoning}`;
  }
  return text.slice(0, REASONING).toWellFormed();
}

/** What the model is told beside the error. `recovery` is what `nextRecovery` answered. */
export function recoveryNotes(
  recovery: number | undefined,
  failure: { failed: FailedAttempt; code: string; reasoning: string; stores: Stores },
  switches: RecoverySwitches = defaultRecovery,
): string[] {
  if (recovery === undefined)
    return [
      `${RECOVERY_ATTEMPTS} attempts at mending this failed. Reach what you want in another way, or without it.`,
    ];
  const { failed, code, reasoning, stores } = failure;
  const line = failed.error.line === undefined ? undefined : code.split('\n')[failed.error.line - 1];
  return [
    ...(switches.context && line !== undefined
      ? [`Line ${failed.error.line}: ${line.trim().slice(0, LINE).toWellFormed()}`]
      : []),
    ...(switches.validIds && validIds(stores, failed.missingReads).length > 0
      ? [validIdsNote(stores, failed)]
      : []),
    ...(switches.reasoning && reasoning !== ''
      ? [`Your reasoning before it: ${reasoning.slice(0, REASONING).toWellFormed()}`]
      : []),
    `Mend the code and execute it again (attempt ${recovery} of ${RECOVERY_ATTEMPTS} at mending it).`,
  ];
}
