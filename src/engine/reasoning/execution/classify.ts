// What kind of error ended an attempt, and what follows from the kind.
import type { ProgramError } from '../../sandbox/interpreter.ts';

export type BuiltInErrorClass =
  | 'SYNTAX_ERROR'
  | 'UNDEFINED_REFERENCE'
  | 'ENTITY_NOT_FOUND'
  | 'TYPE_ERROR'
  | 'TIMEOUT'
  | 'NETWORK_ERROR'
  | 'MEMORY_ERROR'
  | 'STORAGE_ERROR'
  | 'UNKNOWN_ERROR';

/** A class of the table below, or one that an own rule brings. */
export type ErrorClass = BuiltInErrorClass | (string & {});

export interface ErrorRow {
  class: ErrorClass;
  category: 'compile time' | 'runtime' | 'execution' | 'external';
  severity: 'high' | 'medium' | 'low';
  /** Whether the same code may be tried again. */
  retry: boolean;
  /** Attempts in all, the first included. */
  attempts: number;
  /** Whether a failed attempt is taken out of what the model sees before the next one. */
  cleanContext: boolean;
  /** What the model is told besides the error. */
  adds?: 'validIds' | 'hint';
  /** Whether only the model can mend it, by other code. */
  needsModel: boolean;
  /** The retry policy's name; absent: the default one. */
  retryPolicy?: string;
}

/** How an attempt failed. */
export interface Failure {
  status: 'failed' | 'timeout';
  error: ProgramError;
}

/** Finds errors of one class. Rules are asked in order; the first that matches decides. */
export interface ClassifierRule {
  name: string;
  row: ErrorRow;
  matches(failure: Failure): boolean;
}

const noRetry = { retry: false, attempts: 1, cleanContext: false, needsModel: true } as const;
const reference = {
  retry: true,
  attempts: 2,
  cleanContext: true,
  needsModel: true,
  retryPolicy: 'immediate',
} as const;

export const errorTable = {
  SYNTAX_ERROR: { class: 'SYNTAX_ERROR', category: 'compile time', severity: 'high', ...noRetry },
  UNDEFINED_REFERENCE: {
    class: 'UNDEFINED_REFERENCE',
    category: 'runtime',
    severity: 'medium',
    ...reference,
  },
  ENTITY_NOT_FOUND: {
    class: 'ENTITY_NOT_FOUND',
    category: 'runtime',
    severity: 'medium',
    ...reference,
    adds: 'validIds',
  },
  TYPE_ERROR: { class: 'TYPE_ERROR', category: 'runtime', severity: 'medium', ...noRetry },
  TIMEOUT: {
    class: 'TIMEOUT',
    category: 'execution',
    severity: 'medium',
    retry: true,
    attempts: 2,
    cleanContext: true,
    adds: 'hint',
    needsModel: false,
    retryPolicy: 'conservative',
  },
  NETWORK_ERROR: {
    class: 'NETWORK_ERROR',
    category: 'external',
    severity: 'low',
    retry: true,
    attempts: 3,
    cleanContext: false,
    needsModel: false,
    retryPolicy: 'aggressive',
  },
  MEMORY_ERROR: { class: 'MEMORY_ERROR', category: 'execution', severity: 'high', ...noRetry },
  STORAGE_ERROR: { class: 'STORAGE_ERROR', category: 'execution', severity: 'high', ...noRetry },
  UNKNOWN_ERROR: { class: 'UNKNOWN_ERROR', category: 'runtime', severity: 'high', ...noRetry },
} as const satisfies { readonly [Class in BuiltInErrorClass]: ErrorRow & { class: Class } };

/** The name of the error of writes that the session's stores do not take. */
export const STORAGE_ERROR_NAME = 'StorageError';

const networkNames = new Set(['NetworkError', 'FetchError', 'ConnectionError', 'SocketError']);
/** The system's codes (`man 3 errno`, `getaddrinfo`) that are about a connection. */
const networkCodes = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** The error's class, or the one that it extends. */
const isOf = ({ name, base }: ProgramError, wanted: string) => name === wanted || base === wanted;

type Match = (failure: Failure) => boolean;

/**
 * In order. The name and the code decide where they can. Messages are read only where the interpreter or the sandbox
 * gives nothing else; code that words its own errors so is at most tried again as often as the row says.
 */
const builtIn: readonly (readonly [BuiltInErrorClass, Match])[] = [
  ['TIMEOUT', ({ status }) => status === 'timeout'],
  // The interpreter says it by errors of several classes.
  ['MEMORY_ERROR', ({ error }) => error.message === 'out of memory'],
  ['NETWORK_ERROR', ({ error }) => networkNames.has(error.name) || networkCodes.has(error.code ?? '')],
  ['SYNTAX_ERROR', ({ error }) => isOf(error, 'SyntaxError')],
  // Before "is not defined": no variable's name says this, but an id may say anything.
  [
    'ENTITY_NOT_FOUND',
    ({ error }) => isOf(error, 'ReferenceError') && /\bnot found\b|\bdoes not exist\b/.test(error.message),
  ],
  [
    'UNDEFINED_REFERENCE',
    ({ error }) => isOf(error, 'ReferenceError') && /\bis not defined\b/.test(error.message),
  ],
  [
    'MEMORY_ERROR',
    ({ error }) => error.name === 'InternalError' && /\bout of memory\b|\bmemory limit\b/.test(error.message),
  ],
  [
    'STORAGE_ERROR',
    ({ error }) =>
      error.name === STORAGE_ERROR_NAME ||
      (error.name === 'RangeError' &&
        /^(?:(?:vault|memory|tasks|goals)\.set\(|one execution may (?:write|change) )/.test(error.message)),
  ],
  ['TYPE_ERROR', ({ error }) => isOf(error, 'TypeError')],
];

/** The row of the first rule that matches: own ones in their order, then the built-in ones. */
export function classify(failure: Failure, rules: Iterable<ClassifierRule> = []): ErrorRow {
  for (const { matches, row } of rules) if (matches(failure)) return row;
  const found = builtIn.find(([, matches]) => matches(failure));
  return errorTable[found?.[0] ?? 'UNKNOWN_ERROR'];
}
