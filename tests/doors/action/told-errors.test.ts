// An error of the program in a job of a workflow: the issue says so, and what to type.
import { expect, test } from 'vitest';
import { bot, openOneIssue } from './one-issue.ts';

test('the issue says what to type, and that goes on', async () => {
  let met = 0;
  await using repository = await openOneIssue(
    {},
    {
      onCall(call, phase) {
        // The second comment is the first layer's reply.
        if (phase === 'received' && call.actor === bot && call.route.endsWith('/{issue_number}/comments'))
          if (call.method === 'POST' && ++met === 2) throw new Error('cut off');
      },
    },
  );
  const number = await repository.directive();
  const bodies = (await repository.comments(number)).map(({ body }) => body);
  // The job that follows a failed `settle` has gone on with the run meanwhile.
  const said = bodies.find(body => body.startsWith('Something went wrong')) ?? '';
  expect(said).toMatch(/^Something went wrong .* stands still: /);
  expect(said).toMatch(/`\/retry`/);
  expect(said).not.toMatch(/minutes/);
  await repository.say(number, '/retry');
  expect((await repository.view(number))?.status).toBe('completed');
}, 120_000);
