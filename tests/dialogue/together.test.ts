// What is delivered is tried together before the end is said: which branches do not fit, and what comes of /fix.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { director, evaluator, issues, quietLeads, type Reply, teamLead, work } from './script.ts';

const config = 'approval: none\n';

/** Issues that run side by side, each with the files that its engineer writes. */
const siblings = (...each: [title: string, files: Record<string, string>][]): Reply[] => [
  ...quietLeads,
  teamLead(
    'To work.',
    issues(...each.map(([title], at) => ({ title, domain: ['backend', 'docs', 'frontend'][at] }))),
    work,
  ),
  ...each.flatMap(([title, files]) => [
    ...director(`The body of ${title}`, files),
    evaluator(`The body of ${title}`, true),
  ]),
];

const end = async (d: Dialogue) =>
  (await d.said()).findLast(text => /^The run is completed/.test(text)) ?? '';
/** The pull request of an issue, by its title. */
const pullOf = async (d: Dialogue, title: string) =>
  (await d.call<{ number: number; title: string }[]>('you', 'GET', '/pulls')).find(
    pull => pull.title === title,
  )?.number ?? 0;
const togethers = (d: Dialogue) =>
  d.events.flatMap(event => (event.type === 'together' ? [event.state] : []));

test('branches that pass alone and together: one sentence in the end', async () => {
  await using d = await openDialogue({
    config,
    replies: siblings(['Left', { left: '1\n' }], ['Right', { right: '1\n' }]),
  });
  await d.label();
  await d.ended();
  expect(togethers(d)).toEqual(['running', 'green']);
  expect(await end(d)).toContain('Merged together they pass the tests.');
  expect((await d.board()).body).not.toContain('ogether');
});

test('branches that conflict are named, with what to type, on the board and in the end', async () => {
  await using d = await openDialogue({
    config,
    replies: siblings(
      ['Left', { same: 'left\n' }],
      ['Right', { same: 'right\n' }],
      ['Else', { else: '1\n' }],
    ),
  });
  await d.label();
  await d.ended();
  const [left, right] = [await pullOf(d, 'Left'), await pullOf(d, 'Right')];
  expect(togethers(d)).toEqual(['conflict']);
  const said = `**#${left} and #${right} conflict**, in \`same\`. Type \`/fix #${right}\` here`;
  expect(await end(d)).toContain(said);
  expect((await d.board()).body).toContain(said);
});

test('of three that pass alone the two are found that fail together', async () => {
  await using d = await openDialogue({
    config,
    files: { 'test.sh': 'test ! -e left -o ! -e right || { echo "✖ stands (3ms)"; exit 1; }\n' },
    replies: siblings(['Left', { left: '1\n' }], ['Else', { else: '1\n' }], ['Right', { right: '1\n' }]),
  });
  await d.label();
  await d.ended();
  const [left, right] = [await pullOf(d, 'Left'), await pullOf(d, 'Right')];
  expect(await end(d)).toContain(
    `**#${left} and #${right} pass alone and fail together** (exit code 1: stands). Type \`/fix #${right}\` here`,
  );
});
