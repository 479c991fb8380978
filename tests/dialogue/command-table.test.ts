// Every cell of the command table, played against the forge: the reactions on the comment, and what is said.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandName } from '../../src/app/commands/table.ts';
import type { RunView } from '../../src/app/comments/view.ts';
import { until } from '../until.ts';
import { openThinking, openWorking, placeOf, stories } from './command-scenes.ts';
import { cells, commandTable, type Outcome, outcomes, type Page, typed } from './command-table.ts';
import { type Dialogue, openDialogue } from './fixture.ts';

/** One state on one page, and the cells of it that were played. */
interface At {
  page: Page;
  state: string;
  on: number;
}
const played = new Set<string>();
const cellName = ({ page, state }: Pick<At, 'page' | 'state'>, command: CommandName) =>
  `${page}, ${state}: /${command}`;

const rowOf = ({ page, state }: At) => {
  const row = commandTable[page][state];
  if (!row) throw new Error(`the table has no ${page} in the state "${state}"`);
  return row;
};
const commandsOf = (at: At) => Object.keys(rowOf(at)) as CommandName[];

const say = async (d: Dialogue, on: number, body: string) =>
  (await d.call<{ id: number }>('mia', 'POST', `/issues/${on}/comments`, { body })).id;

/** Reads both pages if the comments need two. */
async function newest(d: Dialogue, on: number): Promise<Awaited<ReturnType<Dialogue['comments']>>> {
  const first = await d.comments(on);
  if (first.length < 100) return first;
  return [
    ...first,
    ...(await d.call<typeof first>('you', 'GET', `/issues/${on}/comments?per_page=100&page=2`)),
  ];
}

/** State after an accepted command. */
const effects: Readonly<Partial<Record<CommandName, (view: RunView) => boolean>>> = {
  approve: ({ pending }) => pending.length === 0,
  reject: ({ pending }) => pending.length === 0,
  answer: ({ questions }) => !questions.some(({ id, answer }) => id === 'Q1' && answer === undefined),
  pause: ({ pausedBy }) => pausedBy === 'mia',
  resume: ({ pausedBy }) => pausedBy === undefined,
  cancel: ({ status }) => status === 'cancelled',
};

/** Holds what came of comments against the table: their reactions, and that as much was said as there is to say. */
async function check(d: Dialogue, at: At, ids: ReadonlyMap<CommandName, number>): Promise<void> {
  const first = Math.min(...ids.values());
  const said = (await newest(d, at.on))
    .filter(({ id, user }) => id > first && user.login === 'echelon[bot]')
    .map(({ body }) => body.replaceAll('\u200b', ''));
  const odd: string[] = [];
  for (const [command, id] of ids) {
    const name = cellName(at, command);
    played.add(name);
    const outcome: Outcome = outcomes[rowOf(at)[command]];
    const reactions = await d.reactions(id);
    // GitHub shows them in an order of its own.
    if (reactions.toSorted().join() !== outcome.reactions.toSorted().join())
      odd.push(`${name}: reacted with ${reactions.join(', ') || 'nothing'}`);
    const view = d.local.installations.repositories()[0]?.views.get(d.issue);
    if (isFollowed(at, command) && view && effects[command]?.(view) === false)
      odd.push(`${name}: followed, and nothing came of it`);
    const { says } = outcome;
    if (says === 'nothing') {
      if (said.length > 0) odd.push(`${name}: answered`);
      continue;
    }
    const text = says?.({ command, on: at.on, state: at.state });
    if (text !== undefined && !said.some(each => each.includes(text))) odd.push(`${name}: not said: ${text}`);
  }
  const replies = said.map(each => each.replaceAll('\n', ' ').slice(0, 150));
  expect(odd.length > 0 ? [...odd, ...replies] : []).toEqual([]);
}

/** All of these at once: none of them changes the state. */
async function playTogether(d: Dialogue, at: At, names: readonly CommandName[], text = typed): Promise<void> {
  const ids = new Map<CommandName, number>();
  for (const name of names) ids.set(name, await say(d, at.on, text[name]));
  await d.settled();
  await check(d, at, ids);
}

const play = (d: Dialogue, at: At, name: CommandName, text = typed) => playTogether(d, at, [name], text);

/** Changes nothing, or the limit of a run that does not wait for money, or an engineer's knowledge; the checks of all drafts are held. */
const harmless = ({ state }: At, name: CommandName) =>
  (name === 'budget' && !/money|layer failed/.test(state)) || ['tell', 'ready', 'merge'].includes(name);

const isFollowed = (at: At, name: CommandName): boolean => /^(followed|ends the run)$/.test(rowOf(at)[name]);

const changes = (at: At, name: CommandName): boolean => isFollowed(at, name) && !harmless(at, name);

const still = (at: At) => commandsOf(at).filter(name => !changes(at, name));

/** A pause is taken back. */
async function playPause(d: Dialogue, at: At): Promise<void> {
  if (!changes(at, 'pause')) return;
  await play(d, at, 'pause');
  await say(d, at.on, '/resume');
  await d.settled();
}

/** All that changes nothing, and a pause that is taken back. */
async function playStill(d: Dialogue, at: At): Promise<void> {
  await playTogether(d, at, still(at));
  await playPause(d, at);
}

const onDirective = (state: string): At => ({ page: 'directive', state, on: 1 });

test('before there is a run', async () => {
  await using d = await openDialogue(stories['waits for approval']);
  const noRun = onDirective('no run');
  const others = commandsOf(noRun).filter(name => name !== 'dry-run');
  await playTogether(d, noRun, others);
  await play(d, noRun, 'dry-run');
  await d.putFile('.github/echelon.yml', 'lable: x\n');
  await d.label();
  await playStill(d, onDirective('not begun'));
});

test('a run that waits for approval, and is cancelled', async () => {
  await using d = await openDialogue(stories['waits for approval']);
  await d.label();
  await playStill(d, onDirective('waits for approval'));
  await play(d, onDirective('waits for approval'), 'cancel');
  await playStill(d, onDirective('cancelled'));
});

test.for<[from: 'waits for an answer' | 'waits for money' | 'a layer failed', CommandName]>([
  ['waits for an answer', 'answer'],
  ['waits for money', 'budget'],
  ['a layer failed', 'retry'],
])('a run that %s, and goes on by /%s', async ([state, command]) => {
  await using d = await openDialogue(stories[state]);
  await d.label();
  await playStill(d, onDirective(state));
  await play(d, onDirective(state), command);
  if (command !== 'answer') return;
  // Nothing was scheduled.
  await playStill(d, onDirective('failed'));
  await play(d, onDirective('failed'), 'redirect');
});

test('a run that is paused, and then completed: on the directive, its sub-issue and its pull request', async () => {
  await using d = await openDialogue(stories.delivering);
  await d.label();
  await d.comment('you', '/pause\n/approve');
  const waits: At = { page: 'sub-issue', state: 'waiting, paused', on: 2 };
  await playStill(d, onDirective('paused'));
  await playStill(d, waits);
  await play(d, waits, 'resume');
  await d.ended();
  const pages: At[] = [
    onDirective('completed'),
    { page: 'sub-issue', state: 'delivered, completed', on: 2 },
    { page: 'pull request', state: 'open, completed', on: 3 },
  ];
  for (const at of pages) await playStill(d, at);
  // The first draft's checks wait, and those of the first round; the second round comes to nothing.
  for (const at of pages.slice(1)) {
    await play(d, at, 'checks');
    await play(d, at, 'fix');
    await d.until('the end of the round', () => placeOf(d, 'Done').state === 'done');
  }
  await play(d, onDirective('completed'), 'redirect');
}, 300_000);

test('a run that is cancelled: on its sub-issue', async () => {
  await using d = await openDialogue(stories.delivering);
  await d.label();
  await d.comment('you', '/pause\n/approve');
  await d.comment('you', '/cancel');
  await playStill(d, { page: 'sub-issue', state: 'cancelled', on: 2 });
});

test.for<CommandName[]>([
  [...new Set([...still(onDirective('a layer thinks')), 'budget'] as const)],
  ['resume', 'pause'],
])('while a layer thinks, one after the other: %s', async names => {
  await using thinking = await openThinking();
  const { d, goOn } = thinking;
  const at = onDirective('a layer thinks');
  const ids = new Map<CommandName, number>();
  for (const name of names) {
    const id = await say(d, at.on, typed[name]);
    ids.set(name, id);
    // At once, whatever the run is at.
    await until(`a reaction to /${name}`, async () => (await d.reactions(id)).at(0));
  }
  goOn();
  await d.settled();
  await check(d, at, ids);
});

test('at work: on the directive, its sub-issues and its pull request', async () => {
  await using d = await openWorking();
  const directive: At = { page: 'directive', state: 'at work', on: d.issue };
  const sub = (state: string, title: string): At => ({
    page: 'sub-issue',
    state,
    on: placeOf(d, title).issue,
  });
  const pull = (state: string): At => ({ page: 'pull request', state, on: placeOf(d, 'Done').pull });
  const asking = sub('asking', 'Ask');
  const failed = sub('failed', 'Fail');
  const blocked = sub('blocked', 'Block');
  const delivered = sub('delivered', 'Done');
  const isAgain = (title: string, state: string) =>
    d.until(`${title} ${state} again`, () => placeOf(d, title).state === state);
  // The first question is answered here, the second where it is asked.
  await play(d, directive, 'answer');
  await d.until('another question', async () => (await d.said()).some(text => text.startsWith('### Q2')));
  const subs = [
    sub('waiting', 'Wait'),
    sub('worked on', 'Run'),
    sub('left to a person', 'Skip'),
    sub('closed', 'Off'),
    asking,
    failed,
    blocked,
    delivered,
  ];
  for (const at of [directive, ...subs, pull('open')]) await playStill(d, at);
  await play(d, asking, 'answer', { ...typed, answer: '/answer Q2 yes' });
  await play(d, failed, 'retry');
  await isAgain('Fail', 'failed');
  await play(d, blocked, 'retry');
  await isAgain('Block', 'blocked');
  await play(d, directive, 'retry');
  for (const at of [delivered, pull('open')]) {
    // The first draft's wait, then those of the first round: the second round comes to nothing.
    await play(d, at, 'checks');
    await play(d, at, 'fix');
    await isAgain('Done', 'done');
  }
  const path = `/pulls/${pull('open').on}`;
  const steps: [string, string, string, object][] = [
    ['labelled WIP', 'POST', `/issues/${pull('open').on}/labels`, { labels: ['WIP'] }],
    ['closed', 'PATCH', path, { state: 'closed' }],
    ['', 'PATCH', path, { state: 'open' }],
    ['', 'DELETE', `/issues/${pull('open').on}/labels/WIP`, {}],
    ['merged', 'PUT', `${path}/merge`, {}],
  ];
  for (const [state, method, where, body] of steps) {
    await d.call('you', method, where, body);
    await d.settled();
    if (state === '') continue;
    await playStill(d, pull(state));
  }
  await play(d, directive, 'redirect');
  await play(d, directive, 'cancel');
}, 300_000);

/** Followed alike in every state where a run waits or thinks: played in some of them here, and in a test of its own. */
const elsewhere: Readonly<Record<string, string>> = {
  'directive, a layer thinks: /redirect': 'redirect.test.ts > before approval: that layer and those below',
  'directive, a layer thinks: /cancel': 'cancel.test.ts > what a layer had cost whose turn has not ended',
  'directive, waits for approval: /approve': 'approval.test.ts > /approve performs everything',
  'directive, waits for approval: /reject': 'approval.test.ts > /reject with a reason',
  'directive, waits for approval: /redirect':
    'redirect.test.ts > before approval: that layer and those below',
  'directive, waits for an answer: /redirect':
    'redirect.test.ts > before approval: that layer and those below',
  'directive, waits for an answer: /cancel':
    'cancel.test.ts > typed while the process is away and the run waits',
  'directive, waits for money: /redirect': 'redirect.test.ts > before approval: that layer and those below',
  'directive, waits for money: /cancel': 'cancel.test.ts > typed while the process is away and the run waits',
  'directive, a layer failed: /redirect': 'redirect.test.ts > before approval: that layer and those below',
  'directive, a layer failed: /cancel': 'cancel.test.ts > typed while the process is away and the run waits',
  'directive, a layer failed: /budget': 'money.test.ts > a layer that the provider would not serve',
  'directive, paused: /redirect': 'redirect.test.ts > before approval: that layer and those below',
  'directive, paused: /resume': 'pause.test.ts > what waits for a decision can be paused',
  'directive, paused: /cancel': 'cancel.test.ts > typed while the process is away and the run waits',
};

test(`all ${cells.length} cells were played`, () => {
  const unplayed = cells.map(each => cellName(each, each.command)).filter(name => !played.has(name));
  expect(unplayed.toSorted()).toEqual(Object.keys(elsewhere).toSorted());
  for (const place of Object.values(elsewhere)) {
    const [file = '', title = ''] = place.split(' > ');
    expect(readFileSync(join(import.meta.dirname, file), 'utf8')).toContain(`test('${title}`);
  }
});
