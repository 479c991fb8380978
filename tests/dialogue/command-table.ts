// The command table: what comes of each command, on each page of a run, in each state of the run or of the issue there.
// `command-table.test.ts` plays every cell against the forge; docs/commands.md shows the states in which each is accepted.
import type { CommandName } from '../../src/app/commands/table.ts';

/** Text of each command, with valid arguments where something accepts them. */
export const typed: Readonly<Record<CommandName, string>> = {
  approve: '/approve',
  reject: '/reject',
  drop: '/drop 1',
  edit: '/edit 1 Another',
  add: '/add More\nMuch more.',
  redirect: '/redirect another way',
  answer: '/answer Q1 yes',
  pause: '/pause',
  resume: '/resume',
  cancel: '/cancel',
  retry: '/retry',
  tell: '/tell the lamp is old',
  fix: '/fix brighter',
  checks: '/checks',
  ready: '/ready',
  merge: '/merge',
  budget: '/budget +1',
  status: '/status',
  plan: '/plan',
  cost: '/cost',
  'dry-run': '/dry-run',
  help: '/help',
};

/** A text that a reply contains. `on` is the number of the issue or pull request, `state` the column of the table. */
type Said = (cell: { command: CommandName; on: number; state: string }) => string;

export interface Outcome {
  /** On the comment, in the end. */
  reactions: readonly string[];
  /** Absent: what is said is not looked at; `nothing`: nobody answers. */
  says?: Said | 'nothing';
}

const done = ['eyes', 'rocket'];
const refused = (why: string | ((on: number, state: string) => string)): Outcome => ({
  reactions: ['eyes', 'confused'],
  says: ({ command, on, state }) =>
    `\`/${command}\` by \`mia\` was not followed: ${typeof why === 'string' ? why : why(on, state)}`,
});
const reads: Readonly<Partial<Record<CommandName, string>>> = {
  status: ' · merge',
  cost: '| Layer or issue |',
  'dry-run': 'dry run',
  help: '| command | needs |',
};

/** The answer to /plan: where money runs out the strategist has written one. */
const planIn = (state: string): string =>
  state === 'waits for money' ? 'The plan: shelves first.' : 'There is no plan yet';

/** By the word that stands in a cell. */
export const outcomes = {
  /** The command is another bot's where there is no run. */
  'not ours': { reactions: [], says: 'nothing' },
  answered: {
    reactions: ['rocket'],
    says: ({ command, state }) => (command === 'plan' ? planIn(state) : (reads[command] ?? '')),
  },
  followed: { reactions: done },
  /** Followed, and what came of it is the run's end. */
  'ends the run': { reactions: done, says: () => 'The run was cancelled.' },
  'no run has begun': { reactions: ['eyes', 'confused'], says: () => 'No run has begun on this issue yet.' },
  'says: no run has begun': { reactions: ['rocket'], says: () => 'No run has begun on this issue yet.' },
  'nothing to decide': refused((_on, state) =>
    state === 'a layer thinks'
      ? 'your comment is older than the listing it would decide on'
      : 'nothing waits for approval now',
  ),
  'not listed': refused('no. 1 does not wait for a decision; what does: no issue'),
  'nothing to add to': refused('no issues wait for a decision that it could be added to'),
  'no such question': refused('there is no question Q1; no question is open now'),
  'answered before': refused('Q1 was answered before'),
  'paused already': refused('the run was paused by '),
  'not paused': refused('the run is not paused'),
  'nothing has failed': refused('nothing has failed that could be tried again now'),
  'no issue has failed': refused('no issue of this run has failed'),
  'has not failed': refused('#'),
  'on a pull request': refused('`/fix` belongs on a pull request of this run'),
  'no engineer here': refused('`/tell` belongs on an issue of this run'),
  'not worked any more': refused('#'),
  'no checks here': refused('`/checks` belongs on an open pull request of this run'),
  'nothing is open': refused('no pull request of this run is open'),
  'nothing held': refused('nothing holds the checks of this pull request'),
  'on the directive': {
    reactions: ['confused'],
    says: ({ command }) => `\`/${command}\` belongs on #1, whose run this is part of`,
  },
  'no pull request yet': refused(on => `#${on} has no pull request`),
  'labelled WIP': refused(on => `#${on} is labelled WIP`),
  'pull request closed': refused(on => `#${on} is closed: open it again first`),
  merged: refused(on => `#${on} is merged: open an issue for what is left`),
  'the run is over': refused((_on, state) => `the run is ${/completed|failed|cancelled/.exec(state)?.[0]}`),
} as const satisfies Record<string, Outcome>;

export type OutcomeName = keyof typeof outcomes;

/** Place of a command. */
export const pages = ['directive', 'sub-issue', 'pull request'] as const;
export type Page = (typeof pages)[number];

const commandNames = Object.keys(typed) as CommandName[];

/** A row a command, or those with the same outcomes; a column a state. */
function grid(states: readonly string[], text: string): Readonly<Record<string, Cells>> {
  const rows = text
    .trim()
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()));
  return Object.fromEntries(
    states.map((state, at) => [
      state,
      Object.fromEntries(
        commandNames.map(name => {
          const cell = rows.find(([first = '']) => first.split(', ').includes(name))?.[at + 1];
          if (cell === undefined || !(cell in outcomes)) throw new Error(`${state}, /${name}: "${cell}"`);
          return [name, cell];
        }),
      ) as Cells,
    ]),
  );
}
export type Cells = Readonly<Record<CommandName, OutcomeName>>;

/** Of the run on the directive; of the issue on its sub-issue and its pull request. */
export const commandTable: Readonly<Record<Page, Readonly<Record<string, Cells>>>> = {
  directive: {
    ...grid(
      [
        'no run',
        'not begun',
        'a layer thinks',
        'waits for approval',
        'waits for an answer',
        'waits for money',
      ],
      `
approve, reject         | not ours | no run has begun       | nothing to decide      | followed           | nothing to decide  | nothing to decide
drop, edit              | not ours | no run has begun       | nothing to decide      | not listed         | nothing to decide  | nothing to decide
add                     | not ours | no run has begun       | nothing to decide      | nothing to add to  | nothing to decide  | nothing to decide
redirect, pause, budget | not ours | no run has begun       | followed               | followed           | followed           | followed
answer                  | not ours | no run has begun       | no such question       | no such question   | followed           | no such question
resume                  | not ours | no run has begun       | not paused             | not paused         | not paused         | not paused
cancel                  | not ours | no run has begun       | ends the run           | ends the run       | ends the run       | ends the run
retry                   | not ours | no run has begun       | nothing has failed     | nothing has failed | nothing has failed | nothing has failed
tell                    | not ours | no run has begun | no engineer here | no engineer here | no engineer here | no engineer here
fix                     | not ours | no run has begun       | on a pull request      | on a pull request  | on a pull request  | on a pull request
checks                  | not ours | no run has begun       | no checks here         | no checks here     | no checks here     | no checks here
ready, merge            | not ours | no run has begun       | nothing is open        | nothing is open    | nothing is open    | nothing is open
status, plan, cost      | not ours | says: no run has begun | answered               | answered           | answered           | answered
dry-run                 | answered | answered               | answered               | answered           | answered           | answered
help                    | not ours | answered               | answered               | answered           | answered           | answered`,
    ),
    ...grid(
      ['a layer failed', 'paused', 'at work', 'completed', 'failed', 'cancelled'],
      `
approve, reject, drop, edit, add             | nothing to decide | nothing to decide   | nothing to decide | the run is over     | the run is over     | the run is over
redirect                          | followed          | followed            | followed          | followed            | followed            | the run is over
answer                            | no such question  | no such question    | followed          | the run is over     | the run is over     | the run is over
pause                             | followed          | paused already      | followed          | the run is over     | the run is over     | the run is over
resume                            | not paused        | followed            | not paused        | the run is over     | the run is over     | the run is over
cancel                            | ends the run      | ends the run        | ends the run      | the run is over     | the run is over     | the run is over
retry                             | followed          | no issue has failed | followed          | no issue has failed | no issue has failed | the run is over
tell                              | no engineer here | no engineer here | no engineer here | no engineer here | no engineer here | the run is over
fix                               | on a pull request | on a pull request   | on a pull request | on a pull request   | on a pull request   | the run is over
checks                            | no checks here    | no checks here      | no checks here    | no checks here      | no checks here      | the run is over
ready, merge                      | nothing is open   | nothing is open     | followed          | followed            | nothing is open     | the run is over
budget                            | followed          | followed            | followed          | the run is over     | the run is over     | the run is over
status, plan, cost, dry-run, help | answered          | answered            | answered          | answered            | answered            | answered`,
    ),
  },
  'sub-issue': {
    ...grid(
      ['waiting', 'worked on', 'asking', 'delivered', 'failed', 'blocked'],
      `
approve, reject, drop, edit, add, redirect, cancel | on the directive    | on the directive    | on the directive    | on the directive | on the directive    | on the directive
answer                                  | answered before     | answered before     | followed            | answered before  | answered before     | answered before
pause, budget                           | followed            | followed            | followed            | followed         | followed            | followed
resume                                  | not paused          | not paused          | not paused          | not paused       | not paused          | not paused
retry                                   | has not failed      | has not failed      | has not failed      | has not failed   | followed            | followed
tell                                    | followed | followed | followed | not worked any more | followed | followed
fix                                     | no pull request yet | no pull request yet | no pull request yet | followed         | no pull request yet | no pull request yet
checks                                  | no checks here      | no checks here      | no checks here      | followed         | no checks here      | no checks here
ready, merge                            | nothing is open     | nothing is open     | nothing is open     | followed         | nothing is open     | nothing is open
status, plan, cost, dry-run, help       | answered            | answered            | answered            | answered         | answered            | answered`,
    ),
    ...grid(
      ['left to a person', 'closed', 'waiting, paused', 'delivered, completed', 'cancelled'],
      `
approve, reject, drop, edit, add, redirect, cancel | on the directive    | on the directive    | on the directive    | on the directive | on the directive
answer                                  | answered before     | answered before     | no such question    | the run is over  | the run is over
pause                                   | followed            | followed            | paused already      | the run is over  | the run is over
resume                                  | not paused          | not paused          | followed            | the run is over  | the run is over
retry                                   | has not failed      | has not failed      | has not failed      | has not failed   | the run is over
tell                                    | not worked any more | not worked any more | followed            | not worked any more | the run is over
fix                                     | no pull request yet | no pull request yet | no pull request yet | followed         | the run is over
checks                                  | no checks here      | no checks here      | no checks here      | followed         | the run is over
ready, merge                            | nothing is open     | nothing is open     | nothing is open     | followed         | the run is over
budget                                  | followed            | followed            | followed            | the run is over  | the run is over
status, plan, cost, dry-run, help       | answered            | answered            | answered            | answered         | answered`,
    ),
  },
  'pull request': grid(
    ['open', 'labelled WIP', 'closed', 'merged', 'open, completed'],
    `
approve, reject, drop, edit, add, redirect, cancel | on the directive | on the directive | on the directive    | on the directive | on the directive
answer                                  | answered before  | answered before  | answered before     | answered before  | the run is over
pause, budget                           | followed         | followed         | followed            | followed         | the run is over
resume                                  | not paused       | not paused       | not paused          | not paused       | the run is over
retry                                   | has not failed   | has not failed   | has not failed      | has not failed   | has not failed
tell                                    | not worked any more | not worked any more | not worked any more | not worked any more | not worked any more
fix                                     | followed         | labelled WIP     | pull request closed | merged           | followed
checks                                  | followed         | nothing held     | pull request closed | merged           | followed
ready, merge                            | followed         | followed         | nothing is open     | nothing is open  | followed
status, plan, cost, dry-run, help       | answered         | answered         | answered            | answered         | answered`,
  ),
};

/** Every cell, in order. */
export const cells = pages.flatMap(page =>
  Object.entries(commandTable[page]).flatMap(([state, row]) =>
    commandNames.map(command => ({ page, state, command, outcome: row[command] })),
  ),
);
