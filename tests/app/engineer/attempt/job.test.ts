// A whole job over the changes of one before: taken up, judged as its own, or begun anew where they do not fit.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JobSpec } from '../../../../src/app/engineer/jobs/job-spec.ts';
import type { ModelRequest } from '../../../../src/engine/models/model.ts';
import { costing, cutOff, director, evaluator, type Reply } from '../../../dialogue/script.ts';
import { stillClock } from '../../../ground/lib/clocks.ts';
import { repository } from '../../../ground/workspace/fixture.ts';
import { playJob } from '../play-job.ts';

const program = 'prompts/programs/implement-issue.xml';
const library: JobSpec['library'] = [[{ file: program, text: readFileSync(program, 'utf8') }]];

/** Two attempts in a row in one repository; `more`: changes of the second one's spec. */
async function two(
  first: Reply[],
  second: Reply[],
  more: (repo: { path: string }) => Partial<JobSpec> = () => ({
    from: { op: 'first' },
  }),
) {
  await using repo = await repository({ 'a.txt': 'a\n' });
  const run = (name: string, replies: Reply[], changes: Partial<JobSpec>) =>
    playJob(repo, name, replies, { library, ...changes });
  const short = { attempt_ms: 60_000, stuck_ms: 1000, budget_usd: 1, turns: 1 };
  const before = await run('first', first, { limits: short });
  const after = await run('second', second, { attempt: 2, previous: 'It was cut short.', ...more(repo) });
  return { before, after };
}

const writes = (path: string): Reply => ({
  for: 'engineer.director',
  tool_calls: [{ name: 'write_file', input: { path, content: 'new\n' } }],
});

/** Answers nothing before the attempt's time is over. */
async function untilLate({ signal }: ModelRequest, clock: ReturnType<typeof stillClock>) {
  const over = new Promise(resolve => signal.addEventListener('abort', resolve));
  clock.advance(60_000);
  await over;
}

test.each<{ at: string; replies: Reply[]; kind: string; turns?: number; late?: boolean }>([
  { at: 'turns', replies: [], kind: 'turns_exhausted', turns: 1 },
  {
    at: 'output limit',
    replies: Array.from({ length: 4 }, () => cutOff({ for: 'engineer.director', text: 'and so' })),
    kind: 'output_exhausted',
  },
  { at: 'time', replies: [], kind: 'time', late: true },
])(
  'what an attempt left that ended at its $at is gone on from, and the evaluator sees all of it',
  async ({ replies, kind, turns = 10, late = false }) => {
    await using repo = await repository({ 'a.txt': 'a\n' });
    const clock = stillClock();
    const calls: string[] = [];
    const before = await playJob(
      repo,
      'first',
      [writes('b.txt'), ...replies],
      { library, limits: { attempt_ms: 60_000, stuck_ms: 1000, budget_usd: 1, turns } },
      {
        ...{ calls, spent: [], clock },
        async before(request) {
          if (late && calls.length === 1) await untilLate(request, clock);
        },
      },
    );
    expect([before.report, before.files]).toMatchObject([{ class: kind, partial: true }, ['b.txt']]);
    const after = await playJob(
      repo,
      'second',
      [...director('Its changes are in your checkout', { 'c.txt': 'c\n' }), evaluator('b/b.txt', true)],
      { library, attempt: 2, previous: 'It was cut short.', from: { op: 'first' } },
    );
    expect([after.report.kind, after.files]).toEqual(['bundle', ['b.txt', 'c.txt']]);
  },
);

test('an engineer is told when most of the budget of its job is spent', async () => {
  await using repo = await repository({ 'a.txt': 'a\n' });
  const { report } = await playJob(
    repo,
    'job',
    [
      costing(writes('b.txt'), 0.75),
      costing(writes('c.txt'), 0.1),
      { for: 'engineer.director', when: '$0.15 of the budget is left', text: 'Done.' },
      evaluator('c.txt', true),
    ],
    { library },
  );
  expect(report.kind).toBe('bundle');
});

test('what is taken up counts as a change: a director that adds nothing is judged', async () => {
  const { after } = await two([writes('b.txt')], [...director('It was cut', {}), evaluator('b/b.txt', true)]);
  expect([after.report.kind, after.files]).toEqual(['bundle', ['b.txt']]);
});

test('what is taken up and taken back is no change', async () => {
  const back: Reply = {
    for: 'engineer.director',
    tool_calls: [{ name: 'revert', input: { path: 'b.txt' } }],
  };
  const { after } = await two([writes('b.txt')], [back, ...director('It was cut', {}, 'Not needed.')]);
  expect(after.report).toMatchObject({ class: 'no_changes', feedback: 'Not needed.', partial: false });
});

test('changes that cannot be taken up: the attempt begins anew, and the engineer is told', async () => {
  const { after } = await two(
    [writes('b.txt')],
    [...director('Its changes could not be taken up', { 'c.txt': 'c\n' }), evaluator('c.txt', true)],
    () => ({ from: { op: 'nowhere' } }),
  );
  expect([after.report.kind, after.files]).toEqual(['bundle', ['c.txt']]);
});

test('a job whose process was lost in a turn: the next one pays that turn again, with the files as they were', async () => {
  await using repo = await repository({ 'a.txt': 'a\n' });
  const replies = [
    writes('b.txt'),
    writes('c.txt'),
    { ...writes('d.txt'), when: 'Your checkout was made anew' },
    { for: 'engineer.director', text: 'Done.' },
    evaluator('d.txt', true),
  ];
  const keys: string[] = [];
  /** One process, which is lost in its call number `dies`. */
  const process = (dies: number) => {
    const calls: string[] = [];
    const before = async ({ key }: ModelRequest, stop: () => void) => {
      keys.push(key.split('/').slice(-2).join('/'));
      if (calls.length + 1 === dies) stop();
    };
    return playJob(repo, 'job', replies, { library }, { calls, spent: [], before });
  };
  await expect(process(3)).rejects.toThrow('lost');
  // Once more, when the director is done and the evaluator is asked.
  await expect(process(3)).rejects.toThrow('lost');
  const { report, files } = await process(0);
  expect([report.kind, files]).toEqual(['bundle', ['b.txt', 'c.txt', 'd.txt']]);
  const [again, last] = ['director-1/3', 'evaluator-1/1'];
  expect(keys).toEqual(['director-1/1', 'director-1/2', again, again, 'director-1/4', last, last]);
});
