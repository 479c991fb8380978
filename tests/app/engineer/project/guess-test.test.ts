// The one guess at a test command.
import { expect, test } from 'vitest';
import { filesOf } from '../guess-files.ts';
import { guessTest } from '../../../../src/app/engineer/project/guess-test.ts';

const npm = (script: unknown) => JSON.stringify({ scripts: { test: script } });

test.for<[name: string, files: Record<string, string>, command: string]>([
  ['nothing', {}, ''],
  ['a README', { 'README.md': 'make test' }, ''],
  ['package.json with a test script', { 'package.json': npm('vitest') }, 'npm test'],
  [
    'the script that npm init writes',
    { 'package.json': npm('echo "Error: no test specified" && exit 1') },
    '',
  ],
  ['package.json without scripts', { 'package.json': '{}' }, ''],
  ['package.json that is no JSON', { 'package.json': '{' }, ''],
  ['package.json that is null', { 'package.json': 'null' }, ''],
  ['package.json whose scripts are null', { 'package.json': '{"scripts":null}' }, ''],
  ['a test script that is no text', { 'package.json': npm(['vitest']) }, ''],
  ['an empty test script', { 'package.json': npm('') }, ''],
  ['package.json in a folder', { 'web/package.json': npm('vitest') }, ''],
  ['a Makefile', { Makefile: 'all:\n\ttrue\n\ntest: all\n\ttrue\n' }, 'make test'],
  [
    'a makefile and a GNUmakefile: make reads the latter',
    { makefile: 'x:\n', GNUmakefile: 'test:\n\ttrue\n' },
    'make test',
  ],
  ['a Makefile without the target', { Makefile: 'tests:\n\ttrue\n' }, ''],
  ['a variable called test', { Makefile: 'test := 1\ntest:=2\n' }, ''],
  ['a target with two colons', { Makefile: 'test::\n\ttrue\n' }, 'make test'],
  ['package.json before Makefile', { 'package.json': npm('x'), Makefile: 'test:\n' }, 'npm test'],
  ['package.json without a test, then Makefile', { 'package.json': '{}', Makefile: 'test:\n' }, 'make test'],
  ['pytest.ini', { 'pytest.ini': '' }, 'python3 -m pytest'],
  ['a test file of Python deep down', { 'a/b/test_c.py': '' }, 'python3 -m pytest'],
  ['a file that only ends so', { 'a/mytest_c.py': '' }, ''],
  ['Cargo.toml', { 'Cargo.toml': '' }, 'cargo test'],
  ['go.mod', { 'go.mod': '' }, 'go test ./...'],
  ['pom.xml', { 'pom.xml': '' }, 'mvn --batch-mode test'],
  ['pytest before cargo', { 'Cargo.toml': '', 'conftest.py': '' }, 'python3 -m pytest'],
])('%s', async ([, files, command]) => {
  expect((await guessTest(filesOf(files)))?.command ?? '').toBe(command);
});
