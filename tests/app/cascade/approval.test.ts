// `/approve` and `/reject` against a listing: the actions they decide, or the reason for a refusal.
import { expect, test } from 'vitest';
import { misfit } from '../../../src/app/cascade/standing.ts';
import type { CommandSignal } from '../../../src/app/commands/table.ts';

/** Digest of the listing; its last comment is number 50, and `a1` is decided already. */
const sum = 'abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789';
const listing = { last: 50, sum, undecided: new Map([2, 3].map(n => [`a${n}`, null])) };

const head = { id: 'c51-1', at: 0 };
const approve = (
  what: CommandSignal<'approve'>['value']['what'],
  comment = 51,
): CommandSignal<'approve'> => ({
  ...head,
  name: 'approve',
  value: { what, by: 'wanda', comment },
});
const reject = (ids: string[], comment = 51): CommandSignal<'reject'> => ({
  ...head,
  name: 'reject',
  value: { ids, reason: 'no', by: 'wanda', comment },
});

const older = 'your comment is older than the listing it would decide on';
const waits = 'does not wait for a decision; what does: a2, a3';

test.for<[name: string, command: CommandSignal<'approve' | 'reject'>, why: string | undefined]>([
  ['approves all', approve('all'), undefined],
  ['approves one that waits', approve({ ids: ['a3'] }), undefined],
  ['approves both that wait', approve({ ids: ['a3', 'a2'] }), undefined],
  ['approves one that was decided before', approve({ ids: ['a1'] }), `a1 ${waits}`],
  ['approves one of each: nothing of it counts', approve({ ids: ['a2', 'a1'] }), `a1 ${waits}`],
  ['approves two that nobody asked for', approve({ ids: ['a8', 'a9'] }), `a8, a9 ${waits}`],
  ['a name of every object is no action', approve({ ids: ['constructor'] }), `constructor ${waits}`],
  ['approves this digest whole', approve({ digest: sum }), undefined],
  ['approves the beginning of this digest', approve({ digest: 'abcdef01' }), undefined],
  [
    'approves another digest',
    approve({ digest: '0123456789ab' }),
    '0123456789ab is not the listing that waits, which is abcdef012345',
  ],
  [
    'approves a digest that is longer than this one',
    approve({ digest: `${sum}0` }),
    `${sum}0 is not the listing that waits, which is abcdef012345`,
  ],
  ['rejects all', reject([]), undefined],
  ['rejects one that waits', reject(['a2']), undefined],
  ['rejects one that was decided before', reject(['a1']), `a1 ${waits}`],
  ['written before the listing: approves', approve('all', 49), older],
  ['written before the listing: approves its digest', approve({ digest: sum }, 49), older],
  ['written before the listing: rejects', reject([], 49), older],
  ['written before the listing, and of no action: the first reason', approve({ ids: ['a9'] }, 49), older],
])('%s', ([, command, why]) => {
  expect(misfit(command, listing)).toBe(why);
});

test('once everything is decided nothing that is named fits', () => {
  expect(misfit(approve({ ids: ['a2'] }), { ...listing, undecided: new Map() })).toBe(
    'a2 does not wait for a decision; what does: ',
  );
});
