// A session of twenty rounds that keeps what it finds in its vault, as the engine shortens it, and with all of it kept.
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import type { Tool } from '../../../src/engine/language/tool.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { pricedModel, type Said, type Tally } from './priced-model.ts';
import { words } from './loop.ts';

const ROUNDS = 20;
/** Bytes: the system text, the prompt, what the tool answers, what is kept of it in the vault, what is said of it. */
const SIZES = { base: 32_000, prompt: 2_000, answer: 2_400, entry: 800, said: 200 };
/** Tokens that the conversation may come to: it is made shorter every few rounds. */
export const LIMIT = 12_500;

const report: Tool = {
  readOnly: true,
  name: 'report',
  description: 'The nth report.',
  input: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  run: async input => words(`Report ${JSON.stringify(input)}`, SIZES.answer),
};

/** `limit`: tokens at which the conversation is made shorter; absent: never. */
export async function tokensOfSession(limit?: number): Promise<Tally> {
  const { model, tally } = pricedModel((_body, call) => saidIn(call));
  await runSession(
    {
      ...{ key: 'k', scope: 's', task: 't', model: 'claude-sonnet-5-5' },
      system: { stable: words('The rules of this project', SIZES.base), changing: '' },
      prompt: words('Read all reports and say what they come to', SIZES.prompt),
      ...{ tools: [report], abilities: ['js'] },
      limits: { turns: 30, output_tokens: 4096, time_ms: 60_000, ...(limit && { context_tokens: limit }) },
      signal: new AbortController().signal,
    },
    { model, clock: systemClock },
  );
  return tally();
}

/** In each round the next report is asked for, and what the last one said is kept. */
function saidIn(call: number): Said {
  if (call > ROUNDS) throw new Error(`call ${call} was not expected`);
  if (call === ROUNDS) return { text: 'All reports are read, and what they say is in the vault.' };
  const entry = { id: `report-${call}`, type: 'text', description: `what report ${call} says` };
  return {
    text: words(`Of round ${call}`, SIZES.said),
    tool_calls: [
      ...(call === 1
        ? []
        : [{ name: 'datavault', input: { ...entry, content: words(`Entry ${call}`, SIZES.entry) } }]),
      { name: 'report', input: { n: call } },
    ],
  };
}
