// Prompts of each role for one small story, compared with files in this folder, so that a change of a prompt is
// reviewed as text (`npx vitest run tests/prompts -u` writes them); and each worked example, parsed like a reply.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Action } from '../../src/app/cascade/issue-plan.ts';
import { draftsOf } from '../../src/app/cascade/drafts.ts';
import { untaken, parseReply as parseActions } from '../../src/app/cascade/parse-reply.ts';
import { criteriaOf } from '../../src/app/engineer/slots/criteria.ts';
import { type LayerId, layers } from '../../src/app/layers.ts';
import { type Output, tasksIn } from '../../src/engine/language/ast.ts';
import type { Reply } from '../../src/engine/language/envelope/parts.ts';
import { parseReply } from '../../src/engine/language/envelope/reply.ts';
import { createLibrary } from '../../src/engine/language/library.ts';
import { readTemplate } from '../../src/engine/language/program.ts';
import type { ModelRequest } from '../../src/engine/models/model.ts';
import { productTemplates } from '../../src/engine/runtime/commit-templates.ts';
import { readWritten } from '../../src/engine/tasks/written-program.ts';
import { present } from '../../packages/ground/lib/present.ts';
import { openingOf, rendered, tokensOf } from './rendered.ts';
import {
  candidatesRequests,
  engineerRequests,
  layersRequests,
  ownRequests,
  reviewAnswers,
  wanted,
} from './requests.ts';

/** By the task's name; those of a round on a pull request with `-at-review` behind it. */
const requests = new Map<string, ModelRequest>();
const requestOf = (task: string) => present(requests.get(task), task);
const { library } = createLibrary(productTemplates());

beforeAll(async () => {
  const keep = (asked: ReadonlyMap<string, ModelRequest>, behind = '') => {
    for (const [task, request] of asked) requests.set(task + behind, request);
  };
  keep(await layersRequests());
  keep(await engineerRequests({}, 'It counts.'));
  keep(await engineerRequests({ wanted }, reviewAnswers), '-at-review');
  keep(await candidatesRequests());
  keep(await ownRequests());
});

const roles = [
  ...['2ic', 'eng-lead', 'team-lead', 'reviewer', 'engineer.director', 'engineer.evaluator'],
  ...['engineer.director-at-review', 'engineer.evaluator-at-review', 'pick-candidate'],
  ...['associative_memory', 'matching', 'compile', 'reparse'],
];

test.each(roles)('%s is sent what its file has', async task => {
  await expect(rendered(requestOf(task))).toMatchFileSnapshot(`${task}.txt`);
});

/** A text of so many characters that stands twice is paid for twice. */
const LONG = 200;

// The forms of tools' inputs are left out: two tools that take the same say the same.
test.each(roles)('%s is sent no long text twice', task => {
  const { system, tools } = requestOf(task);
  const text = [textOf(task), system.changing, ...tools.map(({ description }) => description)].join('\n');
  const seen = new Set<string>();
  const twice = [...text.slice(LONG)].findIndex((_, at) => {
    const part = text.slice(at, at + LONG);
    return seen.size === seen.add(part).size;
  });
  expect(twice < 0 ? '' : text.slice(twice, twice + LONG)).toBe('');
});

/** Tokens of what a role is told in every call; those that write programs are told the language, too. */
const most: Readonly<Record<string, number>> = { compile: 1200, reparse: 1300 };

test.each(roles)('the prompt of %s is short', task => {
  expect(tokensOf(requestOf(task).system.stable)).toBeLessThanOrEqual(most[task] ?? 850);
});

const textOf = (task: string) => `${requestOf(task).system.stable}\n${openingOf(requestOf(task))}`;

/** The text between a fence of four backticks: a whole reply, in which three are nothing but text. */
const exampleOf = (task: string): string => {
  const found = [...textOf(task).matchAll(/^````\n([\s\S]*?)\n````$/gm)];
  expect(
    found.map(([, text]) => text),
    `examples in the prompt of ${task}`,
  ).toHaveLength(1);
  return present(found[0]?.[1], task);
};

/** Those of the engineering lead's example, which that of the team lead takes over. */
const draftsIn = (id: LayerId) => {
  const lead = present(
    layers.find(layer => layer.id === 'eng-lead'),
    'eng-lead',
  );
  const { list = [] } = parseActions(exampleOf('eng-lead'), lead).drafted ?? {};
  expect(list).toHaveLength(2);
  return draftsOf(id === 'team-lead' ? list : []);
};

test.each<[LayerId, Action['action'][]]>([
  ['2ic', ['update_plan']],
  ['eng-lead', []],
  ['team-lead', ['create_issues', 'schedule']],
])('of %s each action is read', (id, expected) => {
  const layer = present(
    layers.find(each => each.id === id),
    id,
  );
  const drafts = draftsIn(id);
  const parsed = parseActions(exampleOf(id), layer, drafts);
  const { actions, ignored, dropped } = parsed;
  expect(untaken(drafts, parsed)).toEqual([]);
  expect({ ignored, dropped, actions: actions.map(({ action }) => action) }).toEqual({
    ...{ ignored: [], dropped: [], actions: expected },
  });
  for (const action of actions)
    if (action.action === 'create_issues')
      for (const { body, paths, domain } of action.issues) {
        expect(body).toContain('\n- [ ] ');
        expect({ paths, domain }).toEqual({ paths: expect.any(Array), domain: expect.any(String) });
      }
});

test.each(layers)(
  'the prompt of $id shows how to write every action that it may use, and no other',
  layer => {
    const shown = requestOf(layer.id).system.stable.match(/\{"action":[^{}]*\}/g) ?? [];
    const block = `# Plan\nAll of it.\n\n\`\`\`json\n[${shown.join(',')}]\n\`\`\``;
    const { actions, ignored, dropped } = parseActions(block, layer);
    expect({ ignored, dropped }).toEqual({ ignored: [], dropped: [] });
    const names = [...actions, ...parseActions(exampleOf(layer.id), layer, draftsIn(layer.id)).actions].map(
      ({ action }) => action,
    );
    expect([...new Set(names)].sort()).toEqual([...layer.may].sort());
  },
);

/** The result that the example of `task` is read as, by what the product's template declares. */
function resultOf(task: string, template: string, name = task.replace('-at-review', '')): Reply {
  const { program } = readTemplate(library.get(template), library);
  const found = [...tasksIn(present(program, template))].find(each => each.name === name);
  const outputs: readonly Output[] = found?.type === 'atomic' ? found.outputs : [];
  const reply = parseReply(exampleOf(task), outputs);
  expect({ status: reply.status, warnings: reply.warnings }).toEqual({ status: 'COMPLETE', warnings: [] });
  return reply;
}

describe('a result', () => {
  test('of the reviewer: its words, and comments on lines', () => {
    const { content, outputs } = resultOf('reviewer', 'reviewer');
    expect(content).not.toBe('');
    expect(outputs['comments']).toHaveLength(1);
  });

  test('of the engineer: a report in words', () => {
    expect(resultOf('engineer.director', 'implement-issue').content).not.toBe('');
  });

  test('of the engineer at a pull request: its words, and an answer to each thread', () => {
    const { content, outputs } = resultOf('engineer.director-at-review', 'follow-review');
    expect(content).not.toBe('');
    expect(outputs['answers']).toEqual([{ thread: 'T1', done: true, answer: expect.any(String) }]);
  });

  test('of the evaluator: a verdict with what it says of each criterion', () => {
    const { outputs } = resultOf('engineer.evaluator', 'implement-issue');
    expect(outputs).toMatchObject({ success: false, feedback: expect.any(String), missing: null });
    expect(criteriaOf(outputs['criteria'], '- [ ] a\n- [ ] b')?.map(({ met }) => met)).toEqual([true, false]);
  });

  test('of the evaluator at a pull request: a verdict', () => {
    expect(resultOf('engineer.evaluator-at-review', 'follow-review').outputs).toMatchObject({
      ...{ success: false, feedback: expect.any(String), missing: null },
    });
  });

  test('of whoever chooses between candidates: a number, and why', () => {
    expect(resultOf('pick-candidate', 'pick-candidate').outputs).toEqual({
      best: 2,
      why: expect.any(String),
    });
  });

  test.each([
    [
      'associative_memory',
      { path: expect.any(String), relevance: expect.any(Number), why: expect.any(String) },
    ],
    ['matching', { name: expect.any(String), score: expect.any(Number) }],
  ])('of %s: a list of matches', (task, match) => {
    expect(resultOf(task, task).outputs['matches']).toContainEqual(match);
  });
});

test.each(['compile', 'reparse'])('of %s: a program without problems, or warnings', task => {
  const { program, problems } = readWritten(exampleOf(task), 'example.xml', library);
  expect({ problems, type: program?.type }).toEqual({ problems: [], type: 'sequential' });
});

test('all examples are of one repository, in which these files are', () => {
  const paths = roles.flatMap(task => exampleOf(task).match(/[\w-]+\/[\w./-]+\.\w+/g) ?? []);
  expect([...new Set(paths)].sort()).toEqual(['docs/loans.md', 'src/loans.js', 'tests/loans.test.js']);
});
