// Property: a reply that says of one thing that it is a success and that it is none never ends as a success.
import { expect, test } from 'vitest';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { stillClock } from '../../ground/lib/clocks.ts';
import fc from '../../properties.ts';
import { playing, reply } from '../reasoning/model.ts';
import { evaluating, verdict } from './surroundings.ts';

const task = `<task name="judge" subtype="evaluator"><instructions>judge it</instructions>${verdict}<disable_reparsing>true</disable_reparsing></task>`;

const forms: ((success: boolean) => string)[] = [
  success => `{"success": ${success}, "feedback": "the reason"}`,
  success => JSON.stringify({ feedback: 'the reason', success }, undefined, 2),
  success => `\`\`\`json\n{"success": ${success}}\n\`\`\``,
  success => `~~~\n{"success": ${success}}\n~~~`,
  success =>
    `<result status="COMPLETE"><content>as it is</content><output name="success">${success}</output></result>`,
  success =>
    `\`\`\`xml\n<result status="COMPLETE"><output name="success">${success}</output></result>\n\`\`\``,
];
/** No answer by itself. */
const bareOutput = (success: boolean) => `<output name="success">${success}</output>`;
const words = fc.constantFrom(
  '',
  'On second thought:',
  'It is done.',
  '- one\n- two',
  '> quoted',
  'success: true',
);

const ended = async (text: string): Promise<unknown> => {
  const model = playing(reply(text), reply(text), reply(text));
  const session = (request: Parameters<typeof runSession>[0]) =>
    runSession(request, { model, clock: stillClock() });
  return evaluating(task, {}, () => '', { session }).result.then(
    ({ outputs }) => outputs['success'],
    () => 'failed',
  );
};

test.each(forms.map(form => [form(true), form(false)]))('by itself each form is one: %s', async (yes, no) =>
  expect([await ended(yes), await ended(no)]).toEqual([true, false]),
);

test('200 replies that say two things', async () => {
  const form = fc.constantFrom(...forms, bareOutput);
  const replies = fc.tuple(words, form, words, form, words, fc.boolean());
  await fc.assert(
    fc.asyncProperty(replies, async ([before, first, between, second, after, isFirst]) => {
      const text = [before, first(isFirst), between, second(!isFirst), after].join('\n\n');
      expect(await ended(text), text).not.toBe(true);
    }),
    { numRuns: 200 },
  );
});
