// Setup results between jobs of the workflow: GitHub's cache, which only the default branch's job writes.
import { Buffer } from 'node:buffer';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { chooseIsolation } from '../../../packages/ground/workspace/isolation.ts';
import { type OneIssue, openOneIssue } from './one-issue.ts';

const bubblewrap = await chooseIsolation('bubblewrap', { secretsPresent: true }).catch(() => undefined);
const lock = '{ "name": "work", "lockfileVersion": 3, "packages": {} }\n';

let repository: OneIssue;
beforeAll(async () => {
  repository = await openOneIssue({
    '.github/echelon.yml':
      'approval: none\nretries: 0\nsetup: mkdir -p vendor && date +%N > vendor/made\ntest: test -s vendor/made\n',
    '.gitignore': 'vendor/\n',
    'package.json': '{ "name": "work" }\n',
    'package-lock.json': lock,
  });
}, 120_000);
afterAll(() => repository.close());

const Runs = z.object({ workflow_runs: z.array(z.object({ id: z.number() })) });
const Step = z.object({ name: z.string(), conclusion: z.string().nullable() });
const Jobs = z.object({ jobs: z.array(z.object({ name: z.string(), steps: z.array(Step) })) });

/** Works a directive; what the step that saves came to in each job of engineer.yml, and what is kept altogether. */
async function worked(body?: string) {
  await repository.directive(body);
  const saved: string[] = [];
  const { workflow_runs } = Runs.parse(await repository.call('GET', '/actions/runs?per_page=100'));
  const newest = Math.max(...workflow_runs.map(({ id }) => id));
  const { jobs } = Jobs.parse(await repository.call('GET', `/actions/runs/${newest}/jobs`));
  for (const { name, steps } of jobs)
    for (const step of steps)
      if (step.name === 'Keep what setup installed')
        saved.push(`${/base/.test(name) ? 'base' : 'engineer'}: ${step.conclusion}`);
  const made = globSync(join(repository.root, 'stage/forge/actions/caches/*/*/*/tree/vendor/made'));
  return { saved: saved.sort(), kept: made.map(path => readFileSync(path, 'utf8')) };
}

test.skipIf(!bubblewrap)(
  'is kept once for the same lock files, by the job that runs the default branch',
  async () => {
    const first = await worked();
    expect(first.saved).toEqual(['base: success', 'engineer: skipped']);
    expect(first.kept).toHaveLength(1);
    expect(await worked('Look only.')).toEqual({ saved: ['base: skipped'], kept: first.kept });
  },
  300_000,
);

test.skipIf(!bubblewrap)(
  'is installed and kept anew for other lock files',
  async () => {
    const { sha } = z
      .object({ sha: z.string() })
      .parse(await repository.call('GET', '/contents/package-lock.json'));
    const content = Buffer.from(lock.replace('3', '2')).toString('base64');
    await repository.call('PUT', '/contents/package-lock.json', { message: 'Lock', content, sha });
    const { saved, kept } = await worked('Look only.');
    expect([saved, kept.length]).toEqual([['base: success'], 2]);
  },
  300_000,
);
