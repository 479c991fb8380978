// The access tracker: what was asked for in vain, bounded, and named to the model once it is cleaned away.
import { describe, expect, it } from 'vitest';
import { TRACKED, tracked } from '../../../../src/engine/reasoning/execution/tracker.ts';
import { play, returns, throws, vaultOf } from './scripted.ts';

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `id-${from + index}`);

describe('keeps', () => {
  it.each<[string, string[], string[], string[]]>([
    ['each id once', ['a', 'b'], ['b', 'c', 'c'], ['a', 'b', 'c']],
    ['the newest of too many', ids(TRACKED), ['new'], [...ids(TRACKED - 1, 1), 'new']],
    ['the newest of too many at once', [], ids(20_000), ids(TRACKED, 20_000 - TRACKED)],
    ['the beginning of a long one', [], ['x'.repeat(300)], ['x'.repeat(200)]],
  ])('%s', (_, before, more, expected) => expect(tracked(before, more)).toEqual(expected));
});

const lost = () =>
  throws('ReferenceError', 'thing not found', { missingReads: [{ store: 'vault', id: 'caught' }] });

it('names the ids that code asked for and did not tell of', async () => {
  const { told, events } = await play([lost(), lost()], { missing: ['earlier'], stores: vaultOf('a') });
  expect(told).toContain('Asked for in vain: "earlier", "caught"');
  expect(events.filter(({ type }) => type === 'context_cleaned')).toEqual([
    {
      type: 'context_cleaned',
      id: 'x1',
      errorType: 'ENTITY_NOT_FOUND',
      what: ['executionLog', 'tracker', 'validIds'],
    },
  ]);
});

it('is not said to be cleaned where every cleaner is off', async () => {
  const cleaning = { executionLog: false, tracker: false, reasoningLog: false, validIds: false, hint: false };
  const { cleanings, events } = await play([lost(), returns('1')], { cleaning });
  expect(cleanings).toBe(0);
  expect(events.map(({ type }) => type)).not.toContain('context_cleaned');
});
