// Every place where words of others are posted, held against one table of hostile texts: no program reads them.
import MarkdownIt, { type Token } from 'markdown-it';
import { unfinishedBody, unfinishedTitle } from '../../../src/app/comments/unfinished.ts';
import { expect, test } from 'vitest';
import {
  draftsMade,
  draftsSaid,
  layerReplies,
  stoppedComment,
  withReplies,
} from '../../../src/app/comments/layer-reply.ts';
import { parseReply } from '../../../src/app/cascade/parse-reply.ts';
import { actionDetails } from '../../../src/app/cascade/action-details.ts';
import { parseCommands } from '../../../src/app/commands/parse.ts';
import {
  annotationMessage,
  checksRefused,
  checkSummary,
  checkTitle,
  baseTestsSection,
} from '../../../src/app/comments/base-tests.ts';
import { board, restoredNotice, statusReply, troubleNotice } from '../../../src/app/comments/board.ts';
import { issueBody, issueEndComment, issueFailedComment } from '../../../src/app/comments/issue-end.ts';
import { listingComments, listingGraph, voided } from '../../../src/app/comments/listing.ts';
import { pullBody, pullTitle } from '../../../src/app/comments/pull.ts';
import { questionComment } from '../../../src/app/comments/question.ts';
import * as replies from '../../../src/app/comments/replies.ts';
import {
  couldNotRetarget,
  roundDone,
  roundFailed,
  standsAskew,
  threadAnswer,
} from '../../../src/app/comments/round.ts';
import { lineComment, reviewAsked, reviewBody, reviewFailed } from '../../../src/app/comments/review.ts';
import { runEndComment } from '../../../src/app/comments/run-end.ts';
import type { LayerReply, RunView } from '../../../src/app/comments/view.ts';
import { block } from '../../dialogue/script.ts';
import { commandLike, others } from './hostile.ts';
import { listingFacts } from './view.ts';

const skips = [
  '[skip ci]',
  '[ci skip]',
  '[no ci]',
  '[Skip CI]',
  '[skip actions]',
  '[actions skip]',
  '[skip-ci]',
  '[ci_skip]',
  '[ skip  ci ]',
  '[skip travis-ci]',
  '[azp skip]',
  '[skip ci: docs only]',
  '***NO_CI***',
  '`[skip ci]`',
  '```\n[skip ci]\n```',
  'skip-checks: true',
  'skip-checks:true',
  '[s\u200bkip ci]',
];
const trailers = [
  'a\n\nCo-authored-by: Mia <mia@example.com>',
  'a\n\nSigned-off-by: Mia <mia@example.com>',
  '```\nReviewed-by : Mia\n```',
  'co-Authored-By: x',
];
const images = [
  '![x](https://github.com/o/r/raw/a.png)',
  '![x](a.png)',
  '![x][y]',
  '\\![x](https://github.com/a.png)',
];
const cells = ['a | b', 'a \\| b', 'a \\\\| b', '| --- |', '` | `'];
const texts = [...others, ...commandLike, ...skips, ...trailers, ...images, ...cells];

const view = (text: string): RunView => ({
  run: 'r',
  issue: 1,
  status: 'failed',
  phase: 'done',
  title: text,
  plan: text,
  layers: [{ id: '2ic', status: 'error', turns: 1, cost_usd: 0, error: text }],
  issues: [
    {
      number: 2,
      title: text,
      domain: 'docs',
      state: 'failed',
      attempt: 1,
      dependsOn: [1],
      branch: null,
      pull: null,
      kept: text,
      cost_usd: 0,
      ms: 0,
      model_calls: 0,
      rounds: 0,
      reason: text,
      tests: { command: text, exit_code: 1 },
    },
  ],
  pending: [{ id: 'a1', layer: '2ic', title: text, issues: 1 }],
  paths: [],
  past: [],
  questions: [{ id: 'Q1', from: 'the Strategist', text }],
  replies: [],
  sessions: [],
  cost_usd: 0,
  budget_usd: 1,
  note: text,
  scripted: false,
  isolation: 'none',
  started: 0,
  updated: 1,
});

const said = (text: string): LayerReply => ({
  layer: '2ic',
  prose: text,
  cost_usd: 0,
  ms: 1,
  model: text,
  asked: [{ what: text, how: text }],
  dropped: [{ action: 'schedule', reason: text }],
  ignored: [{ line: 1, reason: text }],
  drafts: `${draftsMade([text])}\n${draftsSaid(new Map([[1, { left: text }]]), [])}`,
  faults: [text],
});

function listing(text: string): string[] {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').trim();
  const reply = block(
    {
      action: 'create_issues',
      issues: [
        { title: line, body: text, paths: [line] },
        { title: 'T', body: text },
      ],
    },
    { action: 'create_issues', issues: [{ title: line, body: 'b', labels: [line] }] },
    { action: 'create_issues', issues: [{ title: line, body: 'b' }] },
    { action: 'schedule', label: line },
    { action: 'update_plan', plan: text },
  );
  const { actions } = parseReply(reply, {
    id: 'team-lead',
    may: ['create_issues', 'schedule', 'update_plan'],
  });
  const listed = actions.map(action => ({
    id: 'a1',
    layer: 'team-lead' as const,
    title: text,
    detail: actionDetails(action),
  }));
  return listingComments(
    listed,
    listingFacts({
      issues: 2,
      graph: listingGraph([{ place: 1, dependsOn: ['#9'] }]),
      replies: layerReplies([said(text)]),
      others: { meetings: [{ issue: 9, paths: [{ here: text, there: `${text}.` }] }], more: true },
      tests: baseTestsSection({
        command: text,
        state: 'cannot_run',
        exit_code: 1,
        failing: [text],
        why: text,
        tail: text,
      }),
      note: voided(text, [3]),
    }),
  );
}

const created = (text: string) =>
  parseReply(block({ action: 'create_issues', issues: [{ title: 'T', body: text }] }), {
    id: 'team-lead',
    may: ['create_issues'],
  }).actions.flatMap(action =>
    action.action === 'create_issues'
      ? action.issues.map(({ body }) => issueBody({ body, directive: 1, dependsOn: [2] }))
      : [],
  );

const shownTests = (text: string) => ({
  ...{ command: text, exit_code: 0, ran: { count: 2, names: [text] }, replayed: text, removed: [text] },
  without: { state: 'fails' as const, exit_code: 1, failing: [text], said: text },
});

const pull = (text: string) => ({
  issue: 2,
  directive: 1,
  summary: text,
  feedback: text,
  tests: shownTests(text),
  delivered: shownTests(text),
  rounds: 1,
  candidates: {
    ...{ taken: 2, why: 'ranked' as const, said: text, ranking_usd: 0.01 },
    each: [
      { end: text, rounds: 1, cost_usd: 0 },
      { end: 'bundle', exit_code: 0, rounds: 1, cost_usd: 0, bytes: 9 },
    ],
  },
  cost_usd: 0,
  files: 1,
  instructions: [text],
  packages: { packages: [text], more: 2, unread: [text] },
  isolation: 'none',
  sessions: [
    {
      ...{ task: text, key: text, status: text, iterations: 1, operations: 0, health: 'healthy' as const },
      ...{ executions: [], errors: 0, instead: [text], cost_usd: 0, ms: 1 },
    },
  ],
  scripted: false,
  before: { state: 'red' as const, exit_code: 1, failing: [text] },
  branch: 'echelon/run/2-x',
  reviewed: 0,
  checksWait: true,
  checksHeld: false,
  standsOn: [3],
  criteria: [
    { text, met: true, evidence: text },
    { text, met: false, evidence: '' },
    { text, met: null, evidence: '' },
  ],
});
const tests = (text: string) => ({ command: text, exit_code: 1 });

const places: Record<string, (text: string) => string | string[]> = {
  'a layer’s reply': text => withReplies('Something else.', { replies: [said(text)] }),
  'a layer that stopped': stoppedComment,
  'a question': text => questionComment({ id: 'Q1', from: 'the Strategist', text }, 'The Strategist'),
  'the listing': listing,
  'an issue that is created': created,
  'the board': text => board(view(text)),
  'the answer to /status': text => statusReply(view(text)),
  'the end of a run': text => runEndComment(view(text)),
  'the body of a pull request': text => pullBody(pull(text)),
  'the check of a branch': text => [
    checkSummary({
      ...{ issue: 2, tests: tests(text), log: text },
      before: { state: 'red', exit_code: 1, failing: [text] },
    }),
    checksRefused(text),
  ],
  'what is said of a round on a pull request': text => [
    threadAnswer({ done: true, answer: text }, 'a'.repeat(40)),
    threadAnswer({ done: false, answer: text }, undefined),
    roundDone({
      ...{ round: 1, others: [text], commit: 'c'.repeat(40), summary: text, tests: tests(text), cost_usd: 0 },
      ...{ answered: 1, unchanged: 1, held: true },
    }),
    roundFailed({ round: 1, kind: 'rejected', detail: text, tests: tests(text), log: text, directive: 1 }),
    standsAskew(2, 'echelon/run/2-x', [text]),
    couldNotRetarget('main', text),
  ],
  'a review that a layer asks for': text => [
    reviewAsked('Team lead', 1, text),
    lineComment(text),
    reviewBody({
      ...{ said: text, elsewhere: [{ path: text, line: 1, comment: text }] },
      ...{ directive: 1, model: text, cost_usd: 0, isOwn: true },
    }),
    reviewFailed(text),
  ],
  'a draft of unfinished work': text =>
    unfinishedBody({
      ...{ issue: 2, directive: 1, kind: 'rejected', detail: text, tests: tests(text), failing: [text] },
      ...{ failure: text, log: text, attempts: 1, rounds: 1, cost_usd: 0, branch: 'echelon/run/2-x' },
      ...{ criteria: [{ text, met: false, evidence: text }], isolation: 'none', scripted: true },
    }),
  'the end of an issue': text => issueEndComment('blocked', text),
  'an issue that failed': text =>
    issueFailedComment({
      issue: 2,
      directive: 1,
      kind: 'rejected',
      detail: text,
      tests: tests(text),
      failing: [text],
      failure: text,
      log: text,
      attempts: 1,
      rounds: 1,
      cost_usd: 0,
      finished: false,
      kept: { refused: text },
    }),
  'a restored record': restoredNotice,
  'a record that cannot be read': troubleNotice,
  'a refused command': text => [
    replies.refusal('mia', 'approve', text),
    replies.refusal(text, 'approve', 'no'),
    replies.notPermitted(text, 'approve', 'read', 'write'),
    replies.mayNotStart(text, 'read', text),
  ],
  'a command with a slip': text =>
    replies.problemReply([{ line: 1, column: 1, message: text, excerpt: text, nearest: '/approve' }]),
  'a broken configuration': text =>
    replies.configReply('echelon.yml', [{ file: text, line: 1, column: 1, message: text }]),
  'a run that cannot start': text => [
    replies.cannotStart(text),
    replies.cannotStart(replies.changedAfterLabel({ what: 'title', by: text })),
  ],
  'an error': text => [replies.errorComment(text, true), replies.errorComment(text, false)],
};

const markdown = new MarkdownIt({ html: true, linkify: true, breaks: true });
// No link on GitHub.
markdown.linkify.add('//', null);
/** Tags that the bot writes itself. */
const own = /^<\/?(?:sub|details|summary)>|^<details><summary>[^<]*<\/summary>\s*$/;
const skip =
  /\[\s*(?:(?:skip|no)[\s_-]+(?:ci|actions|travis)|(?:ci|actions|azp)[\s_-]+skip)|\*\*\*no_ci\*\*\*|skip-checks\s*:/i;
const trailer = /^\s*[a-z-]+-by\s*:/im;

function dangers(body: string, closes?: string): string[] {
  const found: string[] = [];
  const meant = closes ? body.replace(closes, '') : body;
  if (/<!--/.test(body)) found.push('comment');
  const { commands, problems } = parseCommands(body);
  if (commands.length + problems.length > 0) found.push('command');
  if (/^[^\S\n]*::|##\[/m.test(body)) found.push('workflow command');
  if (skip.test(body)) found.push('skips checks');
  if (trailer.test(body)) found.push('trailer');
  if (
    /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b[:\s*_\\([]{1,9}(?:#\d|gh-\d|[\w.-]+\/[\w.-]+#\d|https:)/i.test(
      meant,
    )
  )
    found.push('closing word');
  const walk = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      if (token.type === 'image') found.push(`image ${token.attrGet('src')}`);
      if (
        token.type === 'link_open' &&
        !/^(?:https:\/\/(?:docs\.)?github\.com(?:[/?#]|$)|(?!\/\/|\w+:))/.test(String(token.attrGet('href')))
      )
        found.push(`link ${token.attrGet('href')}`);
      if (token.type.startsWith('html_') && !own.test(token.content.trim()))
        found.push(`HTML ${token.content}`);
      if (token.type === 'text' && /(?<![a-z0-9])@[a-z0-9]/i.test(token.content))
        found.push(`mention ${token.content}`);
      walk(token.children ?? []);
    }
  };
  walk(markdown.parse(body, {}));
  return found;
}

test.for(Object.entries(places))('%s: no program reads what is posted there', ([, place]) => {
  const found = texts.flatMap(text =>
    [place(text)]
      .flat()
      .flatMap(body => dangers(body, body.startsWith('Closes #2\n') ? 'Closes #2' : undefined))
      .map(danger => ({ text, danger })),
  );
  expect(found).toEqual([]);
});

test('a title is read as plain text: it skips no checks, mentions nobody in code either, and is one line', () => {
  const titles = [pullTitle, unfinishedTitle, (text: string) => checkTitle(tests(text)), annotationMessage];
  for (const title of texts.flatMap(text => titles.map(titled => titled(text)))) {
    expect(title).not.toMatch(/[\r\n]/);
    expect({ title, found: dangers(`x ${title.replaceAll('`', '')}`) }).toEqual({ title, found: [] });
  }
});

test('what stands in a cell of the board’s tables stays in it', () => {
  for (const text of texts) {
    const { note: _note, plan: _plan, ...rest } = view(text);
    const tokens = markdown.parse(board(rest), {});
    const cells = tokens
      .filter((_token, index) => tokens[index - 1]?.type === 'td_open')
      .map(({ content }) => content);
    const [, state, , red, pull, cost, ...others] = cells;
    expect({ text, state, red, pull, cost, others: others.slice(0, 6) }).toEqual({
      text,
      ...{ state: 'failed', red: 'red', pull: '', cost: '$0.00' },
      others: ['Planning', '', '', '', '', '$0.00'],
    });
    const [layer, , turns, usd] = others.slice(6);
    expect([text, layer, turns, usd, others.length]).toEqual([text, 'Strategist', '1', '$0.00', 10]);
  }
});
