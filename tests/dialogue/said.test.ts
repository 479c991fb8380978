// A run that has said all it may: commands get a frown, and what it has to say and cannot ends it.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { branch, engineeringLead, strategist, teamLead } from './script.ts';

test('two hundred comments and no more', { timeout: 240_000 }, async () => {
  await using d = await openDialogue({
    replies: [
      { ...engineeringLead('Another place.', branch('middle')), when: 'The person rejected' },
      strategist('As directed.'),
      engineeringLead('A place.', branch('left')),
      teamLead('Nothing.'),
    ],
  });
  await d.label();
  const retries = Array.from({ length: 20 }, () => '/retry').join('\n');
  for (let n = 0; n < 10; n++) await d.comment('wanda', retries);
  const said = async () =>
    (await d.call<unknown[]>('you', 'GET', `/issues/${d.issue}/comments?per_page=100&page=3`)).length;
  const before = await said();
  const frowned = await d.comment('wanda', '/retry');
  expect([await said(), await d.reactions(frowned)]).toEqual([before + 1, ['eyes', 'confused']]);
  expect(await d.status()).toBe('waiting: approval');
  await d.comment('wanda', '/reject not there');
  expect(await d.status()).toBe('failed');
  expect((await d.board()).body).toContain(
    'It was stopped: it has written 200 comments, the most that a run may.',
  );
  // It is over: a label begins another run.
  await d.relabel();
  expect(d.events.filter(({ type }) => type === 'run_started')).toHaveLength(2);
});
