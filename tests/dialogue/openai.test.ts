// A whole run by the SDK of the chat completions API, against a server that refuses what the real ones refuse.
import { expect, test } from 'vitest';
import { replies, taskIn, type Task } from '../doors/library/organisation.ts';
import { type ChatAnswer, type ChatBody, chats, chatServer } from '../engine/models/openai-server.ts';
import { openDialogue } from './fixture.ts';

const row =
  '{provider: openai, output: 4000, price: {input: 1000, output: 10000, cache_read: 100, cache_write: 0}}';
const config = `approval: none
retries: 0
models:
  default: [openai/first, openai/second]
  openai/first: ${row}
  openai/second: ${row}
`;
/** USD of one call: what it read of the cache is counted apart. */
const each = (400 * 1000 + 600 * 100 + 40 * 10_000) / 1e6;

const turnOf = ({ messages }: ChatBody) => messages.filter(({ role }) => role === 'assistant').length;
const taskOf = ({ messages }: ChatBody): Task | undefined => taskIn(String(messages[0]?.content));

/** The team lead's reply is cut off in its middle; the engineer's second one is refused by the first model. */
function organisation(body: ChatBody, n: number): ChatAnswer | undefined {
  const task = taskOf(body);
  if (!task) return undefined;
  const turn = turnOf(body);
  const said = replies[task](turn);
  const text = said.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('');
  const half = text.length / 2;
  if (task === 'team-lead')
    return chats(turn === 0 ? { text: text.slice(0, half), stop: 'length' } : { text: text.slice(half) });
  if (task === 'engineer.director' && turn === 1 && body.model === 'first')
    return chats({ stop: 'content_filter' });
  const calls = said.flatMap((part, at) =>
    part.type === 'tool_use'
      ? [{ id: `call_${n}_${at}`, name: part.name, input: JSON.stringify(part.input) }]
      : [],
  );
  // The second model tells of no thought where it had none; the first tells of an empty one.
  const reasoning = body.model === 'first' ? (turn === 0 ? `thought ${n}` : '') : undefined;
  return chats({ text, calls, reasoning });
}

test('a whole run: a cut reply goes on, a refusal falls back, cached tokens are priced', async () => {
  await using service = await chatServer(organisation);
  await using d = await openDialogue({
    config,
    issue: { title: 'A note', body: 'Write it.' },
    served: { openai: { apiKey: 'sk-0123456789', baseUrl: service.url } },
  });
  await d.run();
  expect(service.refused).toEqual([]);
  expect(service.received.map(({ body }) => [taskOf(body), turnOf(body), body.model])).toEqual([
    ['2ic', 0, 'first'],
    ['2ic', 1, 'first'],
    ['eng-lead', 0, 'first'],
    ['team-lead', 0, 'first'],
    ['team-lead', 1, 'first'],
    ['engineer.director', 0, 'first'],
    ['engineer.director', 1, 'first'],
    ['engineer.director', 1, 'second'],
    ['engineer.director', 2, 'second'],
    ['engineer.evaluator', 0, 'first'],
  ]);
  expect(await d.last()).toContain('1 delivered');
  const [pull, ...others] = await d.call<{ draft: boolean; body: string }[]>('you', 'GET', '/pulls');
  expect([pull?.draft, others]).toEqual([true, []]);
  expect(pull?.body).toContain('- `engineer.director`: openai/second answered: openai/first refuses');
  expect((await d.board()).body).toContain(`$${(10 * each).toFixed(2)} of $50.00`);
});
