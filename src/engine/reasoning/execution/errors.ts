// The one table of errors: what ends an attempt, how it is found, and what follows from it.
import type { ProgramError } from '../../sandbox/program-end.ts';

/** Failure of an attempt. */
export interface Failure {
  status: 'failed' | 'timeout';
  error: ProgramError;
}

/** Finds errors that have all that it names. */
export interface ErrorPattern {
  status?: Failure['status'];
  /** True if the time passed while the code waited. */
  waited?: boolean;
  /** The error's class, or the language's own class that it extends, is one of these. */
  names?: readonly string[];
  codes?: readonly string[];
  message?: RegExp;
}

export interface ErrorRow {
  class: string;
  category: 'compile time' | 'runtime' | 'execution' | 'external';
  severity: 'high' | 'medium' | 'low';
  /** The error fits one of these. */
  when: readonly ErrorPattern[];
  /** In all, the first included: more than one where the same code may come to another end. */
  attempts: number;
  /** True if a failed attempt's traces are removed from what the model sees. */
  cleanContext: boolean;
  /** Text for the model besides the error. */
  adds?: 'validIds' | 'hint';
  /** True if only the model can fix it, by other code. */
  needsModel: boolean;
  /** The retry policy's name; absent: the default one. */
  retryPolicy?: string;
}

/** The name of the error of writes that the session's stores do not take. */
export const STORAGE_ERROR_NAME = 'StorageError';

/** The system's codes (`man 3 errno`, `getaddrinfo`) that are about a connection. */
const networkCodes =
  'ECONNABORTED ECONNREFUSED ECONNRESET EAI_AGAIN EHOSTUNREACH ENETDOWN ENETUNREACH ENOTFOUND EPIPE ETIMEDOUT';
const refusedWrite = /^(?:(?:vault|memory|tasks|goals)\.set\(|one execution may (?:write|change) )/;

const compileTime = { category: 'compile time', severity: 'high' } as const;
const runtime = { category: 'runtime', severity: 'medium' } as const;
const execution = { category: 'execution', severity: 'high' } as const;
const once = { attempts: 1, cleanContext: false, needsModel: true };
const late = {
  class: 'TIMEOUT',
  ...execution,
  severity: 'medium',
  ...once,
  cleanContext: true,
  adds: 'hint',
} as const;

/**
 * The first row that fits decides; the last fits all. Names and codes decide where they can. Messages are read only
 * where the interpreter or the sandbox gives nothing else; code that words its own errors so is at most tried again as
 * often as the row says.
 */
export const errorTable: readonly ErrorRow[] = [
  { ...late, when: [{ status: 'timeout', waited: true }], attempts: 2, retryPolicy: 'conservative' },
  { ...late, when: [{ status: 'timeout' }] },
  {
    class: 'MEMORY_ERROR',
    ...execution,
    when: [
      // The interpreter says it by errors of several classes.
      { message: /^out of memory$/ },
      { names: ['InternalError'], message: /\bout of memory\b|\bmemory limit\b/ },
    ],
    ...once,
  },
  {
    class: 'NETWORK_ERROR',
    category: 'external',
    severity: 'low',
    when: [
      { names: ['NetworkError', 'FetchError', 'ConnectionError', 'SocketError'] },
      { codes: networkCodes.split(' ') },
    ],
    attempts: 3,
    cleanContext: false,
    needsModel: false,
    retryPolicy: 'aggressive',
  },
  { class: 'SYNTAX_ERROR', ...compileTime, when: [{ names: ['SyntaxError'] }], ...once },
  // Before "is not defined": no variable's name says this, but an id may say anything.
  {
    class: 'ENTITY_NOT_FOUND',
    ...runtime,
    when: [{ names: ['ReferenceError'], message: /\bnot found\b|\bdoes not exist\b/ }],
    ...once,
    cleanContext: true,
    adds: 'validIds',
  },
  {
    class: 'UNDEFINED_REFERENCE',
    ...runtime,
    when: [{ names: ['ReferenceError'], message: /\bis not defined\b/ }],
    ...once,
    cleanContext: true,
  },
  {
    class: 'STORAGE_ERROR',
    ...execution,
    when: [{ names: [STORAGE_ERROR_NAME] }, { names: ['RangeError'], message: refusedWrite }],
    ...once,
  },
  { class: 'TYPE_ERROR', ...runtime, when: [{ names: ['TypeError'] }], ...once },
  { class: 'UNKNOWN_ERROR', ...runtime, severity: 'high', when: [{}], ...once },
];

/** The first of `rows` that fits. They end with a row that fits all. */
export function classify(failure: Failure, rows: readonly ErrorRow[] = errorTable): ErrorRow {
  const found = rows.find(({ when }) => when.some(pattern => fits(pattern, failure)));
  if (!found) throw new Error(`no row of the table fits ${failure.error.name}`);
  return found;
}

function fits({ status, waited, names, codes, message }: ErrorPattern, failure: Failure): boolean {
  const { error } = failure;
  return (
    (status === undefined || status === failure.status) &&
    (waited === undefined || waited === (error.waited === true)) &&
    (names === undefined || names.includes(error.name) || names.includes(error.base ?? '')) &&
    (codes === undefined || codes.includes(error.code ?? '')) &&
    (message === undefined || message.test(error.message))
  );
}
