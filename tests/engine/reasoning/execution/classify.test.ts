// The classes of errors: how each is found, and what its row says.
import { describe, expect, it } from 'vitest';
import {
  type BuiltInErrorClass,
  type ClassifierRule,
  classify,
  type ErrorRow,
  errorTable,
} from '../../../../src/engine/reasoning/execution/classify.ts';

type Row = [
  BuiltInErrorClass,
  ErrorRow['category'],
  ErrorRow['severity'],
  retry: boolean,
  attempts: number,
  clean: boolean,
  adds: ErrorRow['adds'],
  needsModel: boolean,
  retryPolicy: string | undefined,
];

const rows: Row[] = [
  ['SYNTAX_ERROR', 'compile time', 'high', false, 1, false, undefined, true, undefined],
  ['UNDEFINED_REFERENCE', 'runtime', 'medium', true, 2, true, undefined, true, 'immediate'],
  ['ENTITY_NOT_FOUND', 'runtime', 'medium', true, 2, true, 'validIds', true, 'immediate'],
  ['TYPE_ERROR', 'runtime', 'medium', false, 1, false, undefined, true, undefined],
  ['TIMEOUT', 'execution', 'medium', true, 2, true, 'hint', false, 'conservative'],
  ['NETWORK_ERROR', 'external', 'low', true, 3, false, undefined, false, 'aggressive'],
  ['MEMORY_ERROR', 'execution', 'high', false, 1, false, undefined, true, undefined],
  ['STORAGE_ERROR', 'execution', 'high', false, 1, false, undefined, true, undefined],
  ['UNKNOWN_ERROR', 'runtime', 'high', false, 1, false, undefined, true, undefined],
];

describe('the table', () => {
  it.each(rows)(
    '%s',
    (name, category, severity, retry, attempts, cleanContext, adds, needsModel, retryPolicy) => {
      const row: ErrorRow = errorTable[name];
      expect({ adds: undefined, retryPolicy: undefined, ...row }).toEqual({
        class: name,
        category,
        severity,
        retry,
        attempts,
        cleanContext,
        adds,
        needsModel,
        retryPolicy,
      });
    },
  );

  it('has no other rows', () => expect(Object.keys(errorTable)).toEqual(rows.map(([name]) => name)));
});

const failures: [string, string, BuiltInErrorClass, code?: string][] = [
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

  it.each<[string, string, BuiltInErrorClass]>([
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

  it('asks own rules first, in their order', () => {
    const rule = (name: string, word: string): ClassifierRule => ({
      name,
      row: { ...errorTable.UNKNOWN_ERROR, class: name },
      matches: ({ error }) => error.message.includes(word),
    });
    const rules = [rule('FIRST', 'quota'), rule('SECOND', 'quota exceeded')];
    const found = (message: string) =>
      classify({ status: 'failed', error: { name: 'TypeError', message } }, rules);
    expect(found('quota exceeded').class).toBe('FIRST');
    expect(found('no').class).toBe('TYPE_ERROR');
  });
});
