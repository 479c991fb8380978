// Packages that a change adds, by what each package manager really writes; and texts that are meant to mislead.
import { expect, test } from 'vitest';
import { newPackages } from '../../../../src/app/engineer/project/new-packages.ts';

const npm = (packages: Record<string, object>) => JSON.stringify({ lockfileVersion: 3, packages });
const toml = (...packages: [string, string][]) =>
  packages.map(([name, version]) => `[[package]]\nname = "${name}"\nversion = "${version}"\n`).join('\n');

test.each<[path: string, before: string, after: string, packages: string[]]>([
  [
    'package-lock.json',
    npm({ '': { version: '1.0.0' }, 'node_modules/a': { version: '1.0.0' } }),
    npm({
      '': { version: '1.1.0' },
      'node_modules/a': { version: '1.2.0' },
      'node_modules/@scope/b': { version: '2.0.0' },
      'node_modules/a/node_modules/c': { version: '3.0.0' },
    }),
    ['@scope/b 2.0.0', 'a 1.2.0 (was 1.0.0)', 'c 3.0.0'],
  ],
  ['npm-shrinkwrap.json', '', JSON.stringify({ dependencies: { a: { version: '1.0.0' } } }), ['a 1.0.0']],
  ['web/package.json', '{"scripts":{"a":"b"}}', '{"devDependencies":{"vitest":"^3.0.0"}}', ['vitest ^3.0.0']],
  [
    'yarn.lock',
    'a@^1.0.0:\n  version "1.0.0"\n',
    'a@^1.0.0:\n  version "1.0.0"\n\n"@s/b@^2.0.0", "@s/b@^2.1.0":\n  version "2.1.0"\n',
    ['@s/b 2.1.0'],
  ],
  ['yarn.lock', '', '"c@npm:^3.0.0":\n  version: 3.1.0\n  resolution: "c@npm:3.1.0"\n', ['c 3.1.0']],
  [
    'pnpm-lock.yaml',
    '',
    "packages:\n\n  /a@1.0.0:\n    resolution: {}\n\n  '@s/b@2.0.0(a@1.0.0)':\n    resolution: {}\n",
    ['@s/b 2.0.0', 'a 1.0.0'],
  ],
  ['pnpm-lock.yaml', '', '  a@1.0.0:\n  overrides@1: 2\n', ['a 1.0.0']],
  ['yarn.lock', '', 'a@^1.0.0:\r\n  version "1.0.0"\r\n', ['a 1.0.0']],
  ['Cargo.lock', '', toml(['itoa', '1.0.1']).replaceAll('\n', '\r\n'), ['itoa 1.0.1']],
  ['Cargo.lock', toml(['serde', '1.0.0']), toml(['serde', '1.0.0'], ['itoa', '1.0.1']), ['itoa 1.0.1']],
  ['uv.lock', toml(['a', '1']), toml(['a', '2']), ['a 2 (was 1)']],
  [
    'requirements.txt',
    'requests==2.32.3\n',
    '# ours\nrequests==2.32.3\nrich[jupyter] >= 13 ; python_version > "3"\nattrs\n-r more.txt\n',
    ['attrs', 'rich >= 13'],
  ],
  [
    'go.mod',
    'module example.org/a\n\ngo 1.20\n',
    'module example.org/a\n\ngo 1.21\n\nrequire (\n\tgithub.com/google/uuid v1.6.0\n)\n\nrequire gopkg.in/yaml.v3 v3.0.1 // indirect\n',
    ['github.com/google/uuid v1.6.0', 'gopkg.in/yaml.v3 v3.0.1'],
  ],
  ['go.sum', '', 'a.org/b v1.0.0 h1:x=\na.org/b v1.0.0/go.mod h1:y=\n', ['a.org/b v1.0.0']],
  ['Gemfile.lock', '', 'GEM\n  specs:\n    rake (13.0.6)\n      dep (>= 1)\n', ['rake 13.0.6']],
  [
    'src/packages.lock.json',
    '{}',
    '{"dependencies":{"net8.0":{"Serilog":{"type":"Direct","resolved":"3.1.1"}}}}',
    ['Serilog 3.1.1'],
  ],
  [
    'gradle.lockfile',
    '',
    'com.google.guava:guava:33.0.0=compileClasspath\nempty=\n',
    ['com.google.guava:guava 33.0.0'],
  ],
  ['package-lock.json', npm({ 'node_modules/a': { version: '1' } }), npm({}), []],
  [
    'package.json',
    '{}',
    '{"dependencies":{"](https://evil.example)":"1","x":"`@everyone` <img>","__proto__":"2"}}',
    ['(not a name or version) 1', '__proto__ 2', 'x (not a name or version)'],
  ],
])('%s', (path, before, after, packages) => {
  expect(newPackages([{ path, before, after }])).toEqual({ packages, more: 0, unread: [] });
});

test.each([
  ['pyproject.toml', '[project]\n'],
  ['package-lock.json', '<<<<<<< ours\n'],
])('%s is named where it is not understood', (path, after) => {
  expect(newPackages([{ path, before: '', after }])).toEqual({ packages: [], more: 0, unread: [path] });
});

test.each([
  ['pnpm-lock.yaml', '  a@', 'x'],
  ['pnpm-lock.yaml', '  a@1', '('],
  ['pnpm-lock.yaml', '', '  a@'],
  ['go.mod', '\t', '/'],
  ['go.mod', '\t', '.'],
  ['yarn.lock', '', 'a@'],
  ['requirements.txt', '', 'a['],
  ['Gemfile.lock', '    a ', '('],
  ['gradle.lockfile', '', 'a:'],
  ['go.sum', '', 'a v'],
])('a line of %s with %j and then %j over and over is read in linear time', (path, start, again) => {
  const after = start + again.repeat(300_000);
  expect(newPackages([{ path, before: '', after }]).more).toBe(0);
});

test('the list is bounded, and what a manifest and its lock file both name stands in it once', () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`node_modules/p${n}`, { version: '1' }]),
  );
  const { packages, more } = newPackages([
    { path: 'package-lock.json', before: '', after: npm(many) },
    { path: 'package.json', before: '', after: '{"dependencies":{"p1":"1"}}' },
  ]);
  expect([packages.length, more]).toEqual([50, 10]);
});
