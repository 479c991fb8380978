// The questions of one reply: whom they go to, which are numbered, which are answered at once or dropped.
import { describe, expect, test } from 'vitest';
import type { Action } from '../../../src/app/cascade/issue-plan.ts';
import { answersPrompt, questionsIn } from '../../../src/app/cascade/questions.ts';
import type { QuestionView } from '../../../src/app/comments/view.ts';
import { runView, shown } from '../comments/view.ts';

const ask = (target: '2ic' | 'eng-lead' | 'team-lead' | 'ceo', question: string): Action => ({
  action: 'request_info',
  target,
  question,
});
const escalate = (n: number): Action => ({ action: 'escalate', reason: `R${n}`, decision_needed: `D${n}` });
const plan: Action = { action: 'update_plan', plan: 'p' };
const work: Action = { action: 'schedule' };
const times = (n: number, action: (n: number) => Action) =>
  Array.from({ length: n }, (_, at) => action(at + 1));

/** The run before: `open` questions were asked. */
const runWith = (open: number) => ({
  questions: Array.from(
    { length: open },
    (_, n): QuestionView => ({
      id: `Q${n + 1}`,
      from: 'the Strategist',
      text: 'before',
    }),
  ),
});

interface Case {
  actions: Action[];
  rounds?: number;
  open?: number;
  dryRun?: boolean;
  /** Target, number and text; `decide` where it was answered at once. */
  asked: string[];
  dropped?: string[];
}

const cases: Record<string, Case> = {
  'no action': { actions: [], asked: [] },
  'actions that ask nothing': { actions: [plan, work], asked: [] },
  'a question to the person': { actions: [ask('ceo', 'Blue?')], asked: ['ceo Q1 Blue?'] },
  'a decision': { actions: [escalate(1)], asked: ['ceo Q1 D1\n\nWhy: R1'] },
  'numbers go on over the run': {
    actions: [ask('ceo', 'Blue?'), escalate(1)],
    open: 3,
    asked: ['ceo Q4 Blue?', 'ceo Q5 D1\n\nWhy: R1'],
  },
  'a question to a layer has no number': { actions: [ask('2ic', 'Why?')], asked: ['2ic Why?'] },
  'in the order of the reply, among other actions': {
    actions: [plan, ask('2ic', 'Why?'), work, ask('ceo', 'Blue?'), ask('2ic', 'When?')],
    asked: ['2ic Why?', 'ceo Q1 Blue?', '2ic When?'],
  },
  'five to the person are asked, the others dropped': {
    actions: [...times(4, escalate), ...times(3, n => ask('ceo', `${n}?`))],
    asked: [1, 2, 3, 4].map(n => `ceo Q${n} D${n}\n\nWhy: R${n}`).concat('ceo Q5 1?'),
    dropped: ['2?', '3?'].map(
      text => `${text}: the Engineering lead may ask the person at most 5 questions in one reply`,
    ),
  },
  'those to layers do not count among the five': {
    actions: [...times(6, n => ask('2ic', `${n}?`)), ask('ceo', 'Blue?')],
    asked: [...[1, 2, 3, 4, 5, 6].map(n => `2ic ${n}?`), 'ceo Q1 Blue?'],
  },
  'the second round is asked': { actions: [ask('2ic', 'Why?')], rounds: 1, asked: ['2ic Why?'] },
  'the third round is answered at once, all of it': {
    actions: [ask('2ic', 'Why?'), ask('2ic', 'When?')],
    rounds: 2,
    asked: ['2ic Why? decide', '2ic When? decide'],
  },
  'the fourth round is dropped': {
    actions: [ask('2ic', 'Why?')],
    rounds: 3,
    asked: [],
    dropped: ['Why?: the Engineering lead was told to decide by itself'],
  },
  'the person is asked in every round': {
    actions: [ask('ceo', 'Blue?'), ask('2ic', 'Why?')],
    rounds: 9,
    asked: ['ceo Q1 Blue?'],
    dropped: ['Why?: the Engineering lead was told to decide by itself'],
  },
  'a dry run asks nobody and drops nothing': {
    actions: [ask('ceo', 'Blue?'), ask('2ic', 'Why?'), escalate(1)],
    rounds: 9,
    dryRun: true,
    asked: [],
  },
};

const textOf = (action: Action) => (action.action === 'request_info' ? action.question : action.action);

describe.for(Object.entries(cases))(
  '%s',
  ([, { actions, rounds = 0, open = 0, dryRun = false, ...want }]) => {
    const view = runView(runWith(open));
    const before = structuredClone(actions);
    const { asked, dropped } = questionsIn(
      { config: { dry_run: dryRun }, ...shown(view) },
      'eng-lead',
      actions,
      rounds,
    );

    test('what is asked, and what is dropped', () => {
      const rows = asked.map(({ target, question, text, answer }) =>
        [target, question?.id, text, answer?.includes('Decide by yourself') ? 'decide' : answer]
          .filter(part => part !== undefined)
          .join(' '),
      );
      expect(rows).toEqual(want.asked);
      expect(Array.from(dropped, ([action, reason]) => `${textOf(action)}: ${reason}`)).toEqual(
        want.dropped ?? [],
      );
    });

    test('the actions are as they were, and every question belongs to one of them', () => {
      expect(actions).toEqual(before);
      for (const { action } of asked) expect(actions).toContain(action);
      for (const action of dropped.keys()) expect(actions).toContain(action);
    });

    test('the run knows the questions to the person, and no others', () => {
      const own = asked.flatMap(({ question }) => question ?? []);
      expect(view.questions.slice(open)).toEqual(own);
      for (const { from } of own) expect(from).toBe('the Engineering lead');
    });
  },
);

test('an answer without words is told as one', () => {
  const asked = { action: ask('2ic', 'Why?'), text: 'Why?', target: '2ic' as const };
  expect(answersPrompt([{ ...asked, answer: '' }])).toContain(
    'Answer:\nNothing in words: decide by yourself.',
  );
});
