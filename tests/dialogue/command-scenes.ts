// The smallest stories that lead a run to each state of the command table.
import { type Dialogue, type Given, openDialogue } from './fixture.ts';
import {
  costing,
  director,
  engineeringLead,
  evaluator,
  passes,
  plan,
  quiet,
  quietLeads,
  strategist,
  teamLead,
  toWork,
  waiting,
} from './script.ts';

const viewOf = (d: Dialogue) => d.local.installations.repositories()[0]?.views.get(d.issue);
const slot = (d: Dialogue, title: string) => viewOf(d)?.issues.find(each => each.title === title);
const isState = (d: Dialogue, title: string, state: string) => slot(d, title)?.state === state;

/** The redirected layers have nothing to do. */
const redirected = [
  { ...strategist('As you like.'), when: 'another way', times: 5 },
  { ...engineeringLead('As you like.'), when: 'another way', times: 5 },
  { ...teamLead('Nothing to do.'), when: 'another way', times: 5 },
];
const asking = strategist('I must know.', {
  action: 'request_info',
  target: 'ceo',
  question: 'Which colour?',
});
const answered = { ...strategist('Then blue it is.'), when: '> yes' };
const told = (title: string) => `Title: "${title}"`;
const planned = strategist('As directed.', plan('The plan: shelves first.'));

/** One round more of the engineer, after `/fix brighter`. */
const round = (files: Record<string, string>) => [
  ...director('brighter', files).slice(0, -1),
  {
    for: 'engineer.director',
    when: 'brighter',
    text: '<result status="COMPLETE">\n<content>It is.</content>\n<output name="answers">[]</output>\n</result>',
  },
  evaluator('It is.', true),
];

/** The stories, by the state in which each begins. */
export const stories = {
  'waits for approval': { replies: [...redirected, ...waiting.replies] },
  'waits for an answer': {
    replies: [...redirected, answered, asking, quietLeads[1]!, teamLead('Nothing to do.')],
  },
  'waits for money': {
    config: 'budget: { total: 1 }\n',
    replies: [...redirected, costing(planned, 1), quietLeads[1]!, teamLead('Nothing to do.')],
  },
  'a layer failed': {
    replies: [{ for: '2ic', error: { type: 'crash' } }, ...redirected, ...quiet],
  },
  /** One issue, #2, that is delivered as #3. */
  delivering: {
    replies: [
      ...redirected,
      ...toWork({ title: 'Done' }),
      ...passes(told('Done'), { 'done.txt': '1\n' }),
      ...round({ 'done.txt': '2\n' }),
    ],
  },
} satisfies Record<string, Given>;

const names = ['Run', 'Ask', 'Done', 'Fail', 'Block', 'Wait', 'Skip', 'Off'];
const own = (title: string, more: object = {}) => ({
  title,
  domain: 'docs',
  paths: [`${title}/**`],
  ...more,
});

/** One run at work, in which there is an issue in every state; its job does not end by itself. */
export async function openWorking(): Promise<Dialogue> {
  const d = await openDialogue({
    processes: true,
    config: 'approval: none\nretries: 0\nrounds: 1\nmax_parallel: 8\ndraft: false\n',
    files: { 'test.sh': 'test ! -e Run/a || sleep 600\n' },
    replies: [
      ...redirected,
      ...toWork(
        own('Run'),
        own('Ask'),
        own('Done'),
        own('Fail'),
        own('Block', { depends_on: [4] }),
        own('Wait', { depends_on: [1] }),
        own('Skip', { labels: ['WIP'] }),
        own('Off', { depends_on: [1] }),
      ),
      ...director(told('Run'), { 'Run/a': '1\n' }),
      {
        for: 'engineer.director',
        when: told('Ask'),
        tool_calls: [{ name: 'ask', input: { question: 'Which colour?' } }],
      },
      ...passes(told('Done'), { 'Done/a': '1\n' }),
      ...round({ 'Done/a': '2\n' }),
      ...director(told('Fail'), { 'Fail/a': '1\n' }),
      evaluator(told('Fail'), false, 'No.'),
    ],
  });
  await d.label();
  const there = { Ask: 'stuck', Done: 'done', Fail: 'failed', Block: 'blocked', Skip: 'skipped' };
  for (const [title, state] of Object.entries(there))
    await d.until(`${title} ${state}`, () => isState(d, title, state));
  const off = names.indexOf('Off') + 2;
  await d.call('you', 'PATCH', `/issues/${off}`, { state: 'closed' });
  await d.until('Off cancelled', () => isState(d, 'Off', 'cancelled'));
  return d;
}

/** Numbers of an issue and of its pull request, and how it stands, by its title. */
export function placeOf(d: Dialogue, title: string): { issue: number; pull: number; state: string } {
  const found = slot(d, title);
  return { issue: found?.number ?? 0, pull: found?.pull ?? 0, state: found?.state ?? '' };
}

/** The first layer has replied, and the run cannot go on before `goOn`: to all others it still thinks. */
export async function openThinking() {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: replied, resolve: hasReplied } = Promise.withResolvers<void>();
  let d: Dialogue | undefined;
  const opened = await openDialogue({
    ...stories['waits for approval'],
    // No tests at the base, whose end the run could wait for before it lists: what is said now is always read at the listing.
    test: '',
    debug: true,
    // Its reply is saved in the run comment.
    async onCall({ method }, phase) {
      if (method !== 'PATCH' || phase !== 'received') return;
      if (!d?.logged.some(line => line.startsWith('event model_reply'))) return;
      hasReplied();
      await held;
    },
  });
  d = opened;
  await opened.call('you', 'POST', `/issues/${opened.issue}/labels`, { labels: ['echelon'] });
  await replied;
  return {
    d: opened,
    goOn,
    async [Symbol.asyncDispose]() {
      goOn();
      await opened[Symbol.asyncDispose]();
    },
  };
}
