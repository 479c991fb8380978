// Every promise of docs/security.md has a guard in the code and a test that runs; and guards.ts reports what is wrong.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardProblems, problemsHere } from './guards.ts';

test('every promise has its guard, and a test that runs', () => {
  expect(problemsHere()).toEqual([]);
});

const files = {
  'src/door.ts': `// shut() stands in a comment only.
    export function lock(key: string) { const bolt = () => key; return bolt; }
    class Door { knock() {} }
    const house = { ring() {}, wall: 'thick' };`,
  'tests/door.test.ts': `import { cases } from './cases.ts';
    describe('a door', () => {
      test('stays shut', () => {});
      test.each<[string]>([['a hammer'], ['a "key"']])('%s', tool => {});
      test.each(cases)('with %j as it is', tool => {});
      describe.skip('of glass', () => { test('holds', () => {}); });
    });
    describe('a gate', () => {
      test('stays shut', () => {});
      test.todo('is painted');
      test('is oiled');
      test('sings', { skip: true }, () => {});
      test.fails('flies', () => {});
      const onLinux = test.skipIf(process.platform !== 'linux');
      onLinux(\`creaks\${process.platform}\`, () => {});
      test('says \`hm\`, or a|b', () => {});
    });
    gate.test('is no test', () => {});
    test.each(['rain', 'wind'])('%s: %j', () => {});
    test.each(['sun'])('%s', () => {});`,
  'tests/cases.ts': `export const cases = ['rust'];`,
  'tests/hurry.test.ts': `test('one', () => {}); test.only('two', () => {});`,
  'tests/sample/other.test.ts': `test('one', () => {});`,
};
let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'echelon-guards-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

const page = '# Promises\n\n- It holds\n  and lasts\n\n## What is not promised\n\n- All else';
const promises = (guards: string[], tests: string[]) =>
  JSON.stringify({ 'It holds and lasts': { guards, tests } });
const guard = 'src/door.ts:lock';
const shut = 'tests/door.test.ts > a door > stays shut';

test.each([
  ['a function', ['src/door.ts:lock'], shut],
  [
    'a function within, a method and a member',
    ['bolt', 'knock', 'ring'].map(name => `src/door.ts:${name}`),
    shut,
  ],
  ['a row of a table', [guard], 'tests/door.test.ts > a door > %s > a hammer'],
  ['a row in quotation marks', [guard], 'tests/door.test.ts > a door > %s > a "key"'],
  ['a row outside of groups, where one in a group ends alike', [guard], 'tests/door.test.ts > %s > sun'],
  ['a table whose title says something', [guard], 'tests/door.test.ts > with %j as it is'],
  ['a row of a table in a file beside it', [guard], 'tests/door.test.ts > with %j as it is > rust'],
  ['a test that some machines skip', [guard], 'tests/door.test.ts > creaks'],
  ['a title with a backtick and a bar', [guard], 'tests/door.test.ts > says `hm`, or a|b'],
])('good: %s', (_what, guards, shown) => {
  expect(guardProblems(page, promises(guards, [shown]), root)).toEqual([]);
});

test.each([
  ['a promise that the data lacks', page, '{}', '"It holds and lasts": tests/docs/promises.yml has no guard'],
  [
    'a promise that the page lacks',
    '# Promises',
    promises([guard], [shut]),
    'docs/security.md does not list it once',
  ],
  [
    'a promise listed twice',
    `- It holds and lasts\n${page}`,
    promises([guard], [shut]),
    'does not list it once',
  ],
  ['a guard without a name', page, promises(['src/door.ts'], [shut]), 'a guard is src/file.ts:name, not'],
  [
    'a guard outside of src/',
    page,
    promises(['tests/cases.ts:cases'], [shut]),
    'a guard is src/file.ts:name',
  ],
  ['a file that is gone', page, promises(['src/wall.ts:lock'], [shut]), 'there is no src/wall.ts'],
  ['a name that is gone', page, promises(['src/door.ts:unlock'], [shut]), 'src/door.ts declares no unlock'],
  ['a name in a comment', page, promises(['src/door.ts:shut'], [shut]), 'src/door.ts declares no shut'],
  ['a name of no code', page, promises(['src/door.ts:wall'], [shut]), 'src/door.ts declares no wall'],
])('broken: %s', (_what, text, data, problem) => {
  expect(guardProblems(text, data, root)).toEqual([expect.stringContaining(problem)]);
});

test.each([
  ['no guard', promises([], [shut]), /guards/],
  ['no test', promises([guard], []), /tests/],
  ['another key', '{"It holds and lasts": {"guard": []}}', /guard/],
  ['a promise twice', 'It holds: 1\nIt holds: 2', 'Map keys must be unique'],
])('refused: %s', (_what, data, problem) => {
  expect(() => guardProblems(page, data, root)).toThrow(problem);
});

test.each([
  ['no test in it', 'tests/door.test.ts', 'a test is tests/file.test.ts > its title'],
  ['in a file that is gone', 'tests/wall.test.ts > stays shut', 'there is no tests/wall.test.ts'],
  ['in no file of tests', 'tests/cases.ts > stays shut', 'tests/cases.ts is not among the tests'],
  ['where vitest does not look', 'tests/sample/other.test.ts > one', 'is not among the tests'],
  ['renamed', 'tests/door.test.ts > a door > is shut', 'has no test "a door > is shut"'],
  ['under another group', 'tests/door.test.ts > a window > stays shut', 'has no test'],
  ['by half of its title', 'tests/door.test.ts > a door > shut', 'has no test'],
  ['that is no test', 'tests/door.test.ts > is no test', 'has no test'],
  ['a group', 'tests/door.test.ts > a door', 'has no test "a door"'],
  ['in two groups', 'tests/door.test.ts > stays shut', 'has more than one test "stays shut"'],
  ['in a group that is skipped', 'tests/door.test.ts > of glass > holds', 'skip, so it shows nothing'],
  ['skipped by its options', 'tests/door.test.ts > sings', 'skip, so it shows nothing'],
  ['to do', 'tests/door.test.ts > is painted', 'todo, so it shows nothing'],
  ['without a body', 'tests/door.test.ts > is oiled', 'todo, so it shows nothing'],
  ['that has to fail', 'tests/door.test.ts > flies', 'fails, so it shows nothing'],
  ['beside one that runs alone', 'tests/hurry.test.ts > one', 'runs only some of its tests'],
  ['a table that says nothing, without a row', 'tests/door.test.ts > %s: %j', 'name the row of its table'],
  ['a row that is gone', 'tests/door.test.ts > %s > an axe', 'has no row "an axe"'],
  ['a row of what is no table', 'tests/door.test.ts > a door > stays shut > a hammer', 'has no row'],
])('broken: a test %s', (_what, shown, problem) => {
  expect(guardProblems(page, promises([guard], [shown]), root)).toEqual([expect.stringContaining(problem)]);
});
