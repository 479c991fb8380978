// The look at all labelled issues from minute to minute: what it takes up, and what it leaves alone.
import { afterEach, expect, test, vi } from 'vitest';
import { appManifest } from '../../src/doors/app/registration.ts';
import { type Dialogue, openDialogue } from './fixture.ts';
import { passes, quiet, toWork, waiting } from './script.ts';

afterEach(() => void vi.useRealTimers());

async function look(d: Dialogue, thorough = true) {
  // Changes of the last seconds are not told apart.
  vi.setSystemTime(Date.now() + 60_000);
  const before = d.forge.calls.length;
  await d.local.webhooks.reconcileAll(thorough);
  await d.settled();
  return d.forge.calls.slice(before);
}

test('a hundred newer issues with the label do not hide an older run', { timeout: 300_000 }, async () => {
  await using d = await openDialogue({ replies: waiting.replies });
  await d.label();
  // Put on by who may not begin a run, as a form would.
  const labels = ['echelon'];
  await d.whileAway(async forge => {
    for (let n = 0; n < 101; n++)
      await forge.call('tom', 'POST', '/repos/you/shelf/issues', { title: `Noise ${n}`, body: '', labels });
    await forge.call('you', 'POST', `/repos/you/shelf/issues/${d.issue}/comments`, { body: '/approve' });
  });
  expect(await d.status()).not.toBe('waiting: approval');
});

test('an issue whose beginning was refused is not read again until something about it changes', async () => {
  await using d = await openDialogue({ replies: quiet });
  await d.label('tom');
  const reads = async (thorough = false) =>
    (await look(d, thorough)).filter(
      ({ path, route }) => path.includes(`/issues/${d.issue}`) || route === 'POST /graphql',
    ).length;
  await reads();
  expect(await reads()).toBe(0);
  await d.comment('rita', 'What about this one?');
  expect(await reads()).toBeGreaterThan(0);
  expect(await reads()).toBe(0);
  // Looked at all the same, now and then.
  expect(await reads(true)).toBeGreaterThan(0);
  await d.whileAway(async forge => {
    await forge.call('you', 'DELETE', `/repos/you/shelf/issues/${d.issue}/labels/echelon`);
    await forge.call('you', 'POST', `/repos/you/shelf/issues/${d.issue}/labels`, { labels: ['echelon'] });
  });
  expect(await d.status()).toBe('failed');
});

test('an issue that cannot be read does not hold up the others', async () => {
  let broken = 0;
  await using d = await openDialogue({
    replies: waiting.replies,
    onCall(call, phase) {
      if (phase === 'received' && broken > 0 && call.path.includes(`/issues/${broken}/events`))
        throw new Error('cut off');
    },
  });
  const { number } = await d.call<{ number: number }>('you', 'POST', '/issues', { title: 'A', body: 'B' });
  broken = d.issue;
  await d.whileAway(async forge => {
    for (const each of [d.issue, number])
      await forge.call('you', 'POST', `/repos/you/shelf/issues/${each}/labels`, { labels: ['echelon'] });
  });
  expect((await d.comments(number)).length).toBeGreaterThan(0);
  expect(d.logged.join('\n')).toContain(`you/shelf#${d.issue}`);
});

test('what is said on a run that waits is taken up where no webhook tells of it', async () => {
  await using d = await openDialogue({ replies: waiting.replies });
  await d.label();
  expect(await d.status()).toBe('waiting: approval');
  const { name, default_permissions: permissions } = appManifest();
  d.forge.registerApp({ slug: 'echelon', name, webhookUrl: '', events: [], permissions });
  await d.call('you', 'POST', `/issues/${d.issue}/comments`, { body: '/approve' });
  await d.local.webhooks.reconcileAll(false);
  await d.settled();
  expect(await d.status()).not.toBe('waiting: approval');
});

test('drafts that wait cost no call of their own; a check of one that fails unseen is looked at', async () => {
  await using d = await openDialogue({
    config: 'approval: none\non_red: tell\n',
    replies: [
      ...toWork({ title: 'Add one' }, { title: 'Add two' }),
      ...['one', 'two'].flatMap(name => passes(`The body of Add ${name}`, { [`${name}.txt`]: 'x\n' })),
    ],
  });
  await d.label();
  await d.ended();
  const routes = async () => (await look(d)).map(({ route }) => route);
  while ((await routes()).includes('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'));
  await look(d);
  const idle = await routes();
  expect(idle.filter(route => route === 'POST /graphql')).toHaveLength(1);
  expect(idle.filter(route => route.includes('{issue_number}') || route.includes('{pull_number}'))).toEqual(
    [],
  );
  const { head } = await d.call<{ head: { sha: string } }>('you', 'GET', '/pulls/4');
  await d.call('you', 'POST', `/statuses/${head.sha}`, { state: 'failure', context: 'elsewhere' });
  await look(d);
  expect(await d.last(4)).toContain('**Checks have failed**: `elsewhere`');
});
