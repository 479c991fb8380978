// Stories that would take long to play: their pages are shown of views by the functions that the program calls.
import { expect, test } from 'vitest';
import { parseReply } from '../../src/app/cascade/parse-reply.ts';
import { actionDetails, listedIssues, actionSummary } from '../../src/app/cascade/action-details.ts';
import { baseTestsSection } from '../../src/app/comments/base-tests.ts';
import { board } from '../../src/app/comments/board.ts';
import { layerReplies, stoppedComment } from '../../src/app/comments/layer-reply.ts';
import { listingComments, listingGraph } from '../../src/app/comments/listing.ts';
import { questionComment } from '../../src/app/comments/question.ts';
import { runEndComment } from '../../src/app/comments/run-end.ts';
import { fold, waitForBudget, waitsForProvider } from '../../src/app/comments/fold.ts';
import type { Figures, LayerReply, Range, RunView } from '../../src/app/comments/view.ts';
import { layers } from '../../src/app/layers.ts';
import { block, issues, work } from '../dialogue/script.ts';
import { delivered, issueView, listingFacts, runView } from '../app/comments/view.ts';
import { page, type Said, says } from './page.ts';

const directive = {
  title: 'Let people export the catalogue',
  body: 'As CSV and as JSON, from the command line and from the page of the catalogue.',
};
const opened: Said = { by: 'you', text: directive.body };
const approves: Said = { by: 'you', text: '/approve' };
const estimate: Figures<Range> & { planning: number } = {
  planning: 0.06,
  usd: { low: 0.4, likely: 0.9, high: 2.1 },
  minutes: { low: 25, likely: 40, high: 70 },
};

const planned = issues(
  {
    title: 'Write the catalogue as CSV',
    body: 'A function of `src/export.ts`.\n\nDone when the tests of the export pass.',
    domain: 'backend',
    paths: ['src/export.ts'],
    estimate_minutes: 15,
  },
  { title: 'Write the catalogue as JSON', domain: 'backend', paths: ['src/export.ts'], depends_on: [1] },
  { title: 'A command for both', domain: 'cli', paths: ['src/cli/**'], depends_on: [1, 2] },
  { title: 'A button on the page', domain: 'frontend', paths: ['src/page/**'], depends_on: [1] },
);

const reply = (layer: LayerReply['layer'], prose: string, ...asked: string[]): LayerReply => ({
  layer,
  prose,
  ...{ cost_usd: 0.02, ms: 8200, model: 'claude' },
  asked: asked.map((what, at) => ({ what, how: `waits for approval as \`a${at + 1}\`` })),
  ...{ dropped: [], ignored: [], drafts: '', faults: [] },
});
const replies = [
  reply(
    '2ic',
    'Both formats come out of one function. The command and the page call it.\n\n- first the export\n- then who calls it',
  ),
  reply('eng-lead', 'I looked at `src/`: **nothing** exports yet, so a new file is enough.'),
  reply(
    'team-lead',
    'Four issues; two of them can go side by side.',
    'create 4 issues',
    'work on all issues of this run',
  ),
];

/** The comments that ask for approval. */
function listing(...asked: { action: string }[]): Said[] {
  const places = { before: 0, done: new Map() };
  const { actions } = parseReply(block(...asked), { id: 'team-lead', may: layers[2]!.may });
  const list = actions.flatMap(action => listedIssues(action, places));
  return listingComments(
    actions.map((action, at) => ({
      id: `a${at + 1}`,
      layer: 'team-lead',
      title: actionSummary(action),
      detail: actionDetails(action, places),
    })),
    listingFacts({
      issues: list.length,
      ...{ left_usd: 49.94, estimate, graph: listingGraph(list), replies: layerReplies(replies) },
      tests: baseTestsSection({
        ...{ command: 'npm test', state: 'green', exit_code: 0 },
        ...{ failing: [], why: '', tail: '' },
      }),
    }),
  ).map(says);
}

const four = listing(planned, work);
const run = { phase: 'engineering', listing: 2_000_000_003, estimate } as const;
const ended = { ...run, phase: 'done' } as const;
const first = delivered(2, 6, { title: 'Write the catalogue as CSV', cost_usd: 0.31 });
const second = delivered(3, 7, {
  title: 'Write the catalogue as JSON',
  dependsOn: [2],
  standsOn: [2],
  cost_usd: 0.22,
});
const third = delivered(4, 8, {
  title: 'A command for both',
  dependsOn: [2, 3],
  standsOn: [3],
  cost_usd: 0.18,
});
const fourth = delivered(5, 9, {
  title: 'A button on the page',
  dependsOn: [2],
  standsOn: [2],
  cost_usd: 0.27,
});
const red = { command: 'npm test', exit_code: 1 };

/** A page with the run's comment at its head, as it stands at the end, and what was said since. */
const story = (view: RunView, ...said: Said[]) => page(directive.title, [opened, says(board(view)), ...said]);
const end = (view: RunView) => says(runEndComment(view));

function waitingForBudget(): RunView {
  const view = runView({
    ...run,
    issues: [
      first,
      issueView(3, { title: 'Write the catalogue as JSON', reason: 'waits for money: /budget' }),
    ],
  });
  waitForBudget(
    { emit: event => fold(view, event) },
    '$0.03 of its limit of $0.40 is left, and an attempt at an issue needs at least $0.05',
  );
  return view;
}
function waitingForProvider(): RunView {
  const view = runView();
  fold(view, waitsForProvider(Date.UTC(2026, 5, 1, 12, 30)));
  return view;
}
const many = Array.from({ length: 50 }, (_, at) => ({
  title: `Export table ${at + 1}`,
  depends_on: at > 0 ? [at] : [],
}));

const whole = runView({
  ...ended,
  status: 'completed',
  issues: [first, second, third, fourth],
  together: { state: 'green' },
});
const unfit = runView({
  ...ended,
  status: 'completed',
  issues: [first, second, third, fourth],
  together: {
    ...{ state: 'red', cause: [5, 4], exit_code: 1 },
    failing: ['export > the button calls the command', 'export > the page has one heading'],
  },
});
const conflicting = runView({
  ...ended,
  status: 'completed',
  issues: [first, second, third, fourth],
  together: { state: 'conflict', cause: [5, 4], files: ['src/export.ts', 'src/page/list.ts'] },
});
const failing = runView({
  ...ended,
  status: 'completed',
  issues: [
    first,
    issueView(3, {
      title: 'Write the catalogue as JSON',
      state: 'failed',
      attempt: 3,
      cost_usd: 0.61,
      reason:
        'the evaluator did not accept the change: dates come out as numbers; `npm test` exited 1: export > dates',
      kept: 'echelon/0a1b2c3d/3-json-unfinished-3',
      tests: red,
    }),
    issueView(4, {
      title: 'A command for both',
      state: 'blocked',
      dependsOn: [2, 3],
      reason: '#3, on which it depends, failed',
    }),
    fourth,
  ],
});
const question = {
  id: 'Q1',
  from: 'the engineer of #2',
  text: 'Is the first line of the CSV a heading?',
  comment: 2_000_000_005,
};
const asking = runView({
  ...run,
  status: 'waiting',
  waitingFor: 'question',
  questions: [question],
  issues: [
    issueView(2, { ...first, state: 'stuck', pull: null, tests: null, reason: 'waits for the answer to Q1' }),
    issueView(3, { title: second.title, dependsOn: [2], reason: 'waits for #2, on which it depends' }),
  ],
});
const cancelled = runView({
  ...ended,
  status: 'cancelled',
  note: 'Cancelled by wanda.',
  issues: [
    first,
    issueView(3, { title: second.title, state: 'cancelled', cost_usd: 0.1, reason: 'its slot is free' }),
  ],
});

test.for<[string, string]>([
  [
    'good-05-four-issues-wait-for-approval',
    story(
      runView({
        ...run,
        ...{ phase: 'execution', status: 'waiting', waitingFor: 'approval' },
        pending: [{ id: 'a1', layer: 'team-lead', title: 'create 4 issues', issues: 4 }],
      }),
      ...four,
    ),
  ],
  [
    'good-06-four-issues-are-being-built',
    story(
      runView({
        ...run,
        issues: [
          first,
          issueView(3, { title: second.title, state: 'running', attempt: 2, dependsOn: [2], cost_usd: 0.2 }),
          issueView(4, {
            title: third.title,
            dependsOn: [2, 3],
            reason: 'waits for #3, on which it depends',
          }),
          issueView(5, {
            title: fourth.title,
            state: 'delivering',
            dependsOn: [2],
            tests: { command: 'npm test', exit_code: 0 },
          }),
        ],
      }),
      ...four,
      approves,
    ),
  ],
  ['good-07-four-issues-delivered', story(whole, ...four, approves, end(whole))],
  [
    'good-08-an-engineer-asks',
    story(asking, ...four, approves, says(questionComment(question, 'The work on #2'))),
  ],
  [
    'good-09-paused',
    story(
      runView({ ...run, status: 'paused', pausedBy: 'wanda', issues: [first, issueView(3)] }),
      ...four,
      approves,
      { by: 'wanda', text: '/pause' },
    ),
  ],
  [
    'good-10-fifty-issues-wait-for-approval',
    story(
      runView({
        ...run,
        phase: 'execution',
        status: 'waiting',
        waitingFor: 'approval',
        pending: [{ id: 'a1', layer: 'team-lead', title: 'create 50 issues', issues: 50 }],
      }),
      ...listing(issues(...many), work),
    ),
  ],
  ['bad-07-one-of-four-fails', story(failing, ...four, approves, end(failing))],
  ['bad-11-two-branches-fail-together', story(unfit, ...four, approves, end(unfit))],
  ['bad-12-two-branches-conflict', story(conflicting, ...four, approves, end(conflicting))],
  [
    'bad-08-the-limit-is-used-up-while-building',
    story(waitingForBudget(), ...four, approves, says(stoppedComment(waitingForBudget().note ?? ''))),
  ],
  ['bad-09-the-provider-wants-a-pause', story(waitingForProvider())],
  [
    'bad-10-cancelled-while-building',
    story(cancelled, ...four, approves, { by: 'wanda', text: '/cancel' }, end(cancelled)),
  ],
])('%s', async ([name, text]) => {
  await expect(text).toMatchFileSnapshot(`${name}.md`);
});
