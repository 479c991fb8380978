// Lock files that a setup command cannot install from: a table, with what must not be complained about.
import { expect, test } from 'vitest';
import { lockProblem } from '../../../src/doors/cli/doctor/lock-files.ts';

const json = (value: unknown) => JSON.stringify(value);
const manifest = json({ dependencies: { one: '^1.0.0' }, devDependencies: { '@a/two': '*' } });
const whole = json({
  lockfileVersion: 3,
  packages: { '': {}, 'node_modules/one': {}, 'node_modules/@a/two': {} },
});

const find = (setup: string, files: Record<string, string>, guessed = true) =>
  lockProblem({ setup, guessed, names: Object.keys(files), read: async name => files[name] ?? '' });

test.each<[what: string, setup: string, files: Record<string, string>]>([
  ['no setup', '', { 'package.json': manifest }],
  ['npm ci with a whole lock file', 'npm ci', { 'package.json': manifest, 'package-lock.json': whole }],
  [
    'a lock file of version 1',
    'npm ci',
    { 'package.json': manifest, 'package-lock.json': json({ dependencies: { one: {}, '@a/two': {} } }) },
  ],
  ['npm install, which needs none', 'npm install', { 'package.json': manifest }],
  [
    'a lock file that is too large to be shown',
    'npm ci',
    { 'package.json': manifest, 'package-lock.json': '' },
  ],
  ['a package.json that is none', 'npm ci', { 'package.json': '{', 'package-lock.json': whole }],
  ['npm-shrinkwrap.json alone', 'npm ci', { 'package.json': manifest, 'npm-shrinkwrap.json': '{}' }],
  ['two ecosystems', 'npm ci', { 'package.json': '{}', 'package-lock.json': '{}', 'uv.lock': '' }],
  ['a folder below the root', 'cd web && npm ci', { 'package.json': manifest }],
  ['uv', 'uv sync --frozen', { 'uv.lock': '' }],
])('nothing is wrong with %s', async (_what, setup, files) => {
  expect(await find(setup, files)).toBeUndefined();
});

test('two lock files of which the configuration names one by its setup', async () => {
  const files = { 'package-lock.json': whole, 'pnpm-lock.yaml': '', 'package.json': manifest };
  expect(await find('pnpm install --frozen-lockfile', files, false)).toBeUndefined();
});

test.each<[what: string, setup: string, files: Record<string, string>, detail: RegExp, fix: RegExp]>([
  [
    'npm ci without a lock file',
    'npm ci',
    { 'package.json': manifest },
    /`npm ci`, which needs package-lock\.json at the root of the repository, where it is missing$/,
    /^npm install --package-lock-only && git add --force package-lock\.json && git commit/,
  ],
  [
    'one that git ignores',
    'npm ci && npm run build',
    { 'package.json': manifest, '.gitignore': 'node_modules\n/package-lock.json\n' },
    /where it is ignored by \.gitignore$/,
    /\(and take it out of \.gitignore\)$/,
  ],
  [
    'one that lacks a dependency',
    'npm ci',
    { 'package.json': manifest, 'package-lock.json': json({ packages: { 'node_modules/one': {} } }) },
    /^package-lock\.json is out of step with package\.json: it lacks @a\/two$/,
    /^npm install --package-lock-only && git commit/,
  ],
  [
    'one with the marks of a conflict',
    'npm ci',
    { 'package.json': manifest, 'package-lock.json': '<<<<<<< HEAD\n{}' },
    /is not valid JSON$/,
    /^npm install --package-lock-only/,
  ],
  ['cargo', 'cargo build --locked', { 'Cargo.toml': '' }, /needs Cargo\.lock/, /^cargo generate-lockfile/],
  ['pnpm', 'pnpm install --frozen-lockfile', {}, /needs pnpm-lock\.yaml/, /^pnpm install --lockfile-only/],
  [
    'several at once',
    'npm ci',
    { 'package.json': manifest, 'package-lock.json': whole, 'yarn.lock': '' },
    /^package-lock\.json and yarn\.lock lock the same dependencies/,
    /^git rm yarn\.lock/,
  ],
])('%s', async (_what, setup, files, detail, fix) => {
  expect(await find(setup, files)).toEqual({
    detail: expect.stringMatching(detail),
    fix: expect.stringMatching(fix),
  });
});
