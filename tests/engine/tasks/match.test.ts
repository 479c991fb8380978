// Finding the tasks of the library that fit a request: by a model, by words, and what is never found.
import { describe, expect, test } from 'vitest';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { nothingSpent, TaskError, type TaskResult } from '../../../src/engine/language/result.ts';
import type { Json } from '../../../packages/ground/lib/json.ts';
import { ModelFailure } from '../../../src/engine/models/model.ts';
import type { Ask } from '../../../src/engine/tasks/ask.ts';
import { findMatchingTasks } from '../../../src/engine/tasks/match.ts';
import { parsed } from './surroundings.ts';

const verdict =
  '<output name="success" type="boolean"/><output name="feedback" type="string" nullable="true"/>';
const { library } = createLibrary(
  [
    '<task name="summarise"><description>Summarises a changelog for readers</description></task>',
    `<task name="security" subtype="evaluator"><description>Judges the security of a change</description>${verdict}</task>`,
    '<task type="function" name="translate"><description>Translates a text</description><parameters><parameter name="p"/></parameters><body><task><description>{{p}}</description></task></body></task>',
    '<task type="sequential" name="review"><description>Reviews a change</description><steps><task><description>volcano inside</description></task></steps></task>',
    '<task name="twin-a"><description>Counts whales</description></task>',
    '<task name="twin-b"><description>Counts whales</description></task>',
    '<task name="broken"><descripton>Counts whales and everything</descripton></task>',
    '<task name="matching" subtype="matching"><inputs><input name="request"/><input name="tasks"/></inputs><description>{{request}}{{tasks}}</description><output name="matches" type="json"/></task>',
    '<task name="compile" subtype="compile"><description>Compiles whales</description></task>',
  ].map((text, n) => ({ file: `${n}.xml`, text })),
);

const names = ({ matches }: Awaited<ReturnType<typeof findMatchingTasks>>) =>
  matches.map(({ template }) => template.name);

const answered = (matches: Json, content = ''): TaskResult => ({
  status: 'COMPLETE',
  content,
  outputs: matches === null ? {} : { matches },
  notes: { dataUsage: { ...nothingSpent, cost_usd: 0.5 }, warnings: [] },
});

describe('by words', () => {
  test.each([
    ['a summary of the changelog', ['summarise']],
    ['judge the security', ['security']],
    ['translate', ['translate']],
    ['count whales', ['twin-a', 'twin-b']],
    ['volcano', []],
    ['nothing of the kind xyzzy', []],
    ['', []],
  ])('%s', async (request, expected) => {
    expect(names(await findMatchingTasks(request, { library }))).toEqual(expected);
  });

  test('of a task only the node itself counts', async () => {
    const node = parsed(
      `<task type="sequential"><description>changelog</description><steps><task name="whales"><description>Counts whales</description></task></steps></task>`,
    );
    expect(names(await findMatchingTasks(node, { library }))).toEqual(['summarise']);
  });

  test('its name, its instructions and placeholders are its words', async () => {
    const node = parsed(
      '<task name="whales"><inputs><input name="changelog"/></inputs><instructions>{{changelog}}</instructions></task>',
    );
    expect(names(await findMatchingTasks(node, { library })).sort()).toEqual([
      'summarise',
      'twin-a',
      'twin-b',
    ]);
  });

  test('scores are in 0..1, types are those of the templates', async () => {
    const { matches, spent } = await findMatchingTasks('judges the security of a change', { library });
    expect(matches[0]).toMatchObject({ score: 1, taskType: 'atomic' });
    expect(matches.every(({ score }) => score > 0 && score <= 1)).toBe(true);
    expect(spent).toEqual(nothingSpent);
  });

  test.each([
    [1, 1],
    [0, 0],
    [-1, 0],
    [99, 5],
  ])('at most %i gives %i', async (most, expected) => {
    const { library: many } = createLibrary(
      Array.from({ length: 8 }, (_, n) => ({
        file: `${n}`,
        text: `<task name="w${n}"><description>whale</description></task>`,
      })),
    );
    const found = await findMatchingTasks('whale', { library: many }, most);
    expect(names(found)).toEqual(['w0', 'w1', 'w2', 'w3', 'w4'].slice(0, expected));
  });
});

describe('by a model', () => {
  const asking = (result: TaskResult | Error) => {
    const asked: Parameters<Ask>[] = [];
    const ask: Ask = async (...request) => {
      asked.push(request);
      if (result instanceof Error) throw result;
      return result;
    };
    return { ask, asked };
  };

  test('it sees what can be asked for, and its order and scores count', async () => {
    const { ask, asked } = asking(
      answered([
        { name: 'summarise', score: 0.3 },
        { name: 'translate', score: 0.9 },
      ]),
    );
    const found = await findMatchingTasks('zzz', { library, ask });
    expect(found.matches.map(({ template, score, taskType }) => [template.name, score, taskType])).toEqual([
      ['translate', 0.9, 'function'],
      ['summarise', 0.3, 'atomic'],
    ]);
    expect(found.spent.cost_usd).toBe(0.5);
    const [name, inputs, part] = asked[0]!;
    expect([name, part, inputs['request']]).toEqual(['matching', 'matching', 'zzz']);
    expect((inputs['tasks'] as { name: string }[]).map(each => each.name)).toEqual([
      'summarise',
      'security',
      'translate',
      'review',
      'twin-a',
      'twin-b',
    ]);
  });

  test('unknown names are dropped, scores brought within bounds, equal ones in the order of the library', async () => {
    const { ask } = asking(
      answered([
        { name: 'twin-b', score: 7 },
        { name: 'twin-a', score: 1 },
        { name: 'twin-a', score: 0.1 },
        { name: 'volcano', score: 1 },
        { name: 'compile', score: 1 },
        { name: 'review', score: -3 },
        { name: 'security', score: 'high' },
        'summarise',
        { name: 'summarise', score: 0.4 },
      ]),
    );
    const { matches } = await findMatchingTasks('zzz', { library, ask });
    expect(matches.map(({ template, score }) => [template.name, score])).toEqual([
      ['twin-a', 1],
      ['twin-b', 1],
      ['summarise', 0.4],
    ]);
  });

  test('only among those that are wanted; an empty list is an answer', async () => {
    const { ask } = asking(answered([{ name: 'summarise', score: 1 }]));
    const among = ({ program }: { program: { type: string } }) => program.type === 'function';
    expect(names(await findMatchingTasks('changelog', { library, ask, among }))).toEqual([]);
  });

  test('a list without an envelope is one', async () => {
    const { ask } = asking(answered(null, 'So:\n```json\n[{"name": "review", "score": 0.5}]\n```'));
    expect(names(await findMatchingTasks('zzz', { library, ask }))).toEqual(['review']);
  });

  const failed = (code: 'INVALID_OUTPUT' | 'TASK_FAILURE', cause?: unknown) =>
    new TaskError(
      code === 'INVALID_OUTPUT' ? { code, violations: [] } : { code, reason: 'model_failure' },
      'no',
      { cause, notes: { dataUsage: { ...nothingSpent, cost_usd: 0.125 } } },
    );
  test.each([
    ['the model fails', failed('TASK_FAILURE', new ModelFailure('crash', 'none'))],
    ['an invalid output', failed('INVALID_OUTPUT')],
    ['no list', answered({ a: 1 })],
    ['no list in words', answered(null, 'I do not know [yet]')],
  ])('full text answers: %s', async (_name, result) => {
    const { ask } = asking(result);
    const found = await findMatchingTasks('the changelog', { library, ask });
    expect(names(found)).toEqual(['summarise']);
    expect(found.spent.cost_usd).toBe(result instanceof TaskError ? 0.125 : 0.5);
  });

  test('what is no failure of a task comes through', async () => {
    const { ask } = asking(new Error('cancelled'));
    await expect(findMatchingTasks('x', { library, ask })).rejects.toThrow('cancelled');
  });
});
