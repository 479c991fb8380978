// A run works on the labelled text, even if others change the issue after the label.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { quietLeads, teamLead } from './script.ts';

const replies = [...quietLeads, teamLead('Nothing to do.')];

/** Sam's issue is labelled by wanda while the App is away, and then `edits` come, each a login and what it sets. */
async function labelled(d: Dialogue, ...edits: [string, { title?: string; body?: string }][]) {
  const { number } = await d.call<{ number: number }>('sam', 'POST', '/issues', {
    ...{ title: 'A small thing', body: 'Please mend it.' },
  });
  const at = `/repos/you/shelf/issues/${number}`;
  // The text as first written is dated as a change is; it is older than the label.
  const second = Math.floor(Date.now() / 1000);
  await d.progress('the next second', () => Date.now() / 1000 >= second + 1);
  await d.whileAway(async forge => {
    await forge.call('wanda', 'POST', `${at}/labels`, { labels: ['echelon'] });
    for (const [login, text] of edits) {
      const { status } = await forge.call(login, 'PATCH', at, text);
      if (status !== 200) throw new Error(`${login} may not edit: ${status}`);
    }
  });
  return (await d.said(number)).at(-1);
}

test('a title changed behind the label by who opened the issue: no run, and why', async () => {
  await using d = await openDialogue({ replies });
  expect(await labelled(d, ['sam', { title: 'A very large thing' }])).toMatchInlineSnapshot(
    `"The run does not begin: the title was changed by sam, who has no write access, after the label was put on. Read the issue again. Then take the label off and put it on again."`,
  );
});

test('changed by who may write: the run begins with the text as it stands now', async () => {
  await using d = await openDialogue({ replies });
  expect(await labelled(d, ['mia', { title: 'A better title', body: 'Mend this.' }])).toContain(
    'The run has failed. No issue was worked on.',
  );
  const titles = d.events.flatMap(event => (event.type === 'run_started' ? [event.directive] : []));
  expect(titles).toEqual(['A better title']);
});
