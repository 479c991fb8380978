// The project's tests at the base: run once before anything is listed; red is shown and told, what cannot run starts nobody.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { director, evaluator, issues, quietLeads, type Reply, strategist, teamLead, work } from './script.ts';

const mend = { title: 'Put the books upright', domain: 'backend' };
const asks: Reply[] = [...quietLeads, teamLead('To work.', issues(mend), work)];
const red = 'echo "✔ has books"\ntest -e upright || { echo "✖ stands upright (3ms)"; exit 1; }\n';
const missing = 'exec no-such-runner --all\n';

const reports = (d: Dialogue) =>
  readdirSync(join(d.folder, 'data/jobs')).filter(op =>
    existsSync(join(d.folder, 'data/jobs', op, 'report.json')),
  );

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

test('tests that cannot run start no engineer: the listing and /approve say what to set, the rest can be approved', async () => {
  await using d = await openDialogue({
    files: { 'test.sh': missing },
    replies: [...asks, teamLead('Then not.')],
  });
  await d.label();
  const listing = await d.last();
  expect(listing).toContain(
    'cannot run: a program was not found (exit code 127).** No engineer is started. Set `test`',
  );
  expect(listing).toContain('no-such-runner');
  await d.comment('wanda', '/approve');
  expect(await d.last()).toContain(
    'the tests cannot run at the base: a program was not found (exit code 127)',
  );
  expect(await d.last()).toContain('`/approve a1` approves the rest');
  await d.comment('wanda', '/approve a2');
  expect(await d.last()).toContain('the tests cannot run at the base');
  await d.comment('wanda', '/approve a1');
  await d.comment('wanda', '/reject a2 later');
  await d.ended();
  expect(d.attemptFolders()).toEqual([]);
  const [, sub] = (await d.call<{ title: string }[]>('you', 'GET', '/issues?state=all')).toReversed();
  expect(sub?.title).toBe(mend.title);
});

test('/retry runs tests that could not run once more, and lists again what they came to', async () => {
  await using d = await openDialogue({
    // The first time there is no runner yet, as on a machine where it is installed later.
    files: { 'test.sh': 'test -e ../../../ready || exit 127\n' },
    replies: [...asks, ...director(mend.title, { upright: '' }), evaluator(mend.title, true)],
  });
  await d.label();
  expect(await d.last()).toContain('cannot run');
  writeFileSync(join(d.folder, 'data/ready'), '');
  await d.comment('wanda', '/retry');
  expect(await d.last()).toContain('The tests at the base (`sh test.sh`) are green.');
  await d.comment('wanda', '/approve');
  await d.ended();
  expect(d.events.findLast(({ type }) => type === 'run_settled')).toMatchObject({ status: 'completed' });
});

test('/retry where the tests were green is told that nothing has failed', async () => {
  await using d = await openDialogue({ replies: asks });
  await d.label();
  await d.comment('wanda', '/retry');
  expect(await d.last()).toContain('nothing has failed that could be tried again now');
  expect(await d.status()).toBe('waiting: approval');
});

test('approval: none and tests that cannot run: the issues are made, nobody works on them, and the end says why', async () => {
  await using d = await openDialogue({
    config: 'approval: none\n',
    files: { 'test.sh': missing },
    replies: asks,
  });
  await d.label();
  await d.ended();
  expect(d.attemptFolders()).toEqual([]);
  expect((await d.board()).body).toContain('No engineer is started: the tests cannot run at the base');
});

test('a dry run runs no tests', async () => {
  await using d = await openDialogue({ config: 'dry_run: true\n', replies: asks });
  await d.label();
  await d.ended();
  expect(existsSync(join(d.folder, 'data/jobs'))).toBe(false);
});

test('what they came to while a layer waits for an answer is there when it is asked for', async () => {
  const question = { action: 'request_info', target: 'ceo', question: 'Which colour?' };
  await using d = await openDialogue({
    files: { 'test.sh': red },
    replies: [
      { ...strategist('Then blue.'), when: '> Blue.' },
      strategist('I must know.', question),
      ...asks.slice(1),
    ],
  });
  await d.label();
  await d.progress('a report of the tests', () => reports(d).length === 1);
  await d.restart();
  await d.comment('mia', '/answer Q1 Blue.');
  await d.until('the listing', async () => (await d.status()) === 'waiting: approval');
  expect(await d.last()).toContain('are red: they exit 1');
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

test('a run that asks for nothing ends them with itself', async () => {
  await using d = await openDialogue({
    files: { 'test.sh': 'exec sleep 60\n' },
    replies: [...quietLeads, teamLead('Nothing to do.')],
  });
  await d.call('you', 'POST', `/issues/${d.issue}/labels`, { labels: ['echelon'] });
  await d.ended();
  expect(d.killJob()).toBe(false);
  expect((await d.board()).body).not.toContain('The tests at the base');
});
