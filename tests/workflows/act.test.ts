// A second opinion on engineer.yml, the half of an issue that runs its code: `act`, which knows nothing of ours, carries
// it out on this machine. CI installs act; so may who wants the test here: go install github.com/nektos/act@v0.2.89
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { JobSpec } from '../../src/app/engineer/jobs/job-spec.ts';
import { bubblewrapFault } from '../../packages/ground/workspace/isolation.ts';
import { jobSpec } from '../app/engineer/spec.ts';
import { director, evaluator } from '../dialogue/script.ts';
import { git } from '../../packages/forge/repositories/git.ts';
import { commit } from '../forge/fixture.ts';
import { temporary, writeFiles } from '../ground/workspace/fixture.ts';

const root = resolve(import.meta.dirname, '../..');
const found = spawnSync('act', ['--version']).error === undefined;
const why = found ? await bubblewrapFault() : 'act is missing';
const skipped = why === undefined ? '' : ` (skipped: ${why})`;

/** act knows no `$/`. */
const workflow = readFileSync(join(root, '.github/workflows/engineer.yml'), 'utf8').replaceAll(
  '$/action',
  'echelon-org/echelon/action@v0',
);

const caller = `on: workflow_dispatch
jobs:
  issue:
    uses: ./.github/workflows/engineer.yml
    with: { op: op, minutes: 5, handed: handed }
`;

/** An action of others that keeps artifacts in a folder: act has no store that their own code could reach from here. */
const keeps = (
  run: string,
) => `inputs: { name: {}, path: {}, if-no-files-found: {}, overwrite: {}, retention-days: {} }
runs:
  using: composite
  steps:
    - shell: bash
      run: ${JSON.stringify(run)}
      env: { NAME: "\${{ inputs.name }}", PATHS: "\${{ inputs.path }}" }
`;

test.skipIf(skipped !== '')(`act works an issue, and a bundle comes out${skipped}`, async () => {
  await using folder = await temporary();
  const at = (name: string) => join(folder.path, name);
  cpSync(join(root, 'action'), at('product/action'), { recursive: true });
  await writeFiles(folder.path, {
    'home/.keep': '',
    'get/action.yml': keeps('mkdir -p "$PATHS" && cp -r "$KEPT/$NAME/." "$PATHS"'),
    'put/action.yml': keeps(
      'mkdir -p "$KEPT/$NAME"; while read -r each; do if [ -e "$each" ]; then cp -r "$each" "$KEPT/$NAME"; fi; done <<< "$PATHS"',
    ),
  });
  await git(folder.path, ['init', '--quiet', '--initial-branch=main', 'repository']);
  const base = await commit(
    at('repository'),
    {
      'test.sh': 'test -f made.txt\n',
      '.github/workflows/engineer.yml': workflow,
      '.github/workflows/call.yml': caller,
    },
    'Begin',
  );
  const program = 'prompts/programs/implement-issue.xml';
  const spec: JobSpec = {
    ...jobSpec(60_000, base, ''),
    library: [[{ file: program, text: readFileSync(join(root, program), 'utf8') }]],
    settings: { test_command: 'sh test.sh', rounds: '1' },
    model: {
      provider: 'scripted',
      script: JSON.stringify({
        version: 1,
        replies: [...director('Add a mark', { 'made.txt': 'made\n' }), evaluator('made.txt', true)],
      }),
    },
    isolation: 'bubblewrap',
  };
  await writeFiles(folder.path, { 'kept/handed/op/job.json': JSON.stringify(spec) });

  const replaced = [...workflow.matchAll(/uses: (actions\/(down|up)load-artifact@\w+)/g)].map(
    ([, name, way]) => `${name}=${at(way === 'down' ? 'get' : 'put')}`,
  );
  const options = [
    ...['workflow_dispatch', '--workflows', '.github/workflows/call.yml', '--no-cache-server'],
    ...['--platform', 'ubuntu-24.04=-self-hosted', '--env', `KEPT=${at('kept')}`],
    ...[...replaced, `echelon-org/echelon@v0=${at('product')}`].flatMap(each => ['--local-repository', each]),
  ];
  const { status, stdout, stderr } = spawnSync('act', options, {
    cwd: at('repository'),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: at('home'), LANG: 'C.UTF-8' },
  });
  expect(status, stdout + stderr).toBe(0);
  const report = JSON.parse(readFileSync(at('kept/echelon-op/report.json'), 'utf8'));
  expect(report).toMatchObject({ kind: 'bundle', isolation: 'bubblewrap', tests: { exit_code: 0 } });
  expect(readFileSync(at('kept/echelon-op/changes.patch'), 'utf8')).toContain('+made');
  expect(existsSync(at('repository/made.txt'))).toBe(false);
  // A second word that stops commands would stand in the log as text.
  expect(stdout.match(/::stop-commands::/g)).toHaveLength(1);
});
