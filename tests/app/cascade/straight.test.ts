// Drafts that are listed without the layers below.
import { expect, test } from 'vitest';
import type { IssuePlan } from '../../../src/app/cascade/issue-plan.ts';
import { listing } from '../../../src/app/cascade/places.ts';

const draft = (path: string, more: Partial<IssuePlan> = {}): IssuePlan => ({
  ...{ title: path, body: 'All of it.', domain: 'backend', paths: [path], estimate_minutes: 20 },
  ...more,
});
test.each<[why: string, isListed: boolean, drafts: IssuePlan[]]>([
  ['none', false, []],
  ['one, whatever it says', true, [{ title: 'Lamp', body: 'Light it.' }]],
  [
    'files that meet, and work that runs alone',
    true,
    [draft('src/a.ts'), draft('src/**'), draft('db/**', { domain: 'database' })],
  ],
  ['no paths', false, [draft('src/a.ts'), draft('src/b.ts', { paths: [] })]],
  ['to be cut', false, [draft('src/a.ts'), draft('src/b.ts', { estimate_minutes: 90 })]],
])('%s: %s', (_why, isListed, drafts) => {
  const [create] = listing({ layers: 'auto' }, 'eng-lead', drafts);
  expect(create).toEqual(isListed ? { action: 'create_issues', issues: drafts } : undefined);
  expect(listing({ layers: 'all' }, 'eng-lead', drafts)).toEqual([]);
  expect(listing({ layers: 'auto' }, '2ic', drafts)).toHaveLength(drafts.length === 1 ? 2 : 0);
});
