// A final output that cannot be taken: the model is asked for it once more, in the same conversation.
import { describe, expect, test } from 'vitest';
import type { ModelMessage, ModelReply } from '../../../src/engine/models/model.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { stillClock } from '../../ground/lib/clocks.ts';
import { playing, reply } from '../reasoning/model.ts';
import { evaluating, failed, verdict } from './surroundings.ts';

const task = (limits = '') =>
  `<task name="judge" subtype="evaluator"><instructions>judge it</instructions>${limits}${verdict}</task>`;

function judging(source: string, ...replies: (ModelReply | string)[]) {
  const model = playing(...replies.map(each => (typeof each === 'string' ? reply(each) : each)));
  const { result } = evaluating(source, {}, () => '', {
    session: request => runSession(request, { model, clock: stillClock() }),
  });
  return { result, model };
}

const asked = ({ role, content }: ModelMessage) =>
  `${role}: ${content.map(part => (part.type === 'text' ? part.text : part.type)).join(' | ')}`;

const good = '{"success": false, "feedback": "no tests"}';

describe('a final output', () => {
  test.each<[name: string, said: string]>([
    ['behind a sentence', `I read the diff.\n\n\`\`\`json\n${good}\n\`\`\``],
    ['by itself', good],
  ])('%s is taken at once', async (_name, said) => {
    const { result, model } = judging(task(), said);
    expect((await result).outputs).toEqual({ success: false, feedback: 'no tests' });
    expect(model.requests).toHaveLength(1);
  });

  test('that says two things is told with both places, and the next one, of the last turn, taken', async () => {
    const limits = '<limits><turns>2</turns></limits>';
    const { result, model } = judging(task(limits), `${good}\n{"success": true}`, good);
    const { outputs, notes } = await result;
    expect(outputs).toEqual({ success: false, feedback: 'no tests' });
    expect(notes.dataUsage.turns).toBe(2);
    expect(model.requests[1]?.messages.slice(1).map(asked)).toMatchInlineSnapshot(`
      [
        "assistant: {"success": false, "feedback": "no tests"}
      {"success": true}",
        "user: Your final output was not taken:
      - output "success" is given twice and differently, at 1:1 and at 2:1
      A place is line:column of your final output. Give it again, whole and by itself, and say each thing in it once. | This is your last turn: give your final output now, without a call. Say what is done, and what is not.",
      ]
    `);
  });

  test('that says two things again fails, and is not asked for a third time', async () => {
    const { result, model } = judging(
      task('<disable_reparsing>true</disable_reparsing>'),
      'It is fine.',
      `${good}\n{"success": true}`,
    );
    expect((await failed(result)).detail).toMatchObject({ code: 'INVALID_OUTPUT' });
    expect(model.requests).toHaveLength(2);
  });

  test('with a status that the task cannot end with is told so', async () => {
    const { result, model } = judging(
      task(),
      '<result status="CONTINUATION"><content>more</content></result>',
      good,
    );
    expect((await result).outputs).toMatchObject({ success: false });
    expect(asked(model.requests[1]!.messages.at(-1)!)).toContain('the status is CONTINUATION');
  });
});
