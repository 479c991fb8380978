// Five rounds of a director-evaluator as the engine lays them out, and the same with all of the history in every call.
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { evaluating } from '../tasks/surroundings.ts';
import { pricedModel, type Tally } from './priced-model.ts';
import { type Cached, promptCache } from './prompt-cache.ts';

const ROUNDS = 5;
/** Bytes: the system text of both roles, a director's reply, a script's output, an evaluator's feedback, a diff. */
const SIZES = { base: 32_000, reply: 16_000, output: 24_000, feedback: 2_000, diff: 4_000 };

const model = 'claude-sonnet-5-5';

/** `bytes` of lines that differ from one another and from those of another `about`. */
export function words(about: string, bytes: number): string {
  let text = '';
  for (let line = 1; text.length < bytes; line++)
    text += `${about}, line ${line}: the quick brown fox jumps.\n`;
  return text.slice(0, bytes - 1);
}

const base = words('The rules of this project', SIZES.base);

/**
 * Written as the product's own `implement-issue`: what the director writes goes to the script, and the evaluator sees its
 * report, the diff, and the end of the output.
 */
const program = `<task type="director-evaluator" name="loop">
  <director><task name="director">
    <system>${base}</system>
    <instructions>You write the parser anew until its tests pass, and report what you did.</instructions>
    <description>The parser drops the last line. Mend it.

# The last evaluation
{{last_evaluator_output}}</description>
    <output name="parser" type="string"/>
  </task></director>
  <script><task type="script" name="tests"><command>{{test_command}}</command></task></script>
  <evaluator><task name="evaluator">
    <system>${base}</system>
    <instructions>You judge whether the change mends the parser.</instructions>
    <description># Report
{{target_content}}

# Diff
{{diff}}

# Tests, exit code {{exit_code}}
{{stdout}}</description>
    <output name="success" type="boolean"/><output name="feedback" type="string" nullable="true"/>
  </task></evaluator>
  <max_rounds>${ROUNDS}</max_rounds>
</task>`;

/** A file, which the script takes, and a report of a sentence. */
const replyOf = (round: number) =>
  JSON.stringify({
    ...{ status: 'COMPLETE', content: `In round ${round} I read to the end of the file.` },
    parser: words(`The parser of round ${round}`, SIZES.reply),
  });
const outputOf = (round: number) => words(`Output of round ${round}`, SIZES.output);
const verdictOf = (round: number) =>
  `<result status="COMPLETE"><content>Judged.</content><output name="success">${round === ROUNDS}</output><output name="feedback">${words(`Feedback of round ${round}`, SIZES.feedback)}</output></result>`;

export async function tokensOfLoop(): Promise<Tally> {
  let round = 0;
  const { model: priced, tally } = pricedModel((_body, call) => {
    round = Math.ceil(call / 2);
    return { text: call % 2 === 1 ? replyOf(round) : verdictOf(round) };
  });
  const unasked = () => new Error('every session has the real model');
  const { result } = evaluating(program, {}, unasked, {
    session: request => runSession(request, { model: priced, clock: systemClock }),
    models: () => model,
    script: async () => ({
      ...{ stdout: outputOf(round), stderr: '', timed_out: false },
      exit_code: round === ROUNDS ? 0 : 1,
    }),
    checkpoint: async () => ({ diff: words(`+ Change of round ${round}`, SIZES.diff) }),
  });
  const { rounds } = (await result).notes;
  if (rounds !== ROUNDS) throw new Error(`the loop ended after round ${rounds}`);
  return tally();
}

/** Priced tokens of both roles in one conversation that only grows, cached at its end. */
export function pricedFullHistory(): number {
  const cache = promptCache();
  const messages: { role: string; content: { type: string; text: string }[] }[] = [];
  const asked = (text: string): number => {
    messages.push({ role: 'user', content: [{ type: 'text', text }] });
    const marked = messages.map(({ role, content }, at) => ({
      role,
      content: content.map(part => (at < messages.length - 1 ? part : { ...part, cache_control: {} })),
    }));
    const body: Cached = { model, system: [{ type: 'text', text: base }], messages: marked };
    return cache.price(body).priced;
  };
  let sum = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    sum += asked(round === 1 ? 'Mend the parser.' : 'Go on.');
    messages.push({ role: 'assistant', content: [{ type: 'text', text: replyOf(round) }] });
    sum += asked(`Judge it.\n${outputOf(round)}`);
    messages.push({ role: 'assistant', content: [{ type: 'text', text: verdictOf(round) }] });
  }
  return sum;
}
