// The remedy that people are told where the tests at the base cannot run, by what keeps them.
import { expect, test } from 'vitest';
import { baseTestsNote } from '../../../src/app/comments/base-tests.ts';
import type { BaseTestsView } from '../../../src/app/comments/view.ts';

const cases: Record<string, [Partial<BaseTestsView>, RegExp, RegExp]> = {
  'the command': [{}, /`test` in `\.github/, /Set `setup` in/],
  'what it needs': [{ setup: 'npm ci' }, /Set `setup` in/, /Set `test` in/],
  'the sandbox, whose reason holds the remedy': [
    { sandbox: 'missing' },
    /cannot run: why\.\*\* Then comment `\/retry`/,
    /Set/,
  ],
};

test.each(Object.entries(cases))('%s', (_what, [more, says, not]) => {
  const none = { exit_code: null, failing: [], tail: '' };
  const note = baseTestsNote({ command: 'npm test', state: 'cannot_run', why: 'why', ...none, ...more });
  expect(note).toMatch(says);
  expect(note).not.toMatch(not);
});
