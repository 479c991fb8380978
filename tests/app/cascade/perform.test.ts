// Before anything is performed: in which order issues are created, and which of them a schedule means.
import fc from '../../properties.ts';
import { describe, expect, test } from 'vitest';
import { type IssuePlan, dependencyProblem, inDependencyOrder } from '../../../src/app/cascade/issue-plan.ts';
import { scheduled } from '../../../src/app/cascade/places.ts';
import type { TrackedIssue } from '../../../src/app/scheduler/slots.ts';

const plans = (...needs: (number | string)[][]): IssuePlan[] =>
  needs.map((depends_on, index) => ({
    title: `Issue ${index + 1}`,
    body: 'b',
    ...(depends_on.length > 0 && { depends_on }),
  }));

describe('the order of creation', () => {
  /** Dependencies of each issue (places from 1, or existing issues), and the expected order of places (from 0). */
  test.for<[name: string, needs: (number | string)[][], order: number[]]>([
    ['of no issue', [], []],
    ['of one', [[]], [0]],
    ['the order of the list', [[], [], []], [0, 1, 2]],
    ['what comes before anyway', [[], [1], [2]], [0, 1, 2]],
    ['what comes after', [[2], []], [1, 0]],
    ['a chain, backwards', [[2], [3], []], [2, 1, 0]],
    ['two that need one: it is created once', [[3], [3], []], [2, 0, 1]],
    ['one that needs two: in the order in which it names them', [[3, 2], [], []], [2, 1, 0]],
    ['a diamond', [[2, 3], [4], [4], []], [3, 1, 2, 0]],
    ['issues that exist already count for nothing', [['#7'], ['#1', '#2']], [0, 1]],
    ['both kinds', [['#2', 3], [], ['#1']], [2, 0, 1]],
    ['the same one twice', [[2, 2], []], [1, 0]],
  ])('%s', ([, needs, order]) => {
    expect(inDependencyOrder(plans(...needs))).toEqual(order);
  });

  test('of any list without a cycle: each once, and after all it needs', () => {
    const size = 8;
    const shuffled = fc.shuffledSubarray([...Array(size).keys()], { minLength: size });
    const earlier = fc.array(fc.array(fc.nat(size - 1), { maxLength: 3 }), {
      minLength: size,
      maxLength: size,
    });
    fc.assert(
      fc.property(shuffled, earlier, (indexes, wanted) => {
        const needs: number[][] = [];
        // Each may need those that stand before it in the shuffled order.
        for (const [at, index] of indexes.entries())
          needs[index] = wanted[at]!.filter(each => each < at).map(each => indexes[each]! + 1);
        const given = plans(...needs);
        expect(dependencyProblem(given)).toBeUndefined();
        const order = inDependencyOrder(given);
        expect(order.toSorted((a, b) => a - b)).toEqual([...given.keys()]);
        for (const [at, index] of order.entries())
          for (const need of needs[index]!) expect(order.indexOf(need - 1)).toBeLessThan(at);
      }),
      { seed: 1 },
    );
  });
});

describe('what a schedule means', () => {
  const created = [
    { number: 12, labels: ['domain:docs'] },
    { number: 10, labels: ['domain:docs', 'late'] },
    { number: 11, labels: [] },
  ].map(
    ({ number, labels }): TrackedIssue => ({
      number,
      labels,
      title: `Issue ${number}`,
      body: 'b',
      domain: 'docs',
      dependsOn: [],
      paths: [],
      estimateMinutes: undefined,
      assignee: undefined,
    }),
  );
  const missing = (name: string) => `${name} was not created by this run, so it is not worked on`;

  test.for<[name: string, action: Parameters<typeof scheduled>[0], numbers: number[], problems: string[]]>([
    ['without fields: all, in the order of creation', {}, [10, 11, 12, 13], []],
    ['a label', { label: 'late' }, [10], []],
    ['a label of several', { label: 'domain:docs' }, [10, 12], []],
    ['a label in another case', { label: 'Late' }, [10], []],
    ['a label of none', { label: 'later' }, [], []],
    ['places', { issues: [3, 1] }, [11, 12], []],
    ['numbers', { issues: ['#10', '#12'] }, [10, 12], []],
    ['both', { issues: ['#10', 1] }, [10, 12], []],
    ['an empty list: none', { issues: [] }, [], []],
    ['a list goes before a label', { issues: ['#11'], label: 'late' }, [11], []],
    ['a place past the end', { issues: [6, 1] }, [12], [missing('no. 6')]],
    ['an issue of someone else', { issues: ['#1', '#11'] }, [11], [missing('#1')]],
    ['a number that only begins alike', { issues: ['#1'] }, [], [missing('#1')]],
    ['a place whose issue could not be created', { issues: [4, 5] }, [13], [missing('no. 4')]],
    ['nothing of it', { issues: ['#1', 9] }, [], [missing('#1'), missing('no. 9')]],
  ])('%s', ([, action, numbers, problems]) => {
    const last = { ...created[2]!, number: 13 };
    const chosen = scheduled(action, [...created, undefined, last], [...created, last]);
    expect(chosen.issues.map(({ number }) => number)).toEqual(numbers);
    expect(chosen.problems).toEqual(problems);
  });

  test('of a run that created nothing: nothing', () => {
    expect(scheduled({}, [], [])).toEqual({ issues: [], problems: [] });
    expect(scheduled({ issues: [1] }, [], []).problems).toEqual([missing('no. 1')]);
  });
});
