// Evaluation of GitHub's answers: remaining calls, polling interval, obstacles.
import { describe, expect, test } from 'vitest';
import { githubLimits } from '../../../src/doors/app/github-limits.ts';
import type { Clock } from '../../../packages/ground/lib/clock.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
function limitsAt() {
  let now = start;
  const clock: Clock = { now: () => now, sleep: async () => {} };
  return { limits: githubLimits(clock), pass: (ms: number) => (now += ms), now: () => now };
}
const headers = (remaining: number, { limit = 5000, in: seconds = 1800, resource = 'core' } = {}) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(start / 1000 + seconds),
  'x-ratelimit-resource': resource,
});

describe('the pace of looking', () => {
  test.each([
    { left: [], seconds: 30 },
    { left: [headers(5000)], seconds: 30 },
    { left: [headers(2501)], seconds: 30 },
    { left: [headers(2500)], seconds: 300 },
    { left: [headers(1251)], seconds: 300 },
    { left: [headers(1250)], seconds: 1800 },
    { left: [headers(0, { in: 10 })], seconds: 30 },
    { left: [headers(400, { limit: 1000 })], seconds: 300 },
    { left: [headers(5000), headers(0, { resource: 'graphql' })], seconds: 1800 },
    { left: [headers(0, { in: -1 })], seconds: 30 },
  ])('$left: $seconds s', ({ left, seconds }) => {
    const { limits, now } = limitsAt();
    for (const each of left) limits.note(1, each);
    expect(limits.pace(now())).toBe(seconds * 1000);
  });
});

test('of several installations the one with the fewest calls counts, until its limit begins anew', () => {
  const { limits, now, pass } = limitsAt();
  limits.note(1, headers(4000));
  limits.note(2, headers(10, { in: 60 }));
  limits.note(2, headers(20, { resource: 'graphql' }));
  limits.note(3, { 'x-ratelimit-remaining': 'many', 'x-ratelimit-resource': 'core' });
  expect([...limits.callsLeft(now())]).toEqual([
    ['core', 10],
    ['graphql', 20],
  ]);
  pass(60_000);
  expect([...limits.callsLeft(now())]).toEqual([
    ['core', 4000],
    ['graphql', 20],
  ]);
});

describe('what stands in the way of all work', () => {
  test('is a GitHub that does not answer, or does not take the App, until it does', () => {
    const { limits } = limitsAt();
    expect(limits.waitsFor()).toBeUndefined();
    limits.answered(new Error('connect ECONNREFUSED'));
    expect(limits.waitsFor()).toBe('GitHub does not answer');
    limits.answered(Object.assign(new Error('no'), { status: 502 }));
    expect(limits.waitsFor()).toBe('GitHub does not answer');
    limits.answered(Object.assign(new Error('no'), { status: 401 }));
    expect(limits.waitsFor()).toBe('GitHub refuses the App with 401: look at its id and key');
    limits.answered();
    expect(limits.waitsFor()).toBeUndefined();
  });

  test('is a limit that every installation waits for, and until when the first one does', () => {
    const { limits, pass } = limitsAt();
    limits.waitOf(1).extend(start + 60_000);
    limits.waitOf(2);
    expect(limits.waitsFor()).toBeUndefined();
    limits.waitOf(2).extend(start + 90_000);
    expect(limits.waitsFor()).toBe('GitHub asks to wait until 2026-01-01T00:01:00.000Z');
    pass(60_000);
    expect(limits.waitsFor()).toBeUndefined();
  });
});
