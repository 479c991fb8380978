// Input of `mode: task` from an untrusted checkout: configuration and templates, never through a link.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planTask } from '../../../src/doors/action/task-plan.ts';
import { readSettings } from '../../../src/doors/settings.ts';
import { type Files, temporary, writeFiles } from '../../ground/workspace/fixture.ts';

const program = '<task name="t"><description>x</description></task>';

async function planned(files: Files, prepare: (work: string) => void = () => {}) {
  await using folder = await temporary();
  const work = join(folder.path, 'work');
  await writeFiles(folder.path, {
    'outside.yml': 'db_password: outside-0123456789',
    'outside/t.xml': program.replace('"t"', '"outside"'),
    'work/p.xml': program,
    'work/s.json': '{ "version": 1, "replies": [] }',
    ...files,
  });
  prepare(work);
  const given = { task: 'p.xml', script: 's.json', inputs: '', model: '', allow_scripts: '', budget: '' };
  return await planTask(given, work, readSettings({}));
}

const config = 'work/.github/echelon.yml';
const templates = 'work/.github/echelon';

test.each<[name: string, files: Files, said: string]>([
  [
    'a configuration by a link',
    { [config]: { link: '../../outside.yml' } },
    '.github/echelon.yml is a symbolic link',
  ],
  ['a device', { [config]: { link: '/dev/zero' } }, '.github/echelon.yml is a symbolic link'],
  ['a linked .github', { 'work/.github': { link: '..' } }, '.github is a symbolic link'],
  [
    'a configuration too long',
    { [config]: `#${'x'.repeat(300_000)}` },
    '300001 bytes; at most 262144 are read',
  ],
  ['a folder for a configuration', { [`${config}/x`]: '' }, '.github/echelon.yml is not a regular file'],
  ['linked templates', { [templates]: { link: '../../outside' } }, '.github/echelon is a symbolic link'],
  ['templates from the whole disk', { [templates]: { link: '/' } }, '.github/echelon is a symbolic link'],
  ['a template too long', { [`${templates}/a.xml`]: 'x'.repeat(1_048_577) }, 'at most 1048576 are read'],
])('%s: refused, and nothing of it is told', async (_name, files, said) => {
  const plan = await planned(files);
  const problems = JSON.stringify('problems' in plan ? plan.problems : []);
  expect(problems).toContain(said);
  expect(problems).not.toContain('password');
});

test('a pipe is refused without waiting on it', async () => {
  const plan = await planned({}, work => {
    mkdirSync(join(work, '.github'));
    execFileSync('mkfifo', [join(work, '.github/echelon.yml')]);
  });
  expect(plan).toEqual({ problems: [{ message: '.github/echelon.yml is not a regular file' }] });
});

test('linked templates and folders in a folder of templates are left out', async () => {
  const plan = await planned({
    [`${templates}/a.xml`]: { link: '../../../outside/t.xml' },
    [`${templates}/more`]: { link: '../../../outside' },
    [`${templates}/deep/own.xml`]: program.replace('"t"', '"own"'),
  });
  if ('problems' in plan) throw new Error(JSON.stringify(plan.problems));
  expect(plan.library.find('own')?.file).toBe('.github/echelon/deep/own.xml');
  expect(plan.library.find('outside')).toBeUndefined();
});

test('a checkout that would lower a known cost is refused with the place', async () => {
  const free = '{ input: 0, output: 0, cache_read: 0, cache_write: 0 }';
  const plan = await planned({ [config]: `prices: { local: ${free}, claude-haiku-5-5: ${free} }\n` });
  expect(plan).toEqual({
    problems: [
      { message: expect.stringMatching(/^\.github\/echelon\.yml:1:\d+ prices\.claude-haiku-5-5: /) },
    ],
  });
});

test('a checkout adds prices of models that the table lacks', async () => {
  const free = '{ input: 0, output: 0, cache_read: 0, cache_write: 0 }';
  const plan = await planned({ [config]: `prices: { local: ${free} }\n` });
  if ('problems' in plan) throw new Error(JSON.stringify(plan.problems));
  expect(Object.keys(plan.config.prices)).toEqual(['local']);
});
