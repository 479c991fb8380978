// What cleaning takes away and adds, each part by its switch.
import { describe, expect, it } from 'vitest';
import type { FailedAttempt } from '../../../../src/engine/reasoning/execution/attempt.ts';
import { type BuiltInErrorClass, errorTable } from '../../../../src/engine/reasoning/execution/classify.ts';
import {
  type CleanerName,
  cleaned,
  defaultCleaning,
  type SeenContext,
  TIMEOUT_HINT,
} from '../../../../src/engine/reasoning/execution/cleaning.ts';
import { vaultOf } from './scripted.ts';

const failure = (errorClass: BuiltInErrorClass): FailedAttempt => ({
  status: 'failed',
  error: { name: 'Error', message: 'no' },
  row: errorTable[errorClass],
  console: [],
  omittedOutput: { lines: 0, chars: 0 },
  missingReads: [],
  ms: 1,
});
const seen: SeenContext = { log: [failure('TIMEOUT')], missing: ['b'], reasoning: 'I think', notes: [] };
const stores = vaultOf('a');
const asked = 'Asked for in vain: "b"';
const clean = (errorClass: BuiltInErrorClass, switches = defaultCleaning) =>
  cleaned(seen, { failed: failure(errorClass), stores }, switches);

it('takes the execution log and the tracker by default, not the reasoning', () => {
  expect(clean('UNDEFINED_REFERENCE')).toEqual({
    context: { log: [], missing: [], reasoning: 'I think', notes: [asked] },
    what: ['executionLog', 'tracker'],
  });
});

it('adds the valid ids', () => {
  expect(clean('ENTITY_NOT_FOUND')).toMatchObject({
    context: { notes: [asked, 'Valid ids: "a"'] },
    what: ['executionLog', 'tracker', 'validIds'],
  });
});

it('adds the hint', () => {
  expect(clean('TIMEOUT')).toMatchObject({
    context: { notes: [asked, TIMEOUT_HINT] },
    what: expect.arrayContaining(['hint']),
  });
});

describe('each by its switch', () => {
  const off = Object.fromEntries(Object.keys(defaultCleaning).map(name => [name, false])) as Record<
    CleanerName,
    false
  >;
  const rows: [CleanerName, BuiltInErrorClass, Partial<SeenContext>][] = [
    ['executionLog', 'TIMEOUT', { log: [] }],
    ['tracker', 'TIMEOUT', { missing: [], notes: [asked] }],
    ['reasoningLog', 'TIMEOUT', { reasoning: '' }],
    ['validIds', 'ENTITY_NOT_FOUND', { notes: ['Valid ids: "a"'] }],
    ['hint', 'TIMEOUT', { notes: [TIMEOUT_HINT] }],
  ];
  it.each(rows)('%s', (name, errorClass, changed) => {
    expect(clean(errorClass, { ...off, [name]: true })).toEqual({
      context: { ...seen, ...changed },
      what: [name],
    });
    expect(clean(errorClass, off)).toEqual({ context: seen, what: [] });
  });
});

it('does not change what it was given', () => {
  const before = structuredClone(seen);
  clean('TIMEOUT');
  expect(seen).toEqual(before);
});

it('adds nothing twice', () => {
  const once = clean('TIMEOUT').context;
  expect(cleaned(once, { failed: failure('TIMEOUT'), stores })).toEqual({ context: once, what: [] });
});

it('names no more ids than fit', () => {
  const many = vaultOf(...Array.from({ length: 500 }, (_, index) => `id-${index}-${'x'.repeat(100)}`));
  const { context } = cleaned(seen, { failed: failure('ENTITY_NOT_FOUND'), stores: many });
  expect(context.notes[1]?.length).toBeLessThan(2100);
  const { context: asking } = cleaned(
    { ...seen, missing: many.vault.map(({ id }) => `${id}\n`) },
    { failed: failure('TIMEOUT'), stores },
  );
  expect(asking.notes[0]).toMatch(/^Asked for in vain: .{1,2010}$/);
});
