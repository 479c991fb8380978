// A run that has said all it may: commands get a frown, and what it has to say and cannot ends it.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { branch, engineeringLead, strategist, teamLead } from './script.ts';

test('as many comments as the configuration allows and no more', async () => {
  await using d = await openDialogue({
    config: 'limits: { comments: 10 }\n',
    replies: [
      { ...engineeringLead('Another place.', branch('middle')), when: 'The person rejected' },
      strategist('As directed.'),
      engineeringLead('A place.', branch('left')),
      teamLead('Nothing.'),
    ],
  });
  await d.label();
  const retries = Array.from({ length: 20 }, () => '/retry').join('\n');
  await d.comment('wanda', retries);
  expect(await d.said()).toHaveLength(10);
  const frowned = await d.comment('wanda', '/retry');
  expect([(await d.said()).length, await d.reactions(frowned)]).toEqual([10, ['eyes', 'confused']]);
  expect(await d.status()).toBe('waiting: approval');
  await d.comment('wanda', '/reject not there');
  expect(await d.status()).toBe('failed');
  expect((await d.board()).body).toContain(
    'It was stopped: it has written 10 comments, the most that a run may (`limits.comments`).',
  );
  // It is over: a label begins another run.
  await d.relabel();
  expect(d.events.filter(({ type }) => type === 'run_started')).toHaveLength(2);
});
