// The model that a template of the repository names: known before anything is asked, for layers and jobs alike.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { passes, toWork } from './script.ts';

const config = 'approval: none\nretries: 0\nmodels:\n  cheap: claude-haiku-5-5\n';
const naming = (file: string, model: string) =>
  readFileSync(file, 'utf8').replace(/<\/limits>|<\/instructions>/, end => `${end}<model>${model}</model>`);
const replies = [
  ...toWork({ title: 'Add a shelf mark' }),
  ...passes('Add a shelf mark', { 'mark.txt': 'A1\n' }),
];
const role = (model: string) => ({
  '.github/echelon/2ic.xml': naming('prompts/roles/2ic.xml', model),
});
const program = (model: string) => ({
  '.github/echelon/implement-issue.xml': naming('prompts/programs/implement-issue.xml', model),
});

test.each([
  ['a role', role('chaep'), 'settled'],
  ['a program', program('chaep'), 'ended'],
] as const)('an unknown one in %s is refused with the nearest', async (_name, files, until) => {
  await using d = await openDialogue({ config, files, replies });
  await d.label();
  await d[until]();
  const all = [await d.story(), await d.story(2).catch(() => '')].join('\n');
  expect(all).toMatch(/unknown model chaep; did you mean .?"cheap.?"/);
});

test.each([
  ['an alias of the configuration in a role, a tier in a program', { ...role('cheap'), ...program('small') }],
  ['an alias of the configuration in a program', program('cheap')],
])('known: %s', async (_name, files) => {
  await using d = await openDialogue({ config, files, replies });
  await d.run();
  expect(await d.last()).toContain('1 delivered');
});
