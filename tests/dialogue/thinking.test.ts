// A whole run by the SDK of Anthropic's API, against a server that thinks in every reply and refuses what the API refuses:
// a thinking block of a tool loop that is missing, changed or moved among it.
import { setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { isThinking } from '../engine/models/thinking-rules.ts';
import { type Asked, organisationApi } from '../doors/library/organisation-api.ts';
import { type Dialogue, openDialogue } from './fixture.ts';

const config = 'approval: none\nretries: 0\n';
type Service = Awaited<ReturnType<typeof organisationApi>>;

const run = (service: Service, more = '') =>
  openDialogue({
    processes: true,
    config: config + more,
    issue: { title: 'A note', body: 'Write it.' },
    served: { anthropic: { apiKey: 'sk-ant-0123456789', baseUrl: service.url } },
  });

/** The draft is open, and nothing was sent that the API refuses. */
async function delivered(d: Dialogue, { faults }: Service): Promise<void> {
  await d.ended();
  expect(faults).toEqual([]);
  expect(await d.last()).toContain('1 delivered');
  const pulls = await d.call<{ draft: boolean }[]>('you', 'GET', '/pulls');
  expect(pulls).toMatchObject([{ draft: true }]);
}

const turns = ({ asked }: Service, of: Asked['task']) =>
  asked.flatMap(({ task, body }) =>
    task === of ? [body.messages.filter(({ role }) => role === 'assistant')] : [],
  );

/** Of each request of a task: the kinds of thinking in the turns that it gives back. */
const thoughts = (service: Service, of: Asked['task']) =>
  turns(service, of).map(given =>
    given.map(({ content }) => content.filter(isThinking).map(({ type, thinking }) => thinking || type)),
  );

/** Comes to the n-th request of a task, which is never answered. */
const stuck = (d: Dialogue, service: Service, task: Asked['task'], n: number) =>
  d.progress(`request ${n} of ${task}`, () => turns(service, task).length === n);

test('thinking goes back unchanged in every tool loop, also where its process ends in the middle of one', async () => {
  await using service = await organisationApi({
    '2ic': ['none', 'held'],
    'engineer.director': ['none', 'held'],
  });
  await using d = await run(service);
  await d.call('you', 'POST', `/issues/${d.issue}/labels`, { labels: ['echelon'] });
  await stuck(d, service, '2ic', 2);
  await d.restart();
  await stuck(d, service, 'engineer.director', 2);
  d.killJob();
  await delivered(d, service);
  // A reply received before the process ended is not requested again.
  const looked = ['thought 0_0'];
  expect(thoughts(service, '2ic')).toEqual([[], [looked], [looked]]);
  const begun = ['redacted_thinking', 'thinking', 'thought 4_2'];
  expect(thoughts(service, 'engineer.director')).toEqual([[], [begun], [begun], [begun, ['thinking']]]);
});

test('where another model takes over, the thinking of the first is left out, and nothing else is', async () => {
  await using service = await organisationApi({ 'engineer.director': ['none', 'declined'] });
  const list = 'models:\n  engineer.director: [claude-opus-5-5, claude-sonnet-5-5]\n';
  await using d = await run(service, list);
  await d.label();
  await delivered(d, service);
  const asked = service.asked.filter(({ task }) => task === 'engineer.director');
  expect(asked.map(({ body }) => body.model)).toEqual([
    ...['claude-opus-5-5', 'claude-opus-5-5', 'claude-sonnet-5-5', 'claude-sonnet-5-5'],
  ]);
  const begun = ['redacted_thinking', 'thinking', 'thought 4_2'];
  expect(thoughts(service, 'engineer.director')).toEqual([[], [begun], [[]], [[], ['thinking']]]);
  const [, declined, taken] = turns(service, 'engineer.director').map(given => given[0]?.content);
  expect(taken).toEqual(declined?.filter(block => !isThinking(block)));
});

test('the board says what a layer does that thinks for long, and no longer when it has ended', async () => {
  await using service = await organisationApi({ '2ic': ['none', 'held'] });
  const ticks = vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const now = Date.now;
  let minutes = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + minutes * 60_000);
  try {
    await using d = await run(service);
    await d.call('you', 'POST', `/issues/${d.issue}/labels`, { labels: ['echelon'] });
    await stuck(d, service, '2ic', 2);
    const before = (await d.board()).body;
    expect(before).not.toContain('At work');
    for (minutes = 1; minutes <= 2; minutes++) {
      const line = `At work: the Strategist for ${minutes} minute${minutes === 1 ? '' : 's'}: 1 reply, 1 call of a tool`;
      // The layer is at work all the time: nothing settles.
      for (let tries = 0; tries < 1000 && !(await d.board()).body.includes(line); tries++) {
        // A tick is left out where the board of the one before is still being written.
        ticks.advanceTimersByTime(60_000);
        await setTimeout(20);
      }
      expect((await d.board()).body).toContain(line);
    }
    await d.restart();
    await delivered(d, service);
    expect((await d.board()).body).not.toContain('At work');
  } finally {
    vi.restoreAllMocks();
    vi.useRealTimers();
  }
});
