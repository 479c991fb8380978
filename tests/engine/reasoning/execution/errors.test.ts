// The classes of errors: how each is found, and what its row says.
import { describe, expect, it } from 'vitest';
import { classify, type ErrorRow, errorTable } from '../../../../src/engine/reasoning/execution/errors.ts';

type Row = [
  string,
  ErrorRow['category'],
  ErrorRow['severity'],
  attempts: number,
  clean: boolean,
  adds: ErrorRow['adds'],
  needsModel: boolean,
  retryPolicy: string | undefined,
];

/** Nothing changes in the sandbox between two tries: only what waited or came from outside is tried again. */
const rows: Row[] = [
  ['TIMEOUT', 'execution', 'medium', 2, true, 'hint', true, 'conservative'],
  ['TIMEOUT', 'execution', 'medium', 1, true, 'hint', true, undefined],
  ['MEMORY_ERROR', 'execution', 'high', 1, false, undefined, true, undefined],
  ['NETWORK_ERROR', 'external', 'low', 3, false, undefined, false, 'aggressive'],
  ['SYNTAX_ERROR', 'compile time', 'high', 1, false, undefined, true, undefined],
  ['ENTITY_NOT_FOUND', 'runtime', 'medium', 1, true, 'validIds', true, undefined],
  ['UNDEFINED_REFERENCE', 'runtime', 'medium', 1, true, undefined, true, undefined],
  ['STORAGE_ERROR', 'execution', 'high', 1, false, undefined, true, undefined],
  ['TYPE_ERROR', 'runtime', 'medium', 1, false, undefined, true, undefined],
  ['UNKNOWN_ERROR', 'runtime', 'high', 1, false, undefined, true, undefined],
];

it('the table', () => {
  const cells = errorTable.map(row => [
    row.class,
    row.category,
    row.severity,
    row.attempts,
    row.cleanContext,
    row.adds,
    row.needsModel,
    row.retryPolicy,
  ]);
  expect(cells).toEqual(rows);
});

const failures: [string, string, string, code?: string][] = [
  ['SyntaxError', 'unexpected token', 'SYNTAX_ERROR'],
  ['ReferenceError', 'x is not defined', 'UNDEFINED_REFERENCE'],
  ['ReferenceError', "'x' is not defined", 'UNDEFINED_REFERENCE'],
  ['ReferenceError', 'vault entry "a" not found; vault.list() shows all', 'ENTITY_NOT_FOUND'],
  ['ReferenceError', 'task "is not defined" not found', 'ENTITY_NOT_FOUND'],
  ['ReferenceError', 'the goal does not exist', 'ENTITY_NOT_FOUND'],
  ['ReferenceError', 'y is not initialized', 'UNKNOWN_ERROR'],
  ['TypeError', "cannot read property 'x' of null", 'TYPE_ERROR'],
  ['TypeError', 'x is not defined', 'TYPE_ERROR'],
  ['NetworkError', 'no route', 'NETWORK_ERROR'],
  ['FetchError', 'refused', 'NETWORK_ERROR'],
  ['Error', 'connect failed', 'NETWORK_ERROR', 'ECONNREFUSED'],
  ['Error', 'dns', 'NETWORK_ERROR', 'ENOTFOUND'],
  ['Error', 'no such file', 'UNKNOWN_ERROR', 'ENOENT'],
  ['Error', 'network error', 'UNKNOWN_ERROR'],
  ['InternalError', 'out of memory', 'MEMORY_ERROR'],
  ['SyntaxError', 'out of memory', 'MEMORY_ERROR'],
  ['InternalError', 'the sandbox broke down: Worker terminated due to reaching memory limit', 'MEMORY_ERROR'],
  ['InternalError', 'the sandbox ended before the code did', 'UNKNOWN_ERROR'],
  ['StorageError', 'heading is required', 'STORAGE_ERROR'],
  ['RangeError', 'vault.set("a"): 300014 characters as JSON; an entry holds 262144 at most', 'STORAGE_ERROR'],
  ['RangeError', 'one execution may write 4194304 characters, not 5000000', 'STORAGE_ERROR'],
  ['RangeError', 'Maximum call stack size exceeded', 'UNKNOWN_ERROR'],
  ['TimeoutError', 'thrown by the code itself', 'UNKNOWN_ERROR'],
  ['UnsafeCodeError', 'eval', 'UNKNOWN_ERROR'],
  ['toString', '', 'UNKNOWN_ERROR'],
];

describe('classify', () => {
  it.each(failures)('%s: %s is %s', (name, message, expected, code) => {
    const error = { name, message, ...(code !== undefined && { code }) };
    expect(classify({ status: 'failed', error }).class).toBe(expected);
  });

  it.each<[string, string, string]>([
    ['TypeError', 'not a number', 'TYPE_ERROR'],
    ['SyntaxError', 'bad', 'SYNTAX_ERROR'],
    ['ReferenceError', 'a is not found', 'ENTITY_NOT_FOUND'],
    ['RangeError', 'too many', 'UNKNOWN_ERROR'],
  ])('an own class of a %s: %s is %s', (base, message, expected) => {
    const error = { name: 'Own', message, base };
    expect(classify({ status: 'failed', error }).class).toBe(expected);
  });

  it('takes the time limit from how the attempt ended, not from a name', () => {
    expect(classify({ status: 'timeout', error: { name: 'TypeError', message: '' } }).class).toBe('TIMEOUT');
  });

  it.each([
    [true, 2],
    [undefined, 1],
  ] as const)('a time-out that waited (%s) has %i attempts', (waited, attempts) => {
    const error = { name: 'TimeoutError', message: '', ...(waited && { waited }) };
    expect(classify({ status: 'timeout', error })).toMatchObject({ class: 'TIMEOUT', attempts });
  });
});
