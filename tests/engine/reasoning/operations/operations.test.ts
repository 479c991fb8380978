// The same operations as tags and as calls come to the same.
import { describe, expect, test } from 'vitest';
import type { Operation, OperationProblem } from '../../../../src/engine/reasoning/operation.ts';
import { apply } from '../../../../src/engine/reasoning/operations/apply.ts';
import { readCall, readReply } from '../../../../src/engine/reasoning/operations/read-operations.ts';
import { emptyStores, type Stores } from '../../../../src/engine/reasoning/stores.ts';
import { asTag } from './as-tag.ts';
import { type Case, cases } from './cases.ts';

type Read = (name: string, input: unknown) => Operation | OperationProblem;

const asCall: Read = (name, input) => readCall(name, input, ['read_file']);

const asWritten: Read = (name, input) => {
  const { items } = readReply(`I go on.\n${asTag(name, input)}\nThat was it.`);
  expect(items).toHaveLength(1);
  const [item] = items;
  if (!item) throw new Error('nothing was read');
  if ('problem' in item) {
    expect(item.problem.line).toBeGreaterThan(1);
    return item.problem;
  }
  expect(item.at).toEqual({ line: 2, column: 1 });
  return item.operation;
};

const LAST_RESULT = '{"a":1}';

function play(steps: Case[1], read: Read) {
  let stores: Stores = emptyStores;
  const results = steps.map(([name, input], index): string | Operation => {
    const operation = read(name, input);
    if ('message' in operation) return `! ${operation.message}`;
    switch (operation.kind) {
      case 'vault':
      case 'memory':
      case 'task':
      case 'goal': {
        const before = structuredClone(stores);
        const applied = apply(stores, operation, index + 1, { lastResult: LAST_RESULT });
        expect(stores).toEqual(before);
        if ('error' in applied) return `! ${applied.error}`;
        stores = applied.stores;
        return applied.answer;
      }
      default:
        return operation;
    }
  });
  return { results, stores };
}

/** The stores in the words of the cases. */
function lines({ vault, memory, tasks, goals }: Stores): string[] {
  const dates = (entry: { createdAt: number; updatedAt: number }) => `@${entry.createdAt}-${entry.updatedAt}`;
  const entry = (kind: string, each: Stores['goals'][number] | Stores['tasks'][number]) =>
    `${kind} ${each.identifier} ${each.status} ${each.heading}: ${each.content} (${each.notes}) ${dates(each)}`;
  return [
    ...vault.map(each => {
      const content = each.content.length > 1_000 ? `${each.content.length} characters` : each.content;
      return `vault ${each.id} ${each.type} (${each.description}) ${content} ${dates(each)}`;
    }),
    ...memory.map(each => {
      const weight = each.important ? 'important' : 'unimportant';
      return `memory ${each.identifier} ${weight} ${each.heading}: ${each.content} (${each.notes}) ${dates(each)}`;
    }),
    ...tasks.map(each => entry('task', each)),
    ...goals.map(each => entry('goal', each)),
  ];
}

for (const [group, rows] of cases)
  describe(group, () => {
    for (const [form, read] of [
      ['calls', asCall],
      ['tags', asWritten],
    ] as const)
      test.each(rows)(`${form}: %s`, (_name, steps, stores = []) => {
        const played = play(steps, read);
        for (const [index, [, , expected]] of steps.entries()) {
          const result = played.results[index];
          if (typeof expected === 'string' && expected.startsWith('!~ ')) {
            expect(result).toMatch(/^! /);
            expect(result).toContain(expected.slice(3));
          } else expect(result).toEqual(expected);
        }
        expect(lines(played.stores)).toEqual(stores);
      });
  });

test('there are rows enough, each with a name of its own', () => {
  const names = cases.flatMap(([group, rows]) => rows.map(([name]) => `${group}: ${name}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(90);
});
