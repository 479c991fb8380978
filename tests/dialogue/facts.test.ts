// Acts of people without a comment: they close and reopen the directive and its sub-issues, take them over, take the
// label off.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Forge } from '../../packages/forge/forge.ts';
import { type Dialogue, openDialogue } from './fixture.ts';
import { playedOnce } from './played-once.ts';
import { costing, evaluator, issues, passes, quietLeads, teamLead, toWork, waiting, work } from './script.ts';

const openWaiting = playedOnce(waiting);
const lamp = {
  replies: [...toWork({ title: 'Light the lamp' }), ...passes('Light the lamp', { lamp: 'on\n' })],
};
/** Its engineer works until it is stopped. */
const forever = { ...lamp, processes: true as const, files: { 'test.sh': 'test ! -e lamp || sleep 600\n' } };
/** Approved and paused: its issue is there, and no engineer works on it. */
const openPaused = playedOnce(lamp, async d => {
  await d.label();
  await d.comment('you', '/pause\n/approve');
});

async function turn(d: Dialogue, issue: number, state: 'closed' | 'open') {
  await d.call('you', 'PATCH', `/issues/${issue}`, { state });
  await d.settled();
}
const state = (d: Dialogue) => d.local.installations.repositories()[0]?.views.get(d.issue)?.issues[0];

test('who closes the directive cancels its run', async () => {
  await using d = await openWaiting();
  await turn(d, d.issue, 'closed');
  expect(await d.status()).toBe('cancelled');
  expect((await d.board()).body).toContain('Cancelled: `you` closed this issue.');
});

test('closed while nobody listened: the run is cancelled all the same', async () => {
  await using d = await openWaiting();
  await d.whileAway(async forge => {
    await forge.call('you', 'PATCH', `/repos/you/shelf/issues/${d.issue}`, { state: 'closed' });
  });
  expect(await d.status()).toBe('cancelled');
});

/** A person with admin rights deletes an issue. */
async function remove(forge: Forge, number: number) {
  const { body } = await forge.call('you', 'GET', `/repos/you/shelf/issues/${number}`);
  const query = 'mutation ($id: ID!) { deleteIssue(input: {issueId: $id}) { repository { name } } }';
  await forge.call('you', 'POST', '/graphql', {
    query,
    variables: { id: (body as { node_id: string }).node_id },
  });
}
const gone =
  '#1, whose run this is part of, was deleted or moved to another repository: the run is over, and nobody works on this issue any more. Close it, or take it up yourself.';

test('a directive that is deleted while its engineer works: the job ends, the sub-issue is told, nothing else is written', async () => {
  await using d = await openDialogue({ ...forever, config: 'approval: none\n' });
  await d.label();
  await d.progress('an engineer at work', () => d.attemptFolders().length > 0 && d.jobsRun());
  const writes = () =>
    d.forge.calls.filter(({ kind, actor }) => kind === 'write' && actor === 'echelon[bot]');
  const before = writes().length;
  await remove(d.forge, d.issue);
  await d.settled();
  await d.progress('the end of the job', () => !d.jobsRun());
  await d.local.webhooks.reconcileAll(true);
  await d.settled();
  expect(
    writes()
      .slice(before)
      .map(({ path }) => path),
  ).toEqual(['/repos/you/shelf/issues/2/comments']);
  expect([await d.last(2), await d.branches(), d.logged]).toEqual([gone, [], []]);
  await d.comment('wanda', '/status', 2);
  expect(await d.last(2)).toBe(gone);
});

test('a directive that is deleted while a layer thinks: it is asked no more, and nothing is written', async () => {
  const [first, ...rest] = quietLeads;
  await using d = await openDialogue({
    replies: [{ ...first!, delay_ms: 60_000 }, ...rest, teamLead('Nothing to do.')],
  });
  await d.call('you', 'POST', `/issues/${d.issue}/labels`, { labels: ['echelon'] });
  await d.progress('a layer that thinks', () => d.events.some(({ type }) => type === 'agent_status'));
  await remove(d.forge, d.issue);
  await d.settled();
  expect([d.local.installations.repositories()[0]?.views.size, d.logged]).toEqual([0, []]);
});

test('a sub-issue that is deleted before its work begins is cancelled, and the run comes to its end', async () => {
  await using d = await openPaused();
  await remove(d.forge, 2);
  await d.ended();
  const reason = 'it was deleted, or moved to another repository';
  expect(state(d)).toMatchObject({ state: 'cancelled', reason });
  expect(d.logged).toEqual([]);
});

test('a sub-issue that is deleted while its engineer works: the job ends', async () => {
  await using d = await openDialogue({ ...forever, config: 'approval: none\n' });
  await d.label();
  await d.progress('an engineer at work', () => d.attemptFolders().length > 0 && d.jobsRun());
  await remove(d.forge, 2);
  await d.ended();
  await d.progress('the end of the job', () => !d.jobsRun());
  expect([state(d)?.state, await d.branches(), d.logged]).toEqual(['cancelled', [], []]);
});

test('a run that has ended stays as it is when its directive is closed', async () => {
  await using d = await openDialogue({ replies: [...quietLeads, teamLead('Nothing to do.')] });
  await d.run();
  const said = await d.said();
  await turn(d, d.issue, 'closed');
  expect(await d.said()).toEqual(said);
  expect(await d.status()).toBe('failed');
});

test('a sub-issue that is closed before its work begins is not worked; opened again it is', async () => {
  await using d = await openPaused();
  await turn(d, 2, 'closed');
  expect(state(d)).toMatchObject({ state: 'cancelled', reason: 'it was closed before its work began' });
  await turn(d, 2, 'open');
  await d.until('its delivery', () => state(d)?.state === 'done');
});

const assign = async (d: Dialogue, by: string, to: string) => {
  await d.call(by, 'POST', '/issues/2/assignees', { assignees: [to] });
  await d.settled();
};

test('a sub-issue that somebody takes before its work begins is left to them; given back it is worked', async () => {
  await using d = await openPaused();
  await assign(d, 'mia', 'wanda');
  expect(state(d)).toMatchObject({ state: 'skipped', reason: 'it was assigned to wanda by mia' });
  expect(await d.last(2)).toBe('This issue is left to a person.\n\nIt was assigned to wanda by mia.');
  await d.call('wanda', 'DELETE', '/issues/2/assignees', { assignees: ['wanda'] });
  await d.until('its delivery', () => state(d)?.state === 'done');
});

test('a sub-issue labelled WIP is left alone until the label is off; the third time it stays blocked', async () => {
  const two = teamLead('Two.', issues({ title: 'Light the lamp' }, { title: 'Dust the shelf' }), work);
  await using d = await openDialogue({ replies: [...quietLeads, two] });
  await d.label();
  // The other one waits, so that the run does not end.
  await d.comment('you', '/pause\n/approve');
  const states: (string | undefined)[] = [];
  for (let times = 1; times <= 3; times++) {
    await d.call('wanda', 'POST', '/issues/2/labels', { labels: ['WIP'] });
    await d.settled();
    states.push(state(d)?.state);
    await d.call('wanda', 'DELETE', '/issues/2/labels/WIP');
    await d.settled();
    states.push(state(d)?.state);
  }
  expect(states).toEqual(['skipped', 'pending', 'skipped', 'pending', 'skipped', 'blocked']);
  expect(state(d)?.reason).toBe('it was taken and given back too often');
});

test('a sub-issue that somebody takes while its engineer works: that attempt ends, and no other one begins', async () => {
  const gate = mkdtempSync(join(tmpdir(), 'echelon-gate-'));
  const go = join(gate, 'go');
  const wait = { name: 'shell', input: { command: `until test -e ${go}; do sleep 0.05; done` } };
  await using d = await openDialogue({
    config: 'approval: none\nrounds: 1\n',
    replies: [
      { for: 'engineer.director', when: 'Light the lamp', tool_calls: [wait] },
      ...lamp.replies.slice(0, -1),
      evaluator('Light the lamp', false, 'Brighter.'),
    ],
  });
  await d.label();
  await d.progress('an engineer at work', () => d.attemptFolders().length > 0 && d.jobsRun());
  await assign(d, 'wanda', 'wanda');
  expect(state(d)?.state).toBe('running');
  writeFileSync(go, '');
  await d.ended();
  rmSync(gate, { recursive: true });
  expect(state(d)).toMatchObject({ state: 'skipped', reason: 'it was taken by wanda' });
});

test('the label taken off while a run goes on: it goes on, and is told what ends it, once', async () => {
  await using d = await openWaiting();
  const off = async () => {
    await d.call('you', 'DELETE', `/issues/${d.issue}/labels/echelon`);
    await d.settled();
  };
  await off();
  expect(await d.last()).toBe(
    'The label `echelon` was taken off. The run goes on: type `/cancel` to end it. What you approve counts again once the label is back on.',
  );
  expect(await d.status()).toBe('waiting: approval');
  await d.forge.redeliver(d.forge.deliveries().findLast(({ action }) => action === 'unlabeled')!.id);
  await d.settled();
  expect((await d.said()).filter(text => text.includes('was taken off'))).toHaveLength(1);
  await d.label();
  await d.comment('you', '/cancel');
  const ended = await d.said();
  await off();
  expect(await d.said()).toEqual(ended);
});

test('a sub-issue that is gone when the run looks at it holds nothing up', async () => {
  await using d = await openPaused();
  d.local.installations.repositories()[0]?.heard.set(d.issue, new Set([99]));
  await d.comment('you', '/resume');
  await d.ended();
  expect(state(d)).toMatchObject({ state: 'done' });
});

test('an issue that /redirect has withdrawn stays so when it is closed and opened again', async () => {
  await using d = await openPaused();
  await d.comment('you', '/redirect @team-lead nothing of it');
  await turn(d, 2, 'closed');
  await turn(d, 2, 'open');
  expect(state(d)).toMatchObject({
    state: 'cancelled',
    reason: 'you redirected the run before its work began',
  });
});

test('the third time that it is closed it stays blocked', async () => {
  await using d = await openPaused({ processes: true });
  for (const to of ['closed', 'open', 'closed', 'open', 'closed', 'open'] as const) await turn(d, 2, to);
  expect(state(d)).toMatchObject({ state: 'blocked', reason: 'it was closed and opened again too often' });
});

test('a sub-issue that is closed while its engineer works: the job ends, nothing is delivered, and its cost counts', async () => {
  const replies = forever.replies.map(reply =>
    reply.for === 'engineer.director' ? costing(reply, 0.01) : reply,
  );
  await using d = await openDialogue({ ...forever, replies, config: 'approval: none\n' });
  await d.label();
  const spent = () => d.attemptFolders().map(job => join(job, 'spent.json'));
  const paid = (file: string) => existsSync(file) && readFileSync(file, 'utf8').includes('"model_calls":2');
  await d.progress('both calls of the engineer', () => spent().some(paid));
  await turn(d, 2, 'closed');
  await d.ended();
  await d.progress('the end of the job', () => !d.jobsRun());
  const reason = 'you closed it while it was worked';
  expect(state(d)).toMatchObject({ state: 'cancelled', reason, cost_usd: 0.02, model_calls: 2 });
  expect(await d.last()).toContain('It cost $0.02');
  expect(await d.branches()).toEqual([]);
});
