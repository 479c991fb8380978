// Parts that cleaning removes and adds.
import { describe, expect, it } from 'vitest';
import type { FailedAttempt } from '../../../../src/engine/reasoning/execution/record.ts';
import { errorTable } from '../../../../src/engine/reasoning/execution/errors.ts';
import {
  cleaned,
  type SeenContext,
  tracked,
} from '../../../../src/engine/reasoning/execution/report-to-model.ts';
import { vaultOf } from './scripted.ts';

const failure = (errorClass: string): FailedAttempt => ({
  status: 'failed',
  error: { name: 'Error', message: 'no' },
  row: errorTable.find(row => row.class === errorClass)!,
  console: [],
  omittedOutput: { lines: 0, chars: 0 },
  missingReads: [],
  ms: 1,
});
const seen: SeenContext = { log: [failure('TIMEOUT')], missing: ['b'], reasoning: 'I think', notes: [] };
const stores = vaultOf('a');
const TIMEOUT_HINT = expect.stringMatching(/^Hint: the time limit was reached\. /);
const asked = 'Asked for in vain: "b"';
const clean = (errorClass: string, cleans = true) =>
  cleaned(seen, { failed: failure(errorClass), stores, cleans });

it('leaves the tracker where the class or the policy does not clean', () => {
  expect(clean('TIMEOUT', false).seen).toEqual({ ...seen, log: [], notes: [TIMEOUT_HINT] });
});

it('adds the valid ids', () => {
  expect(clean('ENTITY_NOT_FOUND')).toMatchObject({
    seen: { notes: [asked, 'Valid ids: "a"'] },
    what: ['executionLog', 'tracker', 'validIds'],
  });
});

it('does not change what it was given', () => {
  const before = structuredClone(seen);
  clean('TIMEOUT');
  expect(seen).toEqual(before);
});

it('names no more ids than fit', () => {
  const many = vaultOf(...Array.from({ length: 500 }, (_, index) => `id-${index}-${'x'.repeat(100)}`));
  const { seen: next } = cleaned(seen, { failed: failure('ENTITY_NOT_FOUND'), stores: many, cleans: true });
  expect(next.notes[1]?.length).toBeLessThan(2100);
  const { seen: asking } = cleaned(
    { ...seen, missing: many.vault.map(({ id }) => `${id}\n`) },
    { failed: failure('TIMEOUT'), stores, cleans: true },
  );
  expect(asking.notes[0]).toMatch(/^Asked for in vain: .{1,2010}$/);
});

describe('the access tracker keeps', () => {
  const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `id-${from + index}`);
  it.each<[string, string[], string[], string[]]>([
    ['each id once', ['a', 'b'], ['b', 'c', 'c'], ['a', 'b', 'c']],
    ['the newest of too many', ids(100), ['new'], [...ids(99, 1), 'new']],
    ['the newest of too many at once', [], ids(20_000), ids(100, 19_900)],
    ['the beginning of a long one', [], ['x'.repeat(300)], ['x'.repeat(200)]],
  ])('%s', (_, before, more, expected) => expect(tracked(before, more)).toEqual(expected));
});
