// A run of several issues of which one fails once and one for good, by workflows; once a week also by the local executor.
import { expect, test } from 'vitest';
import { type Many, titleOf } from '../bench/many.ts';
import { playMany } from '../bench/play-many.ts';
import { productOnce } from './product.ts';
import { playsAll } from './sample.ts';

/** More issues than are worked side by side. */
const many: Many = { fates: ['twice', 'never', 'once'], maxParallel: 2 };

test.for<'actions' | 'app'>(playsAll ? ['actions', 'app'] : ['actions'])(
  'via %s: each ends as it must, and nothing else is left',
  { timeout: 300_000 },
  async via => {
    const { states, branches, leftOver } = await playMany(many, via, { product: await productOnce() });
    expect(states).toEqual(['delivered 2', 'failed 2', 'delivered 1']);
    // Directive, then issues.
    const named = many.fates.map((fate, at) => {
      const name = `${at + 2}-${titleOf(at).toLowerCase().replace(' ', '-')}`;
      return fate === 'never' ? `${name}-unfinished-2` : name;
    });
    expect(branches.toSorted()).toEqual([...named, 'main'].toSorted());
    expect(leftOver).toEqual([]);
  },
);
