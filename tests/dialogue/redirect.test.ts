// /redirect: the layers plan again with a person's words; what has not begun is withdrawn, what runs or is delivered stays.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import {
  director,
  engineeringLead,
  evaluator,
  issues,
  type Reply,
  strategist,
  teamLead,
  toWork,
  work,
} from './script.ts';

const said = (d: Dialogue) => d.events.flatMap(event => (event.type === 'message' ? [event.layer] : []));
const states = (d: Dialogue) =>
  Object.fromEntries(
    (d.local.installations.repositories()[0]?.views.get(d.issue)?.issues ?? []).map(each => [
      each.title,
      each.state,
    ]),
  );
const listing = async (d: Dialogue) => (await d.said()).findLast(text => text.includes('/approve')) ?? '';

const replies = [
  ...toWork({ title: 'Light the lamp' }, { title: 'Dust the shelf' }),
  {
    ...teamLead(
      'Only the lamp, and a chair.',
      issues({ title: 'Light the lamp' }, { title: 'Mend the chair' }),
      work,
    ),
    when: 'no dust',
  },
  { ...teamLead('A chair, too.', issues({ title: 'Mend the chair' }), work), when: 'add a chair' },
  engineeringLead('No dust, then.'),
  strategist('Start over, then.'),
  ...['Light the lamp', 'Dust the shelf', 'Mend the chair'].flatMap(title => [
    ...director(`Title: "${title}"`, { [title.split(' ').at(-1)!]: 'done\n' }),
    evaluator(title, true),
  ]),
];

test('before approval: that layer and those below are asked again, and the new listing says what is different', async () => {
  await using d = await openDialogue({ replies });
  await d.label();
  const before = said(d).length;
  const comment = await d.comment('wanda', '/redirect @team-lead no dust');
  expect(said(d).slice(before)).toEqual(['team-lead']);
  expect(await d.reactions(comment)).toEqual(['eyes', 'rocket']);
  const shown = await listing(d);
  expect(shown).toContain('- New: "Mend the chair"');
  expect(shown).toContain('- Planned again: "Light the lamp"');
  expect(shown).toContain('- Not planned any more: "Dust the shelf"');
  await d.comment('you', '/approve');
  await d.ended();
  expect(states(d)).toEqual({ 'Light the lamp': 'done', 'Mend the chair': 'done' });
});

test('an old approval does not count for the new listing', async () => {
  await using d = await openDialogue({ replies });
  await d.label();
  await d.comment('you', '/redirect @team-lead no dust\n/approve');
  expect(await d.status()).toBe('waiting: approval');
});

test('while issues are worked: what has not begun is withdrawn and told, what runs is delivered', async () => {
  await using d = await openDialogue({ config: 'max_parallel: 1\n', replies });
  await d.label();
  await d.comment('you', '/approve');
  await d.comment('you', '/redirect @team-lead add a chair');
  await d.until('the new listing', async () => (await listing(d)).includes('Mend the chair'));
  expect(await d.last(3)).toContain('redirected the run before its work began');
  expect(await listing(d)).toContain('- Being worked on, and told before the next step: #2');
  await d.restart();
  await d.until('the delivery of what ran', () => states(d)['Light the lamp'] === 'done');
  await d.comment('you', '/approve');
  await d.ended();
  expect(states(d)).toEqual({
    'Light the lamp': 'done',
    'Dust the shelf': 'cancelled',
    'Mend the chair': 'done',
  });
  const rows = [...(await d.last()).matchAll(/^\| (\S+)(?: all\*\*)? \| \$([\d.]+)/gm)];
  expect(rows.map(([, name]) => name)).toEqual(['#2', '#5', 'Planning', '**In']);
  const [all = 0, ...parts] = rows.map(([, , usd]) => Number(usd)).toReversed();
  expect(parts.reduce((sum, each) => sum + each, 0)).toBeCloseTo(all, 9);
});

test('an engineer at work hears of it before its next step, and so does its evaluator', async () => {
  const gate = mkdtempSync(join(tmpdir(), 'echelon-gate-'));
  const go = join(gate, 'go');
  const wait = { name: 'shell', input: { command: `until test -e ${go}; do sleep 0.05; done` } };
  const heard = (reply: Reply): Reply => ({ ...reply, when: 'add a chair' });
  await using d = await openDialogue({
    // A next attempt would be told in any case.
    config: 'approval: none\nretries: 0\n',
    replies: [
      { for: 'engineer.director', when: 'Light the lamp', tool_calls: [wait] },
      ...director('Light the lamp', { lamp: 'with a chair\n' }).map(heard),
      heard(evaluator('Light the lamp', true, 'Heard.')),
      ...replies.slice(0, 2),
      teamLead('One.', issues({ title: 'Light the lamp' }), work),
      heard(teamLead('Nothing else.')),
    ],
  });
  await d.label();
  await d.progress('an engineer at work', () => d.attemptFolders().length > 0 && d.jobsRun());
  await d.comment('you', '/redirect @team-lead add a chair');
  writeFileSync(go, '');
  await d.ended();
  rmSync(gate, { recursive: true });
  expect(states(d)).toEqual({ 'Light the lamp': 'done' });
});

test('after the end: the run goes on', async () => {
  await using d = await openDialogue({ config: 'approval: none\n', replies });
  await d.run();
  const ends = () => d.events.filter(({ type }) => type === 'run_settled').length;
  const before = ends();
  await d.comment('you', '/redirect @team-lead add a chair');
  await d.until('another end', () => ends() > before);
  expect(states(d)['Mend the chair']).toBe('done');
  expect(await d.last()).toMatch(/; estimated were about[\s\S]*(?:\| #\d+ \| \$0\.[\s\S]*){3}Planning/);
});
