// A repository's own workflow in the form whose jobs show whose they are, by a table of how people write one.
import { expect, test } from 'vitest';
import { byIdentity, isByIdentity } from '../../../src/doors/cli/init/identity.ts';

const job = (permissions: string, uses = 'o/e/.github/workflows/run.yml@v0 # v0', indent = '  ') =>
  [
    'on: issues',
    'jobs:',
    `${indent}run:`,
    `${indent}${indent}uses: ${uses}`,
    ...permissions.split('\n'),
  ].join('\n');
const line = "id-token: write # shows the models' providers whose job it is";

test.each<[what: string, text: string, now: string | undefined]>([
  [
    'a list',
    job('    permissions:\n      issues: write'),
    job(`    permissions:\n      ${line}\n      issues: write`, called()),
  ],
  [
    'a comment behind it',
    job('    permissions: # all\n      issues: write'),
    job(`    permissions: # all\n      ${line}\n      issues: write`, called()),
  ],
  [
    'four spaces',
    job('        permissions:\n            issues: write', undefined, '    '),
    job(`        permissions:\n            ${line}\n            issues: write`, called(), '    '),
  ],
  [
    'a quoted call',
    job('    permissions: write-all', "'o/e/.github/workflows/jobs.yml@v0'"),
    job('    permissions: write-all', "'o/e/.github/workflows/jobs-identity.yml@v0'"),
  ],
  [
    'half of it',
    job('    permissions:\n      issues: write', called()),
    job(`    permissions:\n      ${line}\n      issues: write`, called()),
  ],
  ['none', job('    with: {}'), undefined],
  ['a flow', job('    permissions: { issues: write }'), undefined],
  ['refused by its owner', job('    permissions:\n      id-token: none'), undefined],
  [
    "another project's",
    job('    permissions: {}', 'a/b/.github/workflows/lint.yml@v1'),
    job('    permissions: {}', 'a/b/.github/workflows/lint.yml@v1'),
  ],
])('%s', (_what, text, now) => {
  expect(byIdentity(text)).toBe(now);
  const windows = (of: string | undefined) => of?.replaceAll('\n', '\r\n');
  expect(byIdentity(windows(text) ?? '')).toBe(windows(now));
  if (now !== undefined) expect([byIdentity(now), isByIdentity(now)]).toEqual([now, /-identity/.test(now)]);
});

function called() {
  return 'o/e/.github/workflows/run-identity.yml@v0 # v0';
}
