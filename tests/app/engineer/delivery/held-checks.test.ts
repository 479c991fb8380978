// Messages of head commits that keep checks from starting.
import { expect, test } from 'vitest';
import { isHeld, withHold, withoutHold } from '../../../../src/app/engineer/delivery/held-checks.ts';

const trailers = 'Issue: #2\nEchelon-Op: abc\n';

test.each([
  [`Add a mark\n\n${trailers}`, `Add a mark\n\n\n${trailers}skip-checks: true\n`],
  ['Take up what #3 has become', 'Take up what #3 has become\n\n\nskip-checks: true\n'],
  ['Fix: a colon\n\nIssue: #2\n', 'Fix: a colon\n\n\nIssue: #2\nskip-checks: true\n'],
])('%j', (message, held) => {
  expect(withHold(message)).toBe(held);
  expect([isHeld(held), isHeld(message)]).toEqual([true, false]);
  expect(withoutHold(held).trim()).toBe(message.trim());
  expect(withoutHold(message)).toBe(message);
});
