// Whole sessions: every operation, an execution that fails and is mended, a question, an end; as tags and as calls.
import { afterAll, describe, expect, test } from 'vitest';
import { bindTool } from '../../../src/engine/language/tool.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import type { Model, ModelReply } from '../../../src/engine/models/model.ts';
import { parseScript } from '../../../src/engine/models/script.ts';
import { scriptedModel } from '../../../src/engine/models/scripted.ts';
import type { SessionEvent } from '../../../src/engine/reasoning/events.ts';
import { createExecutor } from '../../../src/engine/reasoning/execution/executor.ts';
import { answerQuestion, NoAnswerYet, SessionPaused } from '../../../src/engine/reasoning/question.ts';
import type { SessionRequest, SessionSurroundings } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import type { SessionSummary } from '../../../src/engine/reasoning/state.ts';
import { openSandbox } from '../../../src/engine/sandbox/sandbox.ts';
import type { Entry, Progress } from '../../../packages/ground/journal/journal.ts';
import type { Replay } from '../../../packages/ground/journal/replay.ts';
import { over } from '../../ground/journal/in-memory.ts';
import { asked, callsTo, playing, reply, told } from './model.ts';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const readFile = bindTool('read_file', async ({ path }) => `${path} has 3 lines`);

function request(more: Partial<SessionRequest> = {}): SessionRequest {
  return {
    ...asked(),
    task: 'director',
    system: { stable: 'be good', changing: '' },
    prompt: 'Count the lines.',
    tools: [readFile],
    abilities: ['js', 'ask'],
    limits: { turns: 20, output_tokens: 1000, time_ms: 60_000 },
    ...more,
  };
}

async function play(
  model: Model,
  more: Partial<SessionSurroundings> = {},
  asked: Partial<SessionRequest> = {},
  progress?: Progress,
) {
  const events: SessionEvent[] = [];
  const summaries: SessionSummary[] = [];
  const onEvent = (event: SessionEvent) => void events.push(event);
  const executor = createExecutor({ sandbox, clock: systemClock, onEvent });
  const around = {
    model,
    clock: systemClock,
    executor,
    ask: async (question: string) => `yes to: ${question}`,
    onEvent,
    onSummary: (summary: SessionSummary) => void summaries.push(summary),
    ...more,
  };
  const outcome = await runSession(request(asked), around, progress);
  return { outcome, events, summaries };
}

const code = `
  const files = vault.get('files');
  const total = files.reduce((sum, file) => sum + file.lines, 0);
  memory.set('total', { heading: 'Total', content: String(total) });
  return total;
`;

/** The same story twice: what is asked for in each turn, as tags. */
const asTags = [
  `First the aim.
{{<goal identifier="count" heading="Count" content="all lines" />}}
{{<task identifier="read" heading="Read" content="the files" status="ongoing" />}}
{{<memory identifier="hint" heading="Hint" content="three files" important="true" />}}`,
  '{{<tool name="read_file">}} {"path": "a.txt"} {{</tool>}}',
  '{{<datavault id="files" type="data" description="lines by file">}}[{"name":"a.txt","lines":3},{"name":"b.txt","lines":4}]{{</datavault>}}',
  `Now the sum.\n{{<js_execute>}}return vault.get('filez').length;{{</js_execute>}}`,
  `{{<js_execute>}}${code}{{</js_execute>}}`,
  '{{<ask>}}Shall I count blank lines?{{</ask>}}',
  `{{<datavault action="request_read" id="files" limit="full-length" />}}
{{<task identifier="read" status="finished" />}}{{<goal identifier="count" status="finished" />}}`,
  'Done.\n{{<final_output>}}7 lines{{</final_output>}} Bye.',
];

const asCalls: ModelReply[] = [
  callsTo(
    ['goal', { identifier: 'count', heading: 'Count', content: 'all lines' }],
    ['task', { identifier: 'read', heading: 'Read', content: 'the files', status: 'ongoing' }],
    ['memory', { identifier: 'hint', heading: 'Hint', content: 'three files', important: true }],
  ),
  callsTo(['read_file', { path: 'a.txt' }]),
  callsTo([
    'datavault',
    {
      id: 'files',
      type: 'data',
      description: 'lines by file',
      content: '[{"name":"a.txt","lines":3},{"name":"b.txt","lines":4}]',
    },
  ]),
  callsTo(['js', { code: "return vault.get('filez').length;" }]),
  callsTo(['js', { code }]),
  callsTo(['ask', { question: 'Shall I count blank lines?' }]),
  callsTo(
    ['datavault', { action: 'request_read', id: 'files', limit: 'full-length' }],
    ['task', { identifier: 'read', status: 'finished' }],
    ['goal', { identifier: 'count', status: 'finished' }],
  ),
  callsTo(['final_output', { text: '7 lines' }]),
];

describe.each([
  ['tags', asTags.map(text => reply(text))],
  ['calls', asCalls],
])('a whole session by %s', (_form, replies) => {
  test('uses everything, fails, is cleaned, recovers, and ends with its final output', async () => {
    const model = playing(...replies);
    const { outcome, events, summaries } = await play(model);
    expect(outcome).toMatchObject({ text: '7 lines', stop: 'end', turns: 8 });
    const all = model.requests.slice(1).map(told);
    expect(all[1]).toContain('a.txt has 3 lines');
    expect(all[3]).toMatch(/ENTITY_NOT_FOUND.*"filez".*What it wrote was undone/s);
    expect(all[3]).toContain('files');
    expect(all[4]).toContain('Returned: 7');
    expect(all[5]).toContain('yes to: Shall I count blank lines?');
    expect(all[6]).toContain('"lines":4');
    expect(all[6]).toContain('Every goal is finished. Give your final output now.');
    const types = new Set(events.map(({ type }) => type));
    for (const type of ['context_cleaned', 'execution_needs_reasoning', 'iteration_complete'])
      expect(types).toContain(type);
    // The same code would ask in vain again.
    expect(types).not.toContain('execution_retry');
    expect(summaries).toMatchObject([
      {
        status: 'completed',
        iterations: 8,
        health: 'healthy',
        errors: 1,
        executions: [{ state: 'failed' }, { state: 'completed', result: '7' }],
      },
    ]);
  });

  test('offers the operations as tools, and tells of tags only a model that cannot call tools', async () => {
    const model = playing(...replies);
    await play(model);
    const [first] = model.requests;
    expect(first!.system.stable).toBe('be good');
    const writing = playing(...replies);
    await play(writing, {}, { writesTags: true });
    expect(writing.requests[0]!.system.stable).toMatch(/^# Operations.*read_file: .*be good$/s);
    expect(first!.tools.map(({ name }) => name)).toEqual([
      'read_file',
      'js',
      'datavault',
      'memory',
      'task',
      'goal',
      'final_output',
      'ask',
    ]);
  });
});

test('the same by the scripted model', async () => {
  const script = { version: 1, replies: asTags.map(text => ({ for: 'director', text })) };
  const model = scriptedModel(parseScript(JSON.stringify(script), 'script.json'), { clock: systemClock });
  expect((await play(model)).outcome.text).toBe('7 lines');
});

test('a task without js is told nothing of operations and gets none', async () => {
  const model = playing(callsTo(['js', { code: '1' }]), reply('over'));
  const { outcome } = await play(model, {}, { abilities: [] });
  expect(outcome.text).toBe('over');
  expect(model.requests[0]!.system.stable).toBe('be good');
  expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(['read_file']);
  expect(told(model.requests[1]!)).toContain('There is no JavaScript in this task.');
});

test('malformed tags are told with their place, and the rest applies', async () => {
  const model = playing(
    reply('{{<memory identifier="a" heading="A" content="x" />}}\n  {{<goal identifier="g" headin="G" />}}'),
    reply('{{<final_output>}}ok{{</final_output>}}'),
  );
  await play(model);
  const last = told(model.requests[1]!);
  expect(last).toMatch(/1\. memory/);
  expect(last).toMatch(/2:26/);
  expect(last).toContain('heading');
});

describe('a question that cannot be answered now', () => {
  const replies = [
    reply('', {
      tool_calls: [
        { id: 'c0', name: 'memory', input: { identifier: 'm', heading: 'M', content: 'kept' } },
        { id: 'c1', name: 'ask', input: { question: 'Which way?' } },
      ],
    }),
    callsTo(['js', { code: "return memory.get('m').content" }]),
    reply('left, then'),
  ];

  /** The session as the step of a journal. */
  const step = (journal: Replay, model: Model, more: Partial<SessionSurroundings> = {}, key = 'k') =>
    journal.step(key, (_op, progress) => play(model, more, { key }, progress));

  async function paused(model: Model, kept: Entry[]) {
    const ask = async () => {
      throw new NoAnswerYet();
    };
    return await step(over(kept), model, { ask }).then(
      () => expect.unreachable(),
      (error: unknown) => error as SessionPaused,
    );
  }

  test('pauses the session, and another process goes on with all it had', async () => {
    const model = playing(...replies);
    const kept: Entry[] = [];
    const pause = await paused(model, kept);
    expect(pause).toBeInstanceOf(SessionPaused);
    expect(pause).toMatchObject({ key: 'k', question: 'Which way?', state: { status: 'paused' } });
    // Another process gets text.
    const journal = over(JSON.parse(JSON.stringify(kept)));
    answerQuestion(journal, 'k#1', 'left');
    const { outcome } = await step(journal, model);
    expect(outcome).toMatchObject({ text: 'left, then', turns: 3, cost_usd: 1.5 });
    const [, second, third] = model.requests;
    expect(second!.key).toBe('k/2');
    expect(second!.messages.at(-1)!.content).toEqual([
      { type: 'tool_result', id: 'c0', content: expect.any(String) as string },
      { type: 'tool_result', id: 'c1', content: 'The answer to your question:\nleft' },
    ]);
    expect(told(third!)).toContain('Returned: "kept"');
  });

  test('another session is not disturbed by what is resumed', async () => {
    const kept: Entry[] = [];
    await paused(playing(...replies), kept);
    const journal = over(kept);
    answerQuestion(journal, 'k#1', 'left');
    const { outcome } = await step(journal, playing(reply('mine')), {}, 'other');
    expect(outcome).toMatchObject({ text: 'mine', turns: 1 });
  });

  test('a second question in one reply is not asked', async () => {
    const asked: string[] = [];
    const model = playing(
      callsTo(['ask', { question: 'one?' }], ['ask', { question: 'two?' }]),
      reply('fine'),
    );
    await play(model, {
      ask: async question => {
        asked.push(question);
        return 'ok';
      },
    });
    expect(asked).toEqual(['one?']);
    expect(told(model.requests[1]!)).toContain('one question at a time');
  });
});

describe('ends', () => {
  const failing = async (
    model: Model,
    more: Partial<SessionSurroundings> = {},
    asked: Partial<SessionRequest> = {},
  ) =>
    await play(model, more, asked).then(
      () => expect.unreachable(),
      (error: unknown) => error,
    );

  test('five iterations with errors in a row stop the session; it is advised before', async () => {
    const wrong = callsTo(['datavault', { action: 'delete', id: 'nothing' }]);
    const model = playing(wrong, wrong, wrong, wrong, wrong);
    const summaries: SessionSummary[] = [];
    const error = await failing(model, { onSummary: summary => summaries.push(summary) });
    expect(error).toMatchObject({ detail: { code: 'TASK_FAILURE', reason: 'too_many_errors' } });
    expect(summaries).toMatchObject([{ status: 'stopped', health: 'critical', errors: 5 }]);
    expect(told(model.requests[3]!)).toContain('The health of this session is critical');
    expect(told(model.requests[2]!)).not.toContain('The health');
  });

  test('three empty replies in a row are no progress', async () => {
    const error = await failing(playing(reply(''), reply(' '), reply('')));
    expect(error).toMatchObject({ detail: { code: 'TASK_FAILURE', reason: 'no_progress' } });
  });

  test('the call that would pass the share of the window is not made', async () => {
    const model = playing();
    const error = await failing(
      model,
      {},
      {
        prompt: 'x'.repeat(4000),
        limits: { turns: 4, output_tokens: 100, time_ms: 1000, context_tokens: 500 },
      },
    );
    expect(error).toMatchObject({ detail: { code: 'RESOURCE_EXHAUSTION', resource: 'context', limit: 500 } });
    expect(model.requests).toHaveLength(0);
  });
});

test('a task with an execution policy of its own runs its code by it, others by the one in use', async () => {
  const run = async (task: string) => {
    const executor = createExecutor({ sandbox, clock: systemClock, tasks: { director: 'safe' } });
    const model = playing(
      callsTo(['js', { code: 'const Function = 1; return Function + 1' }]),
      reply('Done.'),
    );
    await play(model, { executor }, { task });
    return told(model.requests[1]!);
  };
  expect(await run('director')).toContain('Function makes code out of text');
  expect(await run('another')).toContain('Returned: 2');
});
