// Admission: issues that start, wait for another, or never start.
import fc from '../../properties.ts';
import { endStates } from '../../../src/app/comments/view.ts';
import { describe, expect, test } from 'vitest';
import { admit, widest } from '../../../src/app/scheduler/admit.ts';
import { standsOn } from '../../../src/app/scheduler/dependencies.ts';
import { type ScheduledIssue, type SlotState, activeStates } from '../../../src/app/scheduler/slots.ts';
import { conflictOf, type Domain, type Overlap } from '../../../src/app/scheduler/domains.ts';
import { cpuNow } from '../../cpu-time.ts';

const domains = [
  'backend',
  'frontend',
  'database',
  'infrastructure',
  'security',
  'tests',
  'docs',
  'unknown',
] as const;

const issue = (number: number, domain: Domain, more: Partial<ScheduledIssue> = {}): ScheduledIssue => ({
  number,
  domain,
  paths: [],
  dependsOn: [],
  state: 'pending',
  ...more,
});
const docs = (number: number, path: string, state: SlotState = 'pending') =>
  issue(number, 'docs', { paths: [path], state });
const five = [1, 2, 3, 4, 5].map(number => issue(number, 'backend', { paths: ['src/lib.rs'] }));
const starts = (issues: ScheduledIssue[], maxParallel = 3) => admit(issues, maxParallel, 'serial').start;

describe('admit', () => {
  test.each<[string, ScheduledIssue[], number[]]>([
    ['nothing', [], []],
    [
      'compatible domains',
      [issue(1, 'backend'), issue(2, 'frontend'), issue(3, 'docs'), issue(4, 'tests')],
      [1, 2, 3],
    ],
    [
      'the head does not block',
      [issue(1, 'backend', { state: 'running' }), issue(2, 'backend'), issue(3, 'docs')],
      [3],
    ],
    ['one domain, apart by paths', [docs(1, 'a/**'), docs(2, 'b/**')], [1, 2]],
    ['one domain, paths meet', [docs(1, 'a/**'), docs(2, 'a/b')], [1]],
    [
      'exclusive work that unlocks goes first',
      [issue(1, 'docs'), issue(2, 'database'), issue(3, 'docs', { dependsOn: [2] })],
      [2],
    ],
    ['exclusive work that unlocks nothing goes last', [issue(1, 'database'), issue(2, 'docs')], [2]],
    ['exclusive work runs when alone', [issue(1, 'database'), issue(2, 'docs', { state: 'done' })], [1]],
    [
      'it is waited for where its chain is twice as long as any other',
      [
        issue(1, 'docs', { state: 'running' }),
        issue(2, 'database'),
        issue(3, 'tests', { dependsOn: [2], paths: ['a/**'] }),
        issue(4, 'tests', { paths: ['b/**'] }),
      ],
      [],
    ],
    [
      'it is not waited for where another chain is nearly as long',
      [
        issue(1, 'docs', { state: 'running' }),
        issue(2, 'database', { estimateMinutes: 10 }),
        issue(3, 'tests', { dependsOn: [2], estimateMinutes: 10 }),
        issue(4, 'tests', { estimateMinutes: 15 }),
      ],
      [4],
    ],
    [
      'the longest goes first',
      [issue(1, 'backend', { estimateMinutes: 5 }), issue(2, 'backend', { estimateMinutes: 50 })],
      [2],
    ],
    [
      'a chain is as long as all in it, its first included',
      [
        issue(1, 'backend', { estimateMinutes: 10 }),
        issue(2, 'backend', { dependsOn: [1], estimateMinutes: 20 }),
        issue(3, 'backend', { estimateMinutes: 40 }),
      ],
      [3],
    ],
    ['merging still counts', [issue(1, 'backend', { state: 'merging' }), issue(2, 'backend')], []],
    [
      'the longest chain first',
      [issue(1, 'backend'), issue(2, 'backend'), issue(3, 'docs', { dependsOn: [2] })],
      [2],
    ],
    [
      'by estimates',
      [
        issue(1, 'backend'),
        issue(2, 'docs', { dependsOn: [1], estimateMinutes: 5 }),
        issue(3, 'backend'),
        issue(4, 'tests', { dependsOn: [3], estimateMinutes: 50 }),
      ],
      [3],
    ],
    [
      'dependency delivered',
      [issue(1, 'docs', { state: 'done' }), issue(2, 'tests', { dependsOn: [1] })],
      [2],
    ],
    [
      'dependency running',
      [issue(1, 'docs', { state: 'running' }), issue(2, 'tests', { dependsOn: [1] })],
      [],
    ],
  ])('%s', (_name, issues, expected) => expect(starts(issues)).toEqual(expected));

  test.each<[string, ScheduledIssue[], number[], number]>([
    ['paths that meet', five, [1, 2, 3], 3],
    [
      'what meets no active work first',
      [docs(1, 'a', 'running'), docs(2, 'a'), docs(3, 'a'), docs(4, 'b')],
      [4, 2],
      3,
    ],
    ['exclusive work runs alone', [issue(1, 'database'), issue(2, 'docs', { dependsOn: [1] })], [1], 1],
  ])('side by side: %s', (_name, issues, expected, most) => {
    expect(admit(issues, 3, 'parallel').start).toEqual(expected);
    expect(widest(issues, 3, 'parallel')).toBe(most);
    expect(widest(five, 3, 'serial')).toBe(1);
  });
  test('slots are a limit', () => {
    const issues = [issue(1, 'backend', { state: 'stuck' }), issue(2, 'frontend'), issue(3, 'docs')];
    expect(starts(issues, 1)).toEqual([]);
    expect(starts(issues, 2)).toEqual([2]);
  });
  test.each(['failed', 'blocked', 'skipped', 'cancelled'] as const)(
    'a dependency that ended as %s blocks',
    state => {
      const { start, blocked } = admit(
        [
          issue(1, 'docs', { state }),
          issue(2, 'docs', { dependsOn: [1] }),
          issue(3, 'tests', { dependsOn: [2] }),
        ],
        3,
        'serial',
      );
      expect(start).toEqual([]);
      expect(blocked).toEqual([
        {
          number: 2,
          reason: expect.stringMatching(
            /^#1, on which it depends, (failed|is blocked|was skipped|was cancelled)$/,
          ),
        },
        { number: 3, reason: '#2, on which it depends, is blocked' },
      ]);
    },
  );
  test('unknown dependencies and circles block', () => {
    const { blocked, start } = admit(
      [
        issue(1, 'docs', { dependsOn: [99] }),
        issue(2, 'docs', { dependsOn: [3] }),
        issue(3, 'docs', { dependsOn: [2] }),
        issue(4, 'docs', { dependsOn: [4] }),
        issue(5, 'tests'),
      ],
      3,
      'serial',
    );
    expect(blocked.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(blocked[1]?.reason).toBe('its dependencies lead in a circle');
    expect(start).toEqual([5]);
  });
  test('reasons name whom it waits for', () => {
    const { waiting } = admit(
      [
        issue(1, 'backend', { state: 'running' }),
        issue(2, 'security'),
        issue(3, 'docs', { dependsOn: [1, 2] }),
        issue(4, 'backend'),
      ],
      3,
      'serial',
    );
    expect(waiting).toEqual([
      { number: 2, reason: 'waits for #1: security work does not run beside backend work' },
      { number: 3, reason: 'waits for #1, #2, on which it depends' },
      { number: 4, reason: 'waits for #1: both are backend work and not both name the paths they touch' },
    ]);
  });

  const overlaps = fc.constantFrom<Overlap>('parallel', 'serial');
  const issues = fc
    .array(
      fc.record({
        domain: fc.constantFrom(...domains),
        state: fc.constantFrom(
          ...activeStates,
          ...(endStates as readonly SlotState[]),
          'pending' as const,
          'pending' as const,
        ),
        paths: fc.array(fc.constantFrom('a/**', 'b/**', 'a/x', 'c'), { maxLength: 2 }),
        dependsOn: fc.array(fc.integer({ min: 1, max: 14 }), { maxLength: 2 }),
        estimateMinutes: fc.option(fc.double({ noNaN: false }), { nil: undefined }),
      }),
      { maxLength: 12 },
    )
    .map(all => all.map((one, at) => ({ ...one, number: at + 1 })));

  test('property: every pending issue is in one list; what starts fits', () => {
    fc.assert(
      fc.property(issues, fc.integer({ min: 1, max: 5 }), overlaps, (all, maxParallel, overlap) => {
        const { start, waiting, blocked } = admit(all, maxParallel, overlap);
        const named = [...start, ...waiting.map(one => one.number), ...blocked.map(one => one.number)];
        expect(named.toSorted((a, b) => a - b)).toEqual(
          all.filter(one => one.state === 'pending').map(one => one.number),
        );
        const started = all.filter(one => start.includes(one.number));
        const active = all.filter(one => activeStates.has(one.state));
        expect(started.length === 0 || started.length + active.length <= maxParallel).toBe(true);
        for (const one of started) {
          for (const other of [...active, ...started])
            if (other !== one) expect(conflictOf(one, other, overlap)).toBeUndefined();
          for (const number of one.dependsOn) expect(all[number - 1]?.state).toBe('done');
        }
      }),
      { numRuns: 500 },
    );
  });
  test('property: a batch comes to its end', () => {
    fc.assert(
      fc.property(issues, fc.integer({ min: 1, max: 4 }), overlaps, (all, maxParallel, overlap) => {
        const states = all.map(one => ({ ...one }));
        for (let round = 0; round <= states.length; round += 1) {
          for (const one of states) if (activeStates.has(one.state)) one.state = 'done';
          for (const number of admit(states, maxParallel, overlap).start)
            states[number - 1]!.state = 'running';
        }
        const { waiting, start } = admit(states, maxParallel, overlap);
        expect({ waiting, start }).toEqual({ waiting: [], start: [] });
      }),
    );
  });
  test('10,000 issues are decided in well under a second', () => {
    const many = Array.from({ length: 10_000 }, (_, at) =>
      issue(at + 1, domains[at % 8]!, {
        paths: [`src/${at % 100}/**/*.ts`, `lib/{a,b}/${at}.ts`],
        dependsOn: at % 3 === 0 && at > 30 ? [at - 7, at - 20] : [],
        state: at % 5 === 0 ? 'done' : 'pending',
      }),
    );
    for (let at = 1; at < 11; at += 1) many[at * 16]!.state = 'running';
    admit(many, 20, 'parallel');
    const started = cpuNow();
    admit(many, 20, 'parallel');
    const spent = cpuNow() - started;
    expect(spent).toBeLessThan(1_000);
  });
});

describe('standsOn', () => {
  const done = { state: 'done' } as const;
  test.each<[string, ScheduledIssue, ScheduledIssue[], number[]]>([
    ['nothing', issue(9, 'docs'), [issue(1, 'backend', done), issue(2, 'docs')], []],
    ['a dependency', issue(9, 'docs', { dependsOn: [1] }), [issue(1, 'backend', done)], [1]],
    [
      'what it could not run beside',
      issue(9, 'docs'),
      [issue(1, 'docs', done), issue(2, 'database', done), issue(3, 'docs')],
      [1, 2],
    ],
    ['not what failed', issue(9, 'docs'), [issue(1, 'docs', { state: 'failed' })], []],
    [
      'only the last of a chain',
      issue(9, 'docs'),
      [issue(1, 'docs', done), issue(2, 'docs', { ...done, standsOn: [1] })],
      [2],
    ],
    [
      'the last by dependency',
      issue(9, 'docs', { dependsOn: [1, 2] }),
      [issue(1, 'tests', done), issue(2, 'backend', { ...done, dependsOn: [1] })],
      [2],
    ],
    ['apart by paths', issue(9, 'docs', { paths: ['a'] }), [issue(1, 'docs', { ...done, paths: ['b'] })], []],
    ['not itself', issue(9, 'docs', done), [issue(9, 'docs', done)], []],
  ])('%s', (_name, one, all, expected) => expect(standsOn(one, all, 'serial')).toEqual(expected));
  test('side by side: a dependency alone, whatever else may touch its files', () => {
    const all = [issue(1, 'docs', done), issue(2, 'database', done), issue(3, 'docs', done)];
    expect(standsOn(issue(9, 'docs', { dependsOn: [3] }), all, 'parallel')).toEqual([3]);
  });
});
