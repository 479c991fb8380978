// Buttons below a listing: exactly the commands it offers, and only while it waits.
import { expect, test } from 'vitest';
import { parseCommands } from '../../../src/app/commands/parse.ts';
import { board, statusReply } from '../../../src/app/comments/board.ts';
import { listingComments } from '../../../src/app/comments/listing.ts';
import { questionComment } from '../../../src/app/comments/question.ts';
import { quickReplies } from '../../../src/app/comments/quick-replies.ts';
import type { RunView } from '../../../src/app/comments/view.ts';
import { marked } from '../../../src/app/github/once.ts';
import { listingFacts, runView } from './view.ts';

const sum = 'f'.repeat(12);
const action = (id: string, detail = ['A text.']) => ({ id, layer: 'team-lead' as const, title: id, detail });
const listing = (ids: string[], given = {}) =>
  listingComments(
    ids.map(id => action(id)),
    listingFacts(given),
  ).map(body => marked(body, '0'.repeat(20)));

const layerFailed = { status: 'error', turns: 1, cost_usd: 0 } as const;
const waiting = { status: 'waiting', waitingFor: 'approval', listing: 20 } as const;
const boardOf = (view: Partial<RunView>) => `${board(runView(view))}\n\n<!-- echelon:record run=0a1b2c3d -->`;
const by = (id: number, body: string, given = {}) => ({ id, byBot: true, edited: false, body, ...given });
const linesOn = (thread: Parameters<typeof quickReplies>[0]) =>
  [...quickReplies(thread)].map(([id, offered]) => [id, ...offered.map(({ line }) => line)]);

const run = by(10, boardOf(waiting), { edited: true });
const [one = ''] = listing(['a3']);
const [several = ''] = listing(['a1', 'a2']);

test('a listing that waits offers to approve exactly it, and to reject with a reason', () => {
  const offered = quickReplies([run, by(20, one)]).get(20) ?? [];
  expect(offered).toEqual([
    { label: 'Approve', line: `/approve ${sum}`, main: true },
    { label: 'Reject', line: '/reject a3', field: 'Reason to reject' },
  ]);
  expect(parseCommands(offered[0]?.line ?? '').commands).toEqual([
    { name: 'approve', what: { digest: sum }, line: 1 },
  ]);
  expect(parseCommands('/reject a3 not so').commands).toMatchObject([{ ids: ['a3'], reason: 'not so' }]);
  expect(linesOn([run, by(20, several)])).toEqual([[20, `/approve ${sum}`, '/reject']]);
});

test('a long listing offers it at its end', () => {
  const parts = listingComments(
    ['a1', 'a2'].map(id => action(id, ['x'.repeat(50_000)])),
    listingFacts(),
  );
  expect(parts).toHaveLength(2);
  const thread = parts.map((body, at) => by(20 + at, marked(body, '0'.repeat(20))));
  expect(linesOn([run, ...thread])).toEqual([[21, `/approve ${sum}`, '/reject']]);
});

test.each<[string, Partial<RunView>]>([
  ['/resume', { status: 'paused' }],
  ['/budget +5', { status: 'waiting', waitingFor: 'budget' }],
  ['/retry', { status: 'waiting', waitingFor: 'tests' }],
  ['/retry', { status: 'failed', layers: [{ ...layerFailed, id: '2ic' }] }],
])('a board that says to type %s has a button for it', (line, view) => {
  expect(linesOn([by(10, boardOf(view), { edited: true })])).toEqual([[10, line]]);
});

test('questions can be answered where they stand, as long as they are open', () => {
  const question = (n: number, given = {}) => ({
    id: `Q${n}`,
    from: 'Strategist',
    text: 'A?',
    comment: 20 + n,
    ...given,
  });
  const questions = [question(1, { answer: 'B' }), question(2), question(3)];
  const waits = by(10, boardOf({ status: 'waiting', waitingFor: 'question', questions }));
  const asked = questions.map(each => by(each.comment, questionComment(each, 'It')));
  expect(linesOn([waits, ...asked])).toEqual([
    [22, '/answer Q2'],
    [23, '/answer Q3'],
  ]);
  expect(linesOn([waits, by(22, one), by(23, questionComment(question(2), 'It'))])).toEqual([]);
});

test.each([
  ['it is decided', [by(10, boardOf({ status: 'running', listing: 20 })), by(20, one)]],
  ['the run is over', [by(10, boardOf({ status: 'cancelled', listing: 20 })), by(20, one)]],
  ['another one waits', [by(10, boardOf({ ...waiting, listing: 30 })), by(20, one)]],
  ['a newer run has begun', [run, by(20, one), by(25, boardOf({ status: 'running' }))]],
  ['only an answer to /status says so', [by(15, statusReply(runView(waiting))), by(20, one)]],
  ['somebody imitates the listing', [run, by(20, one, { byBot: false })]],
  ['somebody imitates the board', [{ ...run, byBot: false }, by(20, one)]],
  ['the listing was changed', [run, by(20, one, { edited: true })]],
  ['it is quoted by another comment of the bot', [run, by(20, marked(`As said:\n\n${one}`, '1'.repeat(20)))]],
  ['its foot stands within', [run, by(20, `${one}\n\nMore.`)]],
])('nothing is offered where %s', (_why, thread) => {
  expect(linesOn(thread)).toEqual([]);
});
