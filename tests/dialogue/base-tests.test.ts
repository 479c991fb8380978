// The project's tests at the base: run once before anything is listed; red is shown and told, what cannot run starts nobody.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { director, evaluator, type Reply, toWork } from './script.ts';

const mend = { title: 'Put the books upright', domain: 'backend' };
const asks: Reply[] = [...toWork(mend)];
const red = 'echo "✔ has books"\ntest -e upright || { echo "✖ stands upright (3ms)"; exit 1; }\n';
const missing = 'exec no-such-runner --all\n';

test('red at the base: the listing names what is red, and engineer and evaluator are told after the approval', async () => {
  await using d = await openDialogue({
    files: { 'test.sh': red },
    replies: [
      ...asks,
      ...director('> stands upright', { upright: '' }),
      { ...evaluator(mend.title, true), when: '> stands upright' },
    ],
  });
  await d.label();
  expect(
    await d.last(),
  ).toContain(`**The tests at the base (\`sh test.sh\`) are red: they exit 1, 1 test failing or more.** An issue counts as done only when they exit 0 with its change, so approve this only where that is what the work is about.

- stands upright

<details><summary>What they printed</summary>

\`\`\`
✔ has books
✖ stands upright (3ms)
\`\`\`

</details>`);
  expect((await d.board()).body).toContain('The tests at the base (`sh test.sh`) are red (exit 1).');
  await d.comment('wanda', '/approve');
  await d.ended();
  expect(d.events.filter(({ type }) => type === 'run_settled')).toMatchObject([{ status: 'completed' }]);
  expect(readFileSync(join(d.attemptFolders()[0]!, 'job.json'), 'utf8')).toContain('exited 1 already');
});

/** The test command fails for want of a runner as soon as it is begun. */
const cannotRun = {
  files: { 'test.sh': missing },
  config: 'test: sh test.sh\n',
  test: null,
};
/** Model calls of the layers. */
const calls = (d: Dialogue) => d.logged.filter(line => line.startsWith('event model_reply')).length;

test('tests that cannot run stop the planning before its first model call: the board says why, and /retry goes on from there', async () => {
  await using d = await openDialogue({
    ...cannotRun,
    replies: [...asks, ...director(mend.title, { upright: '' }), evaluator(mend.title, true)],
    debug: true,
  });
  await d.label();
  expect(await d.status()).toBe('waiting: tests');
  const told = await d.last();
  expect(told).toContain('### The tests cannot run, so planning stopped');
  expect(told).toContain('cannot run: a program was not found (exit code 127).** Set `test` in');
  expect(told).toContain('no-such-runner');
  expect(told).not.toContain('/approve');
  const { body } = await d.board();
  expect(body).toContain('Waiting for you: [make the tests run](');
  expect(body).toContain('), then type `/retry`');
  expect(body).toContain('Then comment `/retry`: it reads these settings again from the default branch');
  await d.restart();
  await d.comment('wanda', '/approve');
  expect(await d.last()).toContain('nothing waits for approval now');
  await d.putFile('.github/echelon.yml', 'isolation: none\ntest: {\n');
  await d.comment('wanda', '/retry');
  expect(await d.last()).toContain('`/retry` by `wanda` was not followed: .github/echelon.yml:3:1 Flow map');
  await d.putFile('.github/echelon.yml', 'isolation: none\ntest: test ! -e wrong\n');
  expect(calls(d)).toBe(0);
  await d.comment('wanda', '/retry');
  await d.until('the listing', async () => (await d.status()) === 'waiting: approval');
  expect(calls(d)).toBe(3);
  expect(await d.last()).toContain('The tests at the base (`test ! -e wrong`) are green.');
  await d.comment('wanda', '/approve');
  await d.ended();
  expect(d.events.findLast(({ type }) => type === 'run_settled')).toMatchObject({ status: 'completed' });
});

test('approval: none and tests that cannot run: nothing is created, and test: "" goes on without tests', async () => {
  await using d = await openDialogue({
    ...cannotRun,
    config: `${cannotRun.config}approval: none\n`,
    replies: [...asks, ...director(mend.title, { upright: '' }), evaluator(mend.title, true)],
  });
  await d.label();
  expect(await d.status()).toBe('waiting: tests');
  expect(d.attemptFolders()).toEqual([]);
  await d.putFile('.github/echelon.yml', 'isolation: none\napproval: none\ntest: ""\n');
  await d.comment('wanda', '/retry');
  await d.ended();
  expect(d.events.findLast(({ type }) => type === 'run_settled')).toMatchObject({ status: 'completed' });
});

test('/cancel while they run ends them', async () => {
  await using d = await openDialogue({
    files: { 'test.sh': 'touch ../../../begun; exec sleep 60\n' },
    replies: asks,
  });
  await d.call('you', 'POST', `/issues/${d.issue}/labels`, { labels: ['echelon'] });
  await d.progress('tests that run', () => existsSync(join(d.folder, 'data/begun')));
  await d.call('wanda', 'POST', `/issues/${d.issue}/comments`, { body: '/cancel' });
  await d.ended();
  expect(await d.status()).toBe('cancelled');
  expect(d.killJob()).toBe(false);
});
