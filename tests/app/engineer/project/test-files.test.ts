// Files that count as tests of a change, by each language's naming conventions.
import { expect, test } from 'vitest';
import { isTestFile } from '../../../../src/app/engineer/project/test-files.ts';

test.each([
  ...['src/add.test.ts', 'add.spec.tsx', 'add-test.mjs', 'test.js', 'test-add.js', 'src/__tests__/add.ts'],
  ...['tests/add.rs', 'src/add_tests.rs', 'pkg/add_test.go', 'pkg/testdata/in.txt', 'test_add.py'],
  ...['app/tests.py', 'conftest.py', 'spec/add_spec.rb', 'src/test/java/x/AddTest.java', 'x/AddIT.kt'],
  ...['Add.Tests/AddTests.cs', 'AddTest.php', 'test_add.cpp', 'add_unittest.cc', 'test.sh', 'x/add.bats'],
  ...['t/add.t', 'add.snap', 'test/a\nb.js', 'tests/ -rf.js'],
])('%j is a test', path => {
  expect(isTestFile(path)).toBe(true);
});

test.each([
  ...['src/add.ts', 'latest.js', 'contest.py', 'src/testing.go', 'README.md', 'src/attest/add.js'],
  ...['test', 'Latest.java', 'src/inspect.ts', 'package.json', 'request.cs', ''],
])('%j is none', path => {
  expect(isTestFile(path)).toBe(false);
});
