// Questions of people without write access: a few are answered, and the rest costs GitHub nothing.
import { expect, test } from 'vitest';
import type { Dialogue } from './fixture.ts';
import { playedOnce } from './played-once.ts';
import { waiting } from './script.ts';

const openWaiting = playedOnce(waiting);
const ask = (d: Dialogue, login: string, body = '/status') =>
  d.call(login, 'POST', `/issues/${d.issue}/comments`, { body });
const answers = async (d: Dialogue) =>
  (await d.comments()).filter(({ body }) => /echelon:note=/.test(body)).length;
/** Calls that the App makes while `happens`. */
async function callsOf(d: Dialogue, happens: () => Promise<unknown>) {
  const before = d.forge.calls.length;
  await happens();
  await d.settled();
  return d.forge.calls.slice(before).filter(({ actor }) => actor === 'echelon[bot]').length;
}

test('a reader who asks without end is answered five times an hour, in another process too; the rest costs no call, and everybody else is answered as before', async () => {
  await using d = await openWaiting();
  for (let n = 0; n < 7; n++) await ask(d, 'rita');
  await d.settled();
  expect(await answers(d)).toBe(5);
  const calls = await callsOf(d, async () => {
    for (const body of ['/status', '/approve', '/echelon nonsense', '/aprove', '/help'])
      await ask(d, 'rita', body);
  });
  expect([calls, await answers(d)]).toEqual([0, 5]);
  await d.restart();
  await d.comment('rita', '/status');
  await d.local.webhooks.reconcileAll(true);
  await d.settled();
  expect(await answers(d)).toBe(5);
  for (const [at, login] of ['sam', 'wanda'].entries()) {
    await d.comment(login, '/status');
    expect(await answers(d)).toBe(6 + at);
  }
});

test('twenty an hour on an issue for all without write access together; with it, always', async () => {
  await using d = await openWaiting();
  for (let each = 0; each < 5; each++) {
    d.forge.addUser(`reader-${each}`);
    for (let n = 0; n < 5; n++) await ask(d, `reader-${each}`, '/help');
  }
  await d.settled();
  expect(await answers(d)).toBe(20);
  for (let n = 0; n < 6; n++) await d.comment('wanda', '/help');
  expect(await answers(d)).toBe(26);
}, 60_000);

test('500 comments of 500 strangers cost a bounded number of calls, and a maintainer’s /cancel among them works at once', async () => {
  await using d = await openWaiting();
  const strangers = Array.from({ length: 500 }, (_, n) => `stranger-${n}`);
  for (const login of strangers) d.forge.addUser(login);
  const flood = (logins: string[]) => Promise.all(logins.map(login => ask(d, login)));
  const calls = await callsOf(d, () => flood(strangers.slice(0, 400)));
  await flood(strangers.slice(400));
  // Nobody knew of wanda before.
  await d.comment('wanda', '/cancel');
  expect((await d.board()).body).toContain('### Cancelled');
  expect(await answers(d)).toBeLessThanOrEqual(21);
  // 20 lookups, one list, and 20 answers of seven calls; 166 when this was written.
  expect(calls).toBeLessThanOrEqual(180);
}, 60_000);
