// Calls that a budget permits or refuses, and its reports of spending.
import { expect, test } from 'vitest';
import { type Budget, failureClass, type Spending } from '../../../src/engine/models/budget.ts';
import { guarded } from '../../../src/engine/models/guarded-model.ts';
import { type Model, ModelFailure } from '../../../src/engine/models/model.ts';
import { testClock } from '../../ground/lib/clocks.ts';
import { reply, request } from './request.ts';

const within = (model: Model, budget: Budget) => guarded(model, { clock: testClock() }).within(budget);
const costing = (cost_usd: number): Model => ({
  provider: 'test',
  models: { tiny: { window: 10 } },
  call: async () => reply({ cost_usd }),
});

test.each<[most: number, before: number, calls: number]>([
  [0, 0, 0],
  [1, 0, 1],
  [1.5, 0, 2],
  [5, 0, 5],
  [5, 4.5, 1],
  [5, 5, 0],
])('of $%d, $%d spent before: %i calls at $1', async (most, cost_usd, calls) => {
  const model = within(costing(1), { most, before: { cost_usd, model_calls: 3 } });
  let made = 0;
  const failure = await (async () => {
    for (; made < 10; made++) await model.call(request());
  })().catch((error: unknown) => error);
  expect(made).toBe(calls);
  expect(failure).toMatchObject({
    class: 'quota',
    message: `the budget of $${most} is used up ($${(cost_usd + calls).toFixed(2)})`,
  });
});

test('calls that are under way when it ends are paid for; each sum is told before its reply is given', async () => {
  const sums: Spending[] = [];
  const model = within(costing(2), { most: 1, name: 'my share', onSpent: sum => void sums.push(sum) });
  await Promise.all([model.call(request()), model.call(request())]);
  expect(sums).toEqual([
    { cost_usd: 2, model_calls: 1 },
    { cost_usd: 4, model_calls: 2 },
  ]);
  await expect(model.call(request())).rejects.toThrow('my share of $1 is used up ($4.00)');
  expect(model.models).toEqual({ tiny: { window: 10 } });
});

test('the failure ends with the remedy of whoever gave the budget', async () => {
  const model = within(costing(2), { most: 0, remedy: 'give more with --budget' });
  await expect(model.call(request())).rejects.toThrow(
    'the budget of $0 is used up ($0.00); give more with --budget',
  );
});

test('a sum that cannot be written down fails the call', async () => {
  const onSpent = () => Promise.reject(new Error('the disk is full'));
  await expect(within(costing(1), { most: 5, onSpent }).call(request())).rejects.toThrow('the disk is full');
});

test('a budget that is used up is told from a provider that wants money', async () => {
  const spent = await within(costing(1), { most: 0 })
    .call(request())
    .catch((error: unknown) => error);
  expect(spent).toBeInstanceOf(ModelFailure);
  expect(failureClass(spent as ModelFailure)).toBe('budget');
  expect(failureClass(new ModelFailure('quota', 'no credit'))).toBe('quota');
});

test('what a try was billed that broke off counts for the budget, and in the reply that follows', async () => {
  const breaking = (times: number): Model => {
    let tries = 0;
    return {
      provider: 'test',
      async call({ onLost }) {
        if (tries++ >= times) return reply({ cost_usd: 1 });
        onLost?.(0.6);
        throw new ModelFailure('timeout', 'it broke off');
      },
    };
  };
  const sums: number[] = [];
  const onSpent = ({ cost_usd }: Spending) => void sums.push(cost_usd);
  expect(await within(breaking(1), { most: 5, onSpent }).call(request())).toMatchObject({ cost_usd: 1.6 });
  expect(sums).toEqual([0.6, 1.6]);
  await expect(within(breaking(9), { most: 1 }).call(request())).rejects.toThrow('is used up ($1.20)');
});
