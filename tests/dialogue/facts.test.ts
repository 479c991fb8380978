// What people do without a word: they close and reopen the directive and its sub-issues.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { playedOnce } from './played-once.ts';
import { director, evaluator, issues, quietLeads, teamLead, waiting, work } from './script.ts';

const openWaiting = playedOnce(waiting);
const lamp = {
  replies: [
    ...quietLeads,
    teamLead('One.', issues({ title: 'Light the lamp' }), work),
    ...director('Light the lamp', { lamp: 'on\n' }),
    evaluator('Light the lamp', true),
  ],
};
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

test('a run that has ended stays as it is when its directive is closed', async () => {
  await using d = await openDialogue({ replies: [...quietLeads, teamLead('Nothing to do.')] });
  await d.label();
  await d.ended();
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
  await using d = await openPaused();
  for (const to of ['closed', 'open', 'closed', 'open', 'closed', 'open'] as const) await turn(d, 2, to);
  expect(state(d)).toMatchObject({ state: 'blocked', reason: 'it was closed and opened again too often' });
});

test('a sub-issue that is closed while its engineer works: the job ends, and nothing is delivered', async () => {
  const forever = { ...lamp, files: { 'test.sh': 'test ! -e lamp || sleep 600\n' } };
  await using d = await openDialogue({ ...forever, config: 'approval: none\n' });
  await d.label();
  await d.progress('an engineer at work', () => d.attemptFolders().length > 0 && d.jobsRun());
  await turn(d, 2, 'closed');
  await d.ended();
  await d.progress('the end of the job', () => !d.jobsRun());
  expect(state(d)).toMatchObject({ state: 'cancelled', reason: 'you closed it while it was worked' });
  expect(await d.branches()).toEqual([]);
});
