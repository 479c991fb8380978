// Stories as they are played: the page of an issue after each, kept to be read with fresh eyes (`npx vitest -u` makes them anew).
import { expect, test } from 'vitest';
import { type Dialogue, type Given, openDialogue } from '../dialogue/fixture.ts';
import {
  branch,
  costing,
  director,
  engineeringLead,
  evaluator,
  issues,
  plan,
  type Reply,
  strategist,
  teamLead,
  work,
} from '../dialogue/script.ts';

import { pageOf } from './page.ts';

const issue = {
  title: 'Print the list as JSON',
  body: 'Scripts want to read the list.\n\n- `--json` prints it as JSON\n- the README says so',
};
const leads: Reply[] = [
  costing(
    strategist(
      'The list gets a `--json` flag, and the README says so.',
      plan('1. The flag.\n2. The README.'),
    ),
    0.03,
  ),
  costing(engineeringLead('The flag belongs into `list.sh`; nothing else has to change.'), 0.02),
];
const flag = {
  title: 'Add a --json flag',
  body: 'Print the list as JSON where `--json` is given.\n\nDone when `sh list.sh --json` prints an array.',
  domain: 'backend',
  paths: ['list.sh'],
  estimate_minutes: 10,
};
const readme = {
  title: 'Describe --json in the README',
  body: 'Say in one sentence what `--json` does.',
  domain: 'docs',
  paths: ['README.md'],
  depends_on: [1],
};
const two = costing(teamLead('Two issues, one after the other.', issues(flag, readme), work), 0.02);
const written = (of: { title: string }, file: string, passes = true): Reply[] => [
  ...director(`Title: "${of.title}"`, { [file]: `${of.title}\n` }, `${of.title}: done.`),
  costing(
    evaluator(`Title: "${of.title}"`, passes, passes ? 'As asked.' : 'An array is asked for, not lines.'),
    0.2,
  ),
];
const branches = engineeringLead('Two places to work.', branch('left'), branch('right'));
const label = (d: Dialogue) => d.label('wanda');

const stories: [string, Given, (d: Dialogue) => Promise<unknown>][] = [
  [
    'good-01-two-issues-delivered',
    { issue, replies: [...leads, two, ...written(flag, 'list.sh'), ...written(readme, 'README.md')] },
    async d => {
      await label(d);
      await d.comment('wanda', '/approve');
      await d.ended();
    },
  ],
  [
    'good-02-a-question-is-answered',
    {
      issue,
      replies: [
        strategist('Before I plan: one thing is open.', {
          action: 'request_info',
          target: 'ceo',
          question: 'An array, or one object a line?',
        }),
        { ...strategist('An array, then.', plan('Print an array.')), when: 'An array, please' },
        engineeringLead('Nothing to add.', branch('json')),
        teamLead('Nothing to do.'),
      ],
    },
    async d => {
      await label(d);
      await d.comment('wanda', '/answer Q1 An array, please.');
    },
  ],
  [
    'good-03-rejected-once-then-approved',
    {
      issue,
      replies: [
        ...leads.slice(0, 1),
        engineeringLead('A place to work.', branch('left')),
        teamLead('Nothing to do.'),
        { ...engineeringLead('Then another place.', branch('json')), when: 'left is taken' },
      ],
    },
    async d => {
      await label(d);
      await d.comment('wanda', '/reject a1 left is taken');
    },
  ],
  ['good-04-dry-run', { issue, config: 'dry_run: true\n', replies: [...leads, two] }, label],
  [
    'bad-01-one-fails-the-other-is-blocked',
    {
      issue,
      config: 'retries: 0\nrounds: 1\n',
      files: { 'test.sh': 'test ! -e list.sh || { echo "✖ prints an array"; exit 1; }\n' },
      replies: [...leads, two, ...written(flag, 'list.sh', false)],
    },
    async d => {
      await label(d);
      await d.comment('wanda', '/approve');
      await d.ended();
    },
  ],
  [
    'bad-02-a-layer-fails',
    { issue, replies: [...leads.slice(0, 1), { for: 'eng-lead', error: { type: 'quota' } }] },
    label,
  ],
  [
    'bad-03-all-is-rejected',
    {
      issue,
      replies: [
        ...leads.slice(0, 1),
        branches,
        teamLead('Nothing to do.'),
        { ...engineeringLead('Then I have nothing to offer.'), when: 'The person rejected' },
      ],
    },
    async d => {
      await label(d);
      await d.comment('wanda', '/reject Not in this release.');
    },
  ],
  [
    'bad-04-the-limit-is-used-up-while-planning',
    { issue, config: 'budget: { total: 0.03 }\n', replies: leads },
    label,
  ],
  [
    'bad-06-approval-edited-away',
    { issue, replies: [...leads.slice(0, 1), branches, teamLead('Nothing to do.')] },
    async d => {
      await label(d);
      const [listing] = await d.listings();
      await d.edit('mia', listing!.id, listing!.body.replaceAll('right', 'wrong'));
      await d.comment('wanda', '/approve');
    },
  ],
];

test.for(stories)('%s', async ([name, given, play]) => {
  await using d = await openDialogue(given);
  await play(d);
  await expect(await pageOf(d)).toMatchFileSnapshot(`${name}.md`);
});
