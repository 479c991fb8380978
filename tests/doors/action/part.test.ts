// Comments and acts on sub-issues and pull requests on Actions: another job takes them in.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OneIssue, openOneIssue } from './one-issue.ts';

let local: OneIssue;
let directive: number;
beforeAll(async () => {
  local = await openOneIssue({
    '.github/echelon.yml':
      "approval: none\nretries: 0\ndraft: false\nsetup: 'echo 1 > ~/made'\ntest: test -e ~/made\n",
  });
  directive = await local.directive();
}, 300_000);
afterAll(() => local?.close());

const board = async () =>
  (await local.comments(directive)).find(({ body }) => body.includes('<!-- echelon:record'))?.body;

test('each job of a workflow starts from what the setup installs', async () => {
  expect((await local.pull())?.body).toContain('`test -e ~/made`');
});

test('a command on a sub-issue is taken in by a job of the directive, and answered where it stands', async () => {
  await local.say(directive + 1, '/retry');
  expect((await local.comments(directive + 1)).at(-1)?.body).toMatch(
    /^`\/retry` by `you` was not followed: /,
  );
}, 300_000);

test('a pull request that a person merges is merged on the board', async () => {
  const pull = await local.pull();
  await local.call('PUT', `/pulls/${pull?.number}/merge`, {});
  await local.idle();
  expect(await board()).toContain('| merged |');
}, 300_000);
