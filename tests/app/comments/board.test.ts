// The board: who waits for whom in its first line, sums that agree with their parts, and room for every run.
import fc from '../../properties.ts';
import { expect, test } from 'vitest';
import { board, plainBoard, statusReply } from '../../../src/app/comments/board.ts';
import { cost } from '../../../src/app/commands/cost.ts';
import type { BaseTestsView, RunView } from '../../../src/app/comments/view.ts';
import { delivered, issueView, runView } from './view.ts';

const pending = [{ id: 'a1', layer: 'team-lead', title: 'create 4 issues', issues: 4 }] as const;
const asking = { id: 'eng-lead', status: 'waiting', turns: 1, cost_usd: 0 } as const;
const question = { id: 'Q1', from: 'the Strategist', text: 'Which colour?', comment: 12 };
const engineering = { phase: 'engineering', listing: 11 } as const;
const done = { phase: 'done', listing: 11 } as const;
const works = issueView(3, { state: 'running' });

test.for<[Partial<RunView>, string, string]>([
  [{}, 'Planning', '**plan** · approve · build · review · merge'],
  [
    { status: 'waiting', waitingFor: 'approval', phase: 'execution', pending: [...pending], listing: 11 },
    'Waiting for you: [approve 4 issues](../issues/1#issuecomment-11)',
    'planned · **approve** · build · review · merge',
  ],
  [
    {
      status: 'waiting',
      waitingFor: 'approval',
      phase: 'execution',
      pending: [{ id: 'a1', layer: 'eng-lead', title: 'create the branch left', issues: 0 }],
      listing: 11,
    },
    'Waiting for you: [approve 1 action](../issues/1#issuecomment-11)',
    'planned · **approve** · build · review · merge',
  ],
  [
    { status: 'waiting', waitingFor: 'question', questions: [question] },
    'Waiting for you: [answer Q1](../issues/1#issuecomment-12)',
    '**plan** · approve · build · review · merge',
  ],
  [
    {
      status: 'running',
      phase: 'design',
      layers: [{ ...asking, waitsFor: "the Strategist's answer (question 1 of 2)" }],
    },
    "Planning: the Engineering lead waits for the Strategist's answer (question 1 of 2)",
    '**plan** · approve · build · review · merge',
  ],
  [
    { status: 'waiting', waitingFor: 'budget', ...engineering, issues: [works] },
    'Waiting for you: raise the limit, `/budget +5`',
    'planned · approved · **build** · review · merge',
  ],
  [
    { ...engineering, issues: [delivered(2, 5), works, issueView(4)] },
    'Building: 1 of 3 issues under way, 1 delivered',
    'planned · approved · **build** · review · merge',
  ],
  [
    { ...engineering, issues: [works], questions: [question] },
    'Building: 1 of 1 issue under way; [question Q1](../issues/1#issuecomment-12) waits for you',
    'planned · approved · **build** · review · merge',
  ],
  [
    { status: 'completed', ...done, issues: [delivered(2, 5, { standsOn: [3] }), delivered(3, 6)] },
    'Done: review and merge 2 pull requests, #6 first',
    'planned · approved · built · **review** · merge',
  ],
  [
    { status: 'completed', phase: 'done', issues: [delivered(2, 5), issueView(3, { state: 'failed' })] },
    'Done: 1 of 2 issues delivered; review and merge pull request #5',
    'planned · built · **review** · merge',
  ],
  [
    { status: 'failed', ...done, issues: [issueView(2, { state: 'failed' })] },
    'Failed: the issue was not delivered; `/retry` tries again',
    'planned · approved · **build** · review · merge',
  ],
  [
    { status: 'completed', ...done, issues: [delivered(2, 5, { merged: true }), delivered(3, 6)] },
    'Done: review and merge pull request #6',
    'planned · approved · built · reviewed · **merge**',
  ],
  [
    { status: 'completed', ...done, issues: [delivered(2, 5, { merged: true })] },
    'Done: all of it is merged',
    'planned · approved · built · reviewed · merged',
  ],
  [
    { status: 'cancelled', phase: 'execution' },
    'Cancelled: nothing more is done here',
    '**plan** · approve · build · review · merge',
  ],
])('%j: %s', ([given, first, line]) => {
  const [head, , second = ''] = board(runView(given)).split('\n');
  expect([head, second.trimEnd()]).toEqual([`### ${first}`, line]);
});

/** The amounts in the last column of every table of a text, but for the last row where that is the sum. */
const column = (text: string) =>
  [...text.matchAll(/^\|.*\| \$([\d.]+) \|$/gm)].map(([, usd]) => Math.round(Number(usd) * 10_000));
const sum = (parts: readonly number[]) => parts.reduce((all, each) => all + each, 0);
const spent = (text: string) => Math.round(Number(/\$([\d.]+)(?: of|\*\*| of \$)/.exec(text)?.[1]) * 10_000);

test('property: the costs of issues and layers are shown so that they add up to what is shown as spent', () => {
  const usd = fc.double({ min: 0, max: 3, noNaN: true });
  const small = fc.double({ min: 0, max: 0.002, noNaN: true });
  const costs = fc.oneof(
    fc.array(usd, { minLength: 4, maxLength: 30 }),
    fc.array(small, { minLength: 4, maxLength: 6 }),
  );
  fc.assert(
    fc.property(costs, ([a = 0, b = 0, c = 0, ...rest]) => {
      const view = runView({
        issues: rest.map((cost_usd, at) => issueView(at + 2, { cost_usd })),
        layers: runView().layers.map((layer, at) => ({ ...layer, cost_usd: [a, b, c][at] ?? 0 })),
        cost_usd: sum([a, b, c, ...rest]),
      });
      const shown = board(view);
      const [issues = '', layers = ''] = shown.split('<details>');
      expect(sum(column(issues))).toBe(spent(shown));
      expect(sum(column(layers))).toBe(column(issues).at(-1));
      const reply = column(cost.answers.of === 'run' ? cost.answers.say(view) : '');
      expect(sum(reply.slice(0, -1))).toBe(reply.at(-1));
    }),
  );
});

const many = (count: number) =>
  runView({
    ...engineering,
    plan: 'Do it in parts. '.repeat(150),
    issues: Array.from({ length: count }, (_, at) =>
      issueView(at + 2, {
        title: `Give the books of shelf ${at} a label each, and a place in the catalogue of the house`,
        dependsOn: at > 1 ? [at, at + 1] : [],
        reason:
          at > 1
            ? `waits for #${at} and #${at + 1}, on which it depends`
            : 'waits for a free slot (3 in use)',
      }),
    ),
  });

test('fifty issues have a row each within the board’s room, and what is left out is said', () => {
  const text = board(many(50));
  expect(text.length).toBeLessThanOrEqual(9000);
  expect(text.match(/^\| #\d+ /gm)).toHaveLength(50);
  expect(text).toMatch(/^Left out for want of room: the plan\. `\/status` shows more\.$/m);
  expect(text).toContain('```mermaid');
  expect(statusReply(many(50))).not.toContain('Left out');
});

test('three hundred issues: those that have no row are counted in one', () => {
  const text = board(many(300));
  expect(text.length).toBeLessThanOrEqual(9000);
  const rows = text.match(/^\| #\d+ /gm)?.length ?? 0;
  expect(text).toContain(`| and ${300 - rows} more | ${300 - rows} waiting |`);
});

test('where all is well, nothing is said but how far it is, what it costs, and the issues', () => {
  const view = runView({
    status: 'completed',
    ...done,
    issues: [delivered(2, 5), delivered(3, 6, { dependsOn: [2] })],
  });
  const tests: BaseTestsView = {
    ...{ command: 'npm test', state: 'green', exit_code: 0 },
    ...{ failing: [], why: '', tail: '' },
  };
  expect(board({ ...view, baseTests: tests })).toMatchInlineSnapshot(`
    "### Done: review and merge 2 pull requests, #5 first

    planned · approved · built · **review** · merge  
    $0.26 of $50.00 spent

    | Issue | State | Waits for | Tests | Pull request | Cost |
    | --- | --- | --- | --- | --- | --- |
    | #2 Part 2 | delivered |  | green | #5 | $0.10 |
    | #3 Part 3 | delivered |  | green | #6 | $0.10 |
    | Planning |  |  |  |  | $0.06 |

    \`\`\`mermaid
    graph LR
      i2["#2: delivered"]:::done
      i3["#3: delivered"]:::done
      i2 --> i3
      classDef done fill:#dafbe1,stroke:#1a7f37,color:#1f2328
    \`\`\`

    <details><summary>Layers and ids</summary>

    | Layer | Status | Model calls | Cost |
    | --- | --- | --- | --- |
    | Strategist | done | 1 | $0.02 |
    | Engineering lead | done | 1 | $0.02 |
    | Team lead | done | 1 | $0.02 |

    Run \`0a1b2c3d\`, isolation \`bubblewrap\`.

    </details>"
  `);
});

test('the calls that are counted stand among the details, and alone are no other board', () => {
  const [few, many] = [12, 340].map(used => board(runView({}), { calls: { used, limit: 1000 } }));
  expect(many).toContain('Calls to GitHub this hour: 340 of 1,000.');
  expect(plainBoard(few ?? '')).toBe(plainBoard(many ?? ''));
  expect(board(runView({}))).not.toContain('Calls to GitHub');
});

test('what is being done stands in one line, and mentions nobody', () => {
  const doing = ['#2: used shell', '#3: ran the tests, which exited 1', '@mia'];
  const [line = ''] = /^At work: .*$/m.exec(board(runView({}), { doing })) ?? [];
  expect(line).toContain('At work: #2: used shell; #3: ran the tests, which exited 1; ');
  expect(line).not.toContain('@mia');
  expect(board(runView({}), { doing: [] })).toBe(board(runView({})));
});

test('the line below the heading names the commands that were guessed, and their sources', () => {
  const guessed = {
    test: { command: 'npm run `x`', source: '.github/workflows/@you.yml, job <!-- a' },
    setup: { command: `set -e\n${'a'.repeat(400)}`, source: 'package-lock.json' },
  };
  const [heading, , line] = board(runView({ guessed })).split('\n');
  expect(heading).toBe('### Planning');
  expect(line).toBe(
    `Tests: \`\` npm run \`x\` \`\` (from \`.github/workflows/@you.yml, job <\u200b!-- a\`). Setup: \`set -e ${'a'.repeat(293)}…\` (from \`package-lock.json\`)`,
  );
  expect(board(runView({}))).not.toContain('Tests:');
});
