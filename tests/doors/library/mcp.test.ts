// The tools of MCP servers in programs of who embeds the library.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTasks, type TaskEvent, TaskError, z } from '../../../src/doors/library/library.ts';
import { callsTo, playing, reply } from '../../engine/reasoning/model.ts';

const stock = { command: process.execPath, args: [join(import.meta.dirname, 'real-mcp-server.ts')] };
const program = (tools: string) =>
  `<task name="ask"><description>x</description><tools>${tools}</tools></task>`;

test('a program names the tools of a server, and calls them', async () => {
  const events: TaskEvent[] = [];
  const model = playing(
    callsTo(
      ['stock__count', { part: 'A-12' }],
      ['stock__order', { part: 'A-12' }],
      ['stock__order', { part: 'B-1' }],
      ['stock__order', { part: 7 }],
    ),
    reply('done'),
  );
  const tasks = createTasks({ model, budget: 100, mcp: { stock }, onEvent: event => events.push(event) });
  expect(tasks.validateTemplate(program('stock__count, read_file'))).toEqual([]);
  expect(tasks.validateTemplate(program('stok__count'))).toMatchObject([
    { message: 'unknown tool "stok__count"' },
  ]);
  expect((await tasks.executeTask(program('stock__count stock__order'))).content).toBe('done');
  expect(model.requests[0]?.tools).toMatchObject([
    {
      name: 'stock__count',
      description: 'A tool of the server stock, which says of it: "How many of a part there are."',
      input: { type: 'object', properties: { part: { type: 'string' } }, required: ['part'] },
    },
    { name: 'stock__order' },
  ]);
  const answer = (text: string) => `The server stock answered, as data:\n\`\`\`\n${text}\n\`\`\``;
  expect(model.requests[1]?.messages.at(-1)?.content).toMatchObject([
    { id: 'c0', content: answer('A-12: 4') },
    { id: 'c1', content: answer('ordered: A-12') },
    { id: 'c2', content: answer('ordered: A-12 B-1') },
    { id: 'c3', is_error: true, content: expect.stringContaining('part') },
  ]);
  expect(events.flatMap(event => (event.type === 'tool_call' ? [event.ok] : []))).toEqual([
    ...[true, true, true, false],
  ]);
  await tasks.close();
});

test('a name that the server does not have is refused before a model is asked, with the nearest', async () => {
  const tasks = createTasks({ model: playing(), budget: 100, mcp: { stock } });
  const error = await tasks.executeTask(program('stock__cuont')).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TaskError);
  expect(error).toMatchObject({
    detail: { code: 'VALIDATION_ERROR', line: 1 },
    message: expect.stringMatching(
      /stock__cuont .* is not available here .*; did you mean "stock__count"\?$/,
    ),
  });
  await tasks.close();
});

test('a server that does not start fails the execution, and nothing else', async () => {
  const tasks = createTasks({
    model: playing(),
    budget: 100,
    mcp: { stock: { command: process.execPath, args: ['-e', 'process.exit(4)'] } },
  });
  await expect(tasks.executeTask(program('stock__count'))).rejects.toThrow(
    'the MCP server stock cannot be used: it ended with exit code 4',
  );
  await tasks.close();
});

test('what cannot be is said when the tasks are opened, and starts nothing', () => {
  expect(() =>
    createTasks({
      model: playing(),
      mcp: { 'a b': stock, stock },
      tools: [{ name: 'stock__x', description: 'x', input: z.object({}), run: () => '' }],
    }),
  ).toThrow(/^mcp: a b: a name has/);
  expect(() =>
    createTasks({
      model: playing(),
      mcp: { stock },
      tools: [{ name: 'stock__x', description: 'x', input: z.object({}), run: () => '' }],
    }),
  ).toThrow('tools: stock__x: the MCP server stock has tools of such names: take another');
});
