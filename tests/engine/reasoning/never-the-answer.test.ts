// Texts that are never taken for the answer: operations written as text, and words before a result was seen.
import { describe, expect, test } from 'vitest';
import { bindTool } from '../../../src/engine/language/tool.ts';
import type { Model, ModelReply } from '../../../src/engine/models/model.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import type { SessionRequest } from '../../../src/engine/reasoning/request.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { createExecutor } from '../../../src/engine/reasoning/execution/executor.ts';
import { recordingClock, returns, scriptedSandbox } from './execution/scripted.ts';
import { asked, callsTo, playing, reply, told } from './model.ts';

const run = (model: Model, more: Partial<SessionRequest> = {}, returned = returns('42')) =>
  runSession(
    {
      ...asked(),
      tools: [bindTool('shell', async () => 'ran')],
      abilities: ['js'],
      limits: { turns: 10, output_tokens: 100, time_ms: 60_000 },
      ...more,
    },
    {
      model,
      clock: systemClock,
      executor: createExecutor({
        sandbox: scriptedSandbox([returned]).sandbox,
        clock: recordingClock().clock,
      }),
    },
  );

const TOOL = '{{<tool name="shell">}}{"command": "ls"}{{</tool>}}';
const FENCED = `\`\`\`\n${TOOL}\n\`\`\``;

describe('operations as text', () => {
  test.each([
    ['in a fence that is the whole reply', FENCED],
    ['behind a stray backtick', `Let\`s see: ${TOOL}`],
    ['in an unclosed fence', `See:\n\`\`\`\n${TOOL}`],
    ['with single braces', '{<tool name="shell">}{}{</tool>}'],
  ])('%s are asked about', async (_, text) => {
    const model = playing(reply(text), reply('42'));
    expect(await run(model)).toMatchObject({ text: '42', turns: 2 });
    expect(told(model.requests[1]!)).toContain('You wrote tags as text');
  });

  test('are asked about once, and never become the result', async () => {
    await expect(run(playing(reply(FENCED), reply(FENCED)))).rejects.toMatchObject({
      detail: { code: 'TASK_FAILURE', reason: 'no_progress' },
      message: expect.stringContaining('as text again'),
    });
  });

  test('are the result where the model says so', async () => {
    const final = reply(`{{<final_output>}}${FENCED}{{</final_output>}}`);
    expect((await run(playing(reply(FENCED), final))).text).toBe(FENCED);
  });

  test.each([
    ['before', FENCED, ''],
    ['beside the last operation', '', FENCED],
  ])('%s are no last words of a session whose goals are finished', async (_, before, beside) => {
    const goal = '{{<goal identifier="g" heading="h" content="c" status="finished" />}}';
    const note = '{{<memory identifier="m" heading="h" content="c" />}}';
    const replies = [before, goal, `${beside}\n${note}`, '42'].filter(text => text !== '');
    expect((await run(playing(...replies.map(text => reply(text))))).text).toBe('42');
  });

  test('are the answer of a session that knows no tags', async () => {
    expect((await run(playing(reply(FENCED)), { abilities: [] })).text).toBe(FENCED);
  });
});

describe('a final output', () => {
  const final = '{{<final_output>}}done{{</final_output>}}';
  const kept = '{{<datavault id="a" type="text" description="d">}}x{{</datavault>}}';
  const read = '{{<datavault action="request_read" id="a" />}}';

  test.each<[string, ModelReply, string]>([
    ['a tool', reply(`${TOOL}\n${final}`), 'ran'],
    ['a tool behind it', reply(`${final}\n${TOOL}`), 'ran'],
    ['code', reply(`{{<js_execute>}}return 42{{</js_execute>}}${final}`), 'Returned: 42'],
    ['a read of the vault', reply(`${kept}${read}${final}`), 'x'],
    ['a call', callsTo(['shell', { command: 'ls' }], ['final_output', { text: 'done' }]), 'ran'],
  ])('beside %s is not taken before the model has seen its result', async (_, first, result) => {
    const model = playing(first, reply('{{<final_output>}}seen{{</final_output>}}'));
    expect(await run(model)).toMatchObject({ text: 'seen', turns: 2 });
    expect(told(model.requests[1]!)).toContain(result);
    expect(told(model.requests[1]!)).toContain('you had not seen');
  });

  test.each([
    ['a write of the vault', kept],
    ['a note', '{{<memory identifier="m" heading="h" content="c" />}}'],
    ['a goal that is reached', '{{<goal identifier="g" heading="h" content="c" status="finished" />}}'],
    ['a deletion', `${kept}{{<datavault action="delete" id="a" />}}`],
  ])('beside %s is taken', async (_, write) => {
    expect(await run(playing(reply(`${write}\n${final}`)))).toMatchObject({ text: 'done', turns: 1 });
  });
});

describe('a reference to the vault in a final output', () => {
  const kept = '{{<datavault id="a" type="text" description="d">}}the whole report{{</datavault>}}';
  const ref = '{{<vaultref id="a" />}}';
  const none = '{{<vaultref id="b" />}}';

  test.each<[string, string[], string]>([
    ['is the entry', [kept, `{{<final_output>}}See: ${ref}.{{</final_output>}}`], 'See: the whole report.'],
    ['is the entry in a reply without operations', [kept, `See:\n${ref}`], 'See:\nthe whole report'],
    ['that is code is the entry', [kept, `\`\`\`\n${ref}\n\`\`\``], '```\nthe whole report\n```'],
    ['that is code and names nothing is text', [`It writes \`${none}\`.`], `It writes \`${none}\`.`],
  ])('%s', async (_, replies, text) => {
    expect((await run(playing(...replies.map(each => reply(each))))).text).toBe(text);
  });

  test.each([
    ['a final output', `{{<final_output>}}${none}{{</final_output>}}`],
    ['a reply without operations', `See: ${none}`],
    ['one that is malformed', 'See: {{<vaultref name="a" />}}'],
  ])('that names nothing in %s is told, and nothing is taken', async (_, text) => {
    const model = playing(reply(kept), reply(text), reply('done'));
    expect((await run(model)).text).toBe('done');
    expect(told(model.requests[2]!)).toContain('Your final output was not taken: vault references: ');
  });

  test('is text where the session knows no tags', async () => {
    expect((await run(playing(reply(none)), { abilities: [] })).text).toBe(none);
  });
});

test('errors that came too late are told beside the result', async () => {
  const late = 'a promise that nobody awaited was rejected: TypeError: gone';
  const model = playing(reply('{{<js_execute>}}work(); return 42{{</js_execute>}}'), reply('42'));
  await run(model, {}, { ...returns('42'), late } as ReturnType<typeof returns>);
  expect(told(model.requests[1]!)).toContain(`Returned: 42\nToo late for the result:\n${late}`);
});
