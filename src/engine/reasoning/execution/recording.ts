// Makes the record of an execution that has ended.
import type { Attempt } from './attempt.ts';
import type { ExecutionPolicy } from './policy.ts';
import {
  type AttemptRecord,
  type ErrorRecord,
  type ExecutionRecord,
  keptLines,
  type Moment,
  recordLimits,
} from './record.ts';

export function recordOf(
  last: Attempt,
  about: {
    id: string;
    startedBy: ExecutionRecord['startedBy'];
    policy: ExecutionPolicy;
    code: string;
    attempts: readonly Attempt[];
    history: readonly Moment[];
  },
): ExecutionRecord {
  const { id, startedBy, policy, code, attempts, history } = about;
  return {
    id,
    state: last.status,
    startedBy,
    policy: policy.name,
    code: code.slice(0, recordLimits.code).toWellFormed(),
    codeSize: code.length,
    attempts: attempts.length,
    history: [...history],
    console: keptLines(last.console),
    ms: Math.round(last.ms),
    missing: last.missingReads.map(asked => asked.id),
    ...(last.status === 'completed'
      ? { value: last.value.slice(0, recordLimits.value).toWellFormed() }
      : { error: errorOf(last) }),
    ...(policy.logAttempts && { log: attempts.map(attemptRecord) }),
  };
}

function errorOf({ row, error }: Extract<Attempt, { row: unknown }>): ErrorRecord {
  const { name, message, line } = error;
  const said = message.slice(0, recordLimits.message).toWellFormed();
  return { class: row.class, name, message: said, ...(line !== undefined && { line }) };
}

function attemptRecord(attempt: Attempt): AttemptRecord {
  const { status, ms } = attempt;
  return {
    state: status,
    ms: Math.round(ms),
    ...(status !== 'completed' && 'row' in attempt && { error: errorOf(attempt) }),
  };
}
