// A run of several issues of which some fail once and two for good, by workflows and by the local executor.
import { expect, test } from 'vitest';
import { fatesOf, type Many, titleOf } from '../bench/many.ts';
import { playMany } from '../bench/play-many.ts';

const many: Many = { fates: fatesOf(6), maxParallel: 4 };

test.for(['actions', 'app'] as const)(
  'via %s: each ends as it must, and nothing else is left',
  {
    timeout: 300_000,
  },
  async via => {
    const { states, branches, leftOver } = await playMany(many, via);
    expect(states).toEqual([
      'delivered 2',
      'failed 2',
      'delivered 1',
      'delivered 2',
      'failed 2',
      'delivered 1',
    ]);
    // Directive, then issues.
    const named = many.fates.map((fate, at) => {
      const name = `${at + 2}-${titleOf(at).toLowerCase().replace(' ', '-')}`;
      return fate === 'never' ? `${name}-unfinished-2` : name;
    });
    expect(branches.toSorted()).toEqual([...named, 'main'].toSorted());
    expect(leftOver).toEqual([]);
  },
);
