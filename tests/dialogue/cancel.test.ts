// `/cancel` ends the run that began, whenever it is typed after the label, and leaves no issue without a word.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ForgeOptions } from '../../packages/forge/forge.ts';
import { type Dialogue, openDialogue } from './fixture.ts';
import { costing, toWork, waiting } from './script.ts';

/** Two issues, and an engineer that never comes to an end by itself. */
const working = {
  processes: true as const,
  config: 'approval: none\n',
  replies: [
    ...toWork({ title: 'One' }, { title: 'Two', depends_on: [1] }),
    { for: 'engineer.director', tool_calls: [{ name: 'shell', input: { command: 'sleep 60' } }] },
  ],
};
const role = readFileSync('prompts/roles/2ic.xml', 'utf8');
const at = (d: Dialogue) => `/repos/you/shelf/issues/${d.issue}`;

/** Holds the App's first comment back until it is let go. */
function holdFirstComment() {
  const held = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const onCall: ForgeOptions['onCall'] = async (call, phase) => {
    if (phase !== 'received' || call.actor !== 'echelon[bot]') return;
    if (call.route !== 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments') return;
    held.resolve();
    await gate.promise;
  };
  return { onCall, held: held.promise, letGo: gate.resolve };
}

test('typed while the process is away, before there is a run comment', async () => {
  await using d = await openDialogue(waiting);
  await d.whileAway(async forge => {
    await forge.call('you', 'POST', `${at(d)}/labels`, { labels: ['echelon'] });
    await forge.call('wanda', 'POST', `${at(d)}/comments`, { body: '/cancel' });
  });
  expect(await d.status()).toBe('cancelled');
  expect(await d.story()).toMatch(
    /^The run was cancelled\. No issue was worked on\.\n\nCancelled by wanda\./,
  );
});

test('typed while the run begins, before its comment stands', async () => {
  const { onCall, held, letGo } = holdFirstComment();
  await using d = await openDialogue({ ...waiting, onCall });
  await d.call('you', 'POST', `/issues/${d.issue}/labels`, { labels: ['echelon'] });
  await held;
  await d.call('wanda', 'POST', `/issues/${d.issue}/comments`, { body: '/cancel' });
  await d.forge.webhooksSettled();
  letGo();
  await d.settled();
  expect(await d.status()).toBe('cancelled');
});

test('typed while the process is away and the run waits', async () => {
  await using d = await openDialogue(waiting);
  await d.label();
  await d.whileAway(async forge => {
    await forge.call('wanda', 'POST', `${at(d)}/comments`, { body: '/cancel' });
  });
  expect(await d.status()).toBe('cancelled');
});

test('typed while an error keeps coming', async () => {
  await using d = await openDialogue({
    ...waiting,
    onCall(call, phase) {
      if (phase === 'received' && call.route === 'POST /repos/{owner}/{repo}/git/refs')
        throw new Error('cut off');
    },
  });
  await d.label();
  await d.comment('wanda', '/approve');
  expect(await d.last()).toContain('Something went wrong');
  await d.comment('wanda', '/cancel');
  expect(await d.status()).toBe('cancelled');
});

test('typed while the program fails before it comes to anything new', async () => {
  await using d = await openDialogue({ ...waiting, files: { '.github/echelon/2ic.xml': role } });
  await d.label();
  await d.whileAway(async () => {
    rmSync(join(d.folder, 'data', 'mirrors'), { recursive: true });
    writeFileSync(join(d.folder, 'data', 'mirrors'), 'not a folder');
  });
  await d.comment('wanda', '/cancel');
  expect(await d.status()).toBe('cancelled');
});

test('of the run before: the next one is not touched by it', async () => {
  await using d = await openDialogue({ replies: waiting.replies.flatMap(each => [each, each]) });
  await d.label();
  await d.comment('wanda', '/cancel');
  await d.relabel();
  expect(await d.status()).toBe('waiting: approval');
});

test('by somebody who may not: the run goes on; another command before there is a run comment is answered, by what stands when it is read', async () => {
  await using d = await openDialogue(waiting);
  await d.whileAway(async forge => {
    await forge.call('you', 'POST', `${at(d)}/labels`, { labels: ['echelon'] });
    await forge.call('rita', 'POST', `${at(d)}/comments`, { body: '/cancel' });
    await forge.call('wanda', 'POST', `${at(d)}/comments`, { body: '/approve' });
  });
  expect((await d.said()).join()).toMatch(
    /`\/approve` by `wanda` was not followed: (nothing waits for approval now|your comment is older than the listing it would decide on)\./,
  );
  expect(await d.status()).toBe('waiting: approval');
});

test('every sub-issue that is open is told, once', async () => {
  await using d = await openDialogue(working);
  await d.label();
  await d.progress('a job', () => d.events.some(event => event.type === 'slot_changed'));
  await d.comment('wanda', '/cancel');
  const told = `The run of #${d.issue} was cancelled by \`wanda\`: nobody works on this issue any more. Close it, or take it up yourself; the label put on #${d.issue} again begins a new run with issues of its own.`;
  expect([await d.said(d.issue + 1), await d.said(d.issue + 2)]).toEqual([[told], [told]]);
  await d.restart();
  await d.comment('wanda', '/cancel');
  expect([await d.said(d.issue + 1), await d.said(d.issue + 2)]).toEqual([[told], [told]]);
});

test('a sub-issue that was closed is left alone', async () => {
  await using d = await openDialogue(working);
  await d.label();
  await d.progress('a job', () => d.events.some(event => event.type === 'slot_changed'));
  await d.call('you', 'PATCH', `/issues/${d.issue + 2}`, { state: 'closed' });
  await d.comment('wanda', '/cancel');
  expect([(await d.said(d.issue + 1)).length, await d.said(d.issue + 2)]).toEqual([1, []]);
});

test('half way of a batch, an issue whose creation nobody wrote down is told too', async () => {
  let created = 0;
  await using d = await openDialogue({
    ...working,
    onCall(call, phase) {
      if (call.route !== 'POST /repos/{owner}/{repo}/issues' || call.actor !== 'echelon[bot]') return;
      if (phase === 'applied' && ++created === 2) throw new Error('cut off');
    },
  });
  await d.label();
  expect(await d.last()).toContain('Something went wrong');
  await d.comment('wanda', '/cancel');
  expect(await d.status()).toBe('cancelled');
  for (const issue of [d.issue + 1, d.issue + 2])
    expect(await d.said(issue)).toEqual([expect.stringContaining('was cancelled by `wanda`')]);
});

test('a job that cannot be started is a failed attempt, and the run ends', async () => {
  await using d = await openDialogue({ ...working, config: 'retries: 0\n' });
  await d.label();
  const jobs = join(d.folder, 'data', 'jobs');
  renameSync(jobs, `${jobs}-away`);
  writeFileSync(jobs, 'not a folder');
  await d.comment('wanda', '/approve');
  expect(await d.status()).toBe('failed');
  expect((await d.said(d.issue + 1)).join()).toContain('the job could not be started or read');
});

test('what a layer had cost whose turn has not ended is in the sum', async () => {
  await using d = await openDialogue({
    replies: [
      costing({ for: '2ic', tool_calls: [{ name: 'read_file', input: { path: 'README.md' } }] }, 1.5),
      { for: '2ic', error: { type: 'rate_limit', retry_after: 300 } },
    ],
  });
  await d.label();
  await d.comment('wanda', '/cancel');
  expect(await d.last()).toContain('$1.50 of $50.00');
});
