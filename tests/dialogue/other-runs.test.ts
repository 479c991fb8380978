// Two runs whose issues name the same files: the later listing says so before anybody approves.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { issues, quietLeads, type Reply, teamLead } from './script.ts';

const asks = (of: string, title: string, paths: string[]): Reply => ({
  ...teamLead('One issue.', issues({ title, paths, domain: 'backend' })),
  when: of,
});
/** The first run is to change `src/**`, the second a file in it and one that is nobody else's. */
const replies = [
  ...quietLeads,
  asks('Tidy the shelf', 'All of it', ['src/**']),
  asks('Mend the sum', 'One of it', ['src/sum.js', 'docs/sum.md']),
];

/** Begins a second run; answers its issue. */
async function second(d: Dialogue): Promise<number> {
  const { number } = await d.call<{ number: number }>('you', 'POST', '/issues', {
    ...{ title: 'Mend the sum', body: 'It is wrong.', labels: ['echelon'] },
  });
  await d.settled();
  return number;
}
const says = 'Others work on the same files.';

test('the second listing names the first run and the paths; the first names nobody', async () => {
  await using d = await openDialogue({ replies });
  await d.label();
  expect(await d.last()).not.toContain(says);
  const listing = await d.last(await second(d));
  expect(listing).toContain(`**${says}**`);
  expect(listing).toContain('- the run of #1: `src/sum.js` here and `src/**` there\n');
  expect(listing).not.toContain('docs/sum.md` here');
});

test('a run that has ended is not named', async () => {
  await using d = await openDialogue({ replies });
  await d.label();
  await d.comment('you', '/cancel');
  expect(await d.last(await second(d))).not.toContain(says);
});

test('a run that this process has not advanced is known by its record', async () => {
  await using d = await openDialogue({ replies });
  await d.label();
  for (const { views } of d.local.installations.repositories()) views.clear();
  expect(await d.last(await second(d))).toContain('the run of #1');
});

test('the listing stands, whatever has become of the other run when it is approved', async () => {
  await using d = await openDialogue({ replies });
  await d.label();
  const number = await second(d);
  await d.comment('you', '/cancel');
  await d.restart();
  await d.comment('you', '/approve', number);
  const created = await d.call<{ title: string }[]>('you', 'GET', '/issues?state=all');
  expect(created.map(({ title }) => title)).toContain('One of it');
});
