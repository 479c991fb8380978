// The one guess at what has to be installed, what that depends on, and which tools are asked for their version.
import { expect, test } from 'vitest';
import { filesOf } from '../guess-files.ts';
import { guessTest } from '../../../../src/app/engineer/project/guess-test.ts';
import {
  guessSetup,
  isLock,
  isLocking,
  registriesOf,
  versionsCommand,
} from '../../../../src/app/engineer/project/guess-setup.ts';

const go = "go test -run '^$' ./... || true";

test.for<[files: string, command: string]>([
  ['README.md', ''],
  ['package.json', ''],
  ['package-lock.json package.json', 'npm ci'],
  ['npm-shrinkwrap.json', 'npm ci'],
  ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
  ['yarn.lock', 'yarn install --frozen-lockfile'],
  ['web/package-lock.json', ''],
  ['requirements.txt', 'PIP_BREAK_SYSTEM_PACKAGES=1 python3 -mpip install --user -r requirements.txt'],
  ['requirements.txt uv.lock', 'uv sync --frozen'],
  ['poetry.lock', 'poetry install --no-interaction'],
  ['go.mod go.sum', `go mod download && { ${go}; }`],
  ['go.mod vendor/modules.txt', go],
  ['Cargo.toml', 'cargo fetch && { cargo test --no-run || true; }'],
  ['pom.xml', 'mvn --batch-mode test-compile'],
  ['build.gradle.kts', 'gradle --no-daemon testClasses'],
  ['build.gradle gradlew', 'sh gradlew --no-daemon testClasses'],
  ['package-lock.json go.mod', 'npm ci'],
])('%s', async ([names, command]) => {
  const files = filesOf(Object.fromEntries(names.split(' ').map(name => [name, ''])));
  expect((await guessSetup(files))?.command ?? '').toBe(command);
});

test.for([
  ['uv sync --frozen', 'uv run --no-sync python -m pytest'],
  ['poetry install --no-interaction', 'poetry run python -m pytest'],
  ['', 'python3 -m pytest'],
] as const)('after %j the tests run as %s', async ([setup, command]) => {
  expect((await guessTest(filesOf({ 'pytest.ini': '' }), setup))?.command).toBe(command);
});

test('what is installed depends on what locks versions at any depth; on manifests where nothing does', () => {
  const paths = [
    'web/package-lock.json',
    'go.sum',
    '.nvmrc',
    'package.json',
    'src/a.ts',
    'locked/yarn.lock.md',
  ];
  const of = (locked: boolean) => paths.filter(path => isLock(path, locked));
  expect(of(true)).toEqual(paths.slice(0, 3));
  expect(of(false)).toEqual(paths.slice(0, 4));
  expect(paths.map(isLocking)).toEqual([true, true, false, false, false, false]);
});

test('tools are asked that work with the lockfiles; all where there are none', () => {
  expect(versionsCommand(['web/package-lock.json'])).toBe('cat /etc/os-release 2>&1; node --version 2>&1');
  expect(versionsCommand([])).toContain('java -version');
});

test.for<[files: string, registries: string[]]>([
  ['README.md', []],
  ['package.json', ['registry.npmjs.org', 'registry.yarnpkg.com']],
  ['tox.ini', ['files.pythonhosted.org', 'pypi.org']],
  ['web/pnpm-lock.yaml', ['registry.npmjs.org', 'registry.yarnpkg.com']],
  ['api/uv.lock requirements.txt', ['files.pythonhosted.org', 'pypi.org']],
  ['Cargo.lock', ['crates.io', 'index.crates.io', 'static.crates.io']],
  ['go.mod Gemfile.lock', ['index.rubygems.org', 'proxy.golang.org', 'rubygems.org', 'sum.golang.org']],
  ['src/packages.lock.json', ['api.nuget.org']],
  ['pom.xml', ['repo.maven.apache.org', 'repo1.maven.org']],
])('registries of %s', ([files, registries]) => {
  expect(registriesOf(files.split(' '))).toEqual(registries);
});
