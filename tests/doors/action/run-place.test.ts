// Reads a workflow job's environment and event file.
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readPlace } from '../../../src/doors/action/run-place.ts';
import { temporary } from '../../ground/workspace/fixture.ts';

const repository = { id: 1, name: 'work', default_branch: 'main', owner: { login: 'olga' } };

async function place(payload: unknown, env: Record<string, string> = {}) {
  await using room = await temporary();
  const file = join(room.path, 'event.json');
  await writeFile(file, JSON.stringify(payload));
  return await readPlace({
    INPUT_TOKEN: 'ghs_x',
    GITHUB_EVENT_NAME: 'workflow_dispatch',
    GITHUB_EVENT_PATH: file,
    GITHUB_RUN_ID: '7',
    GITHUB_WORKFLOW_REF: 'olga/work/.github/workflows/echelon.yml@refs/heads/main',
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_SERVER_URL: 'https://github.com',
    RUNNER_TEMP: room.path,
    ...env,
  });
}

test('a dispatch names its directive', async () => {
  expect(await place({ repository, inputs: { directive: '12' } })).toMatchObject({ directive: 12 });
});

// The concurrency group is named by the text as it was typed: another spelling of a number would have a group of its own.
test.each([
  '012',
  '0xc',
  '1.2e1',
  '12.0',
  '+12',
  ' 12',
  '',
  'twelve',
  'other/repo#12',
  '-1',
  '0',
  '99999999999999999999',
])('a dispatch for %j is for no issue', async directive => {
  expect(await place({ repository, inputs: { directive } })).toMatchObject({ directive: undefined });
});

test.for<[fork: boolean, env: Record<string, string>, refused: boolean]>([
  [false, { INPUT_MODE: 'run' }, false],
  [true, { INPUT_MODE: 'run' }, true],
  [true, { INPUT_MODE: 'run', INPUT_ALLOW_FORK: 'false' }, true],
  [true, { INPUT_MODE: 'run', INPUT_ALLOW_FORK: 'true' }, false],
  [true, { INPUT_MODE: 'deliver' }, false],
])('a fork (%j) with %j is refused: %j', async ([fork, env, refused]) => {
  const read = await place({ repository: { ...repository, fork } }, env);
  expect(!('problem' in read) && /is a fork/.test(read.refusal ?? '')).toBe(refused);
});

test('without a token it says what is missing', async () => {
  expect(await place({ repository }, { INPUT_TOKEN: '' })).toEqual({
    problem: expect.stringMatching(/^token is empty/),
  });
});
