// Carries out one reply: its operations and tool calls in their order, each wholly or not at all.
import type { ModelPart, ModelReply } from '../models/model.ts';
import { answerBudget } from './reply-budget.ts';
import { answerPart, userMessage } from './session-lifecycle.ts';
import type { Operation, OperationProblem } from './operation.ts';
import { answersText, type TagResult } from './operations/activity.ts';
import { readCall } from './operations/read-call.ts';
import { readReply } from './operations/read-reply.ts';
import type { SoundReply } from './sound-reply.ts';
import { note } from './log-operation.ts';
import { type Outcome, perform } from './perform.ts';
import { isFinished, progressOf } from './progress.ts';
import { NoAnswerYet, SessionPaused } from './question.ts';
import type { Iteration } from './iteration.ts';
import { mayAsk } from './stop.ts';
import type { Stores } from './stores.ts';
import type { Session } from './session-in-progress.ts';

/** What a reply came to. */
export interface Done {
  /** The final output, where the reply gave one. */
  final: string | undefined;
}

/** One thing to do, from a tag (then with its place) or from a call (then with its id). */
interface Item {
  asked: Operation | OperationProblem;
  call?: string;
  at?: { line?: number; column?: number };
}

export async function carryOut(
  reply: SoundReply,
  { items, prose }: Asked,
  session: Session,
  iteration: Iteration,
): Promise<Done> {
  const { state, request } = session;
  const cut = reply.stop === 'max_output' || reply.stop === 'refusal';
  iteration.reasoning = prose.slice(0, REASONING);
  if (reply.text !== '' || items.length > 0)
    state.messages.push({
      role: 'assistant',
      // Nothing answers the calls of a reply that was cut off, and its thinking may be half of one.
      content: cut ? reply.parts.filter(({ type }) => type === 'text') : reply.parts,
    });
  count(session, reply);
  if (cut) return { final: undefined };
  if (items.length === 0) return silent(reply, session);
  state.emptyInRow = 0;

  const before = state.stores;
  const parts: ModelPart[] = [];
  const tags: TagResult[] = [];
  const final = finalOf(items);
  const within = answerBudget();
  let question: { text: string; call: string | undefined } | undefined;
  let hasSucceeded = false;
  for (const { asked, call, at } of items) {
    let outcome: Outcome;
    if ('message' in asked) outcome = { ok: false, text: asked.message };
    else if (asked.kind === 'final')
      outcome = final === undefined ? { ok: false, text: TWO_FINALS } : { ok: true, text: 'taken' };
    else if (asked.kind === 'ask' && question === undefined && request.abilities.includes('ask')) {
      const refused = final === undefined ? noTurnFor(session) : ENDS;
      if (refused === undefined) {
        question = { text: asked.question, call };
        note(asked, undefined, session, iteration);
        hasSucceeded = true;
        continue;
      }
      outcome = { ok: false, text: refused };
    } else outcome = await perform(asked, session, iteration);
    outcome = { ...outcome, text: within(outcome.text) };
    const operation = 'message' in asked ? undefined : asked;
    note(asked, outcome.ok ? undefined : outcome.text, session, iteration);
    hasSucceeded ||= outcome.ok;
    if (call === undefined) tags.push({ operation, outcome, ...(at && { at }) });
    else
      parts.push({
        type: 'tool_result',
        id: call,
        content: outcome.text,
        ...(!outcome.ok && { is_error: true }),
      });
  }
  iteration.progress = progressOf(before, state.stores, hasSucceeded);
  const goals = finished(session, before);
  // An error, which may be that of a final output, and an answer are for the model to see first.
  const isOver = goals === 'over' && iteration.errors.length === 0 && question === undefined;
  if (final !== undefined || isOver) {
    // A call that is left without an answer would end the conversation for good.
    if (parts.length > 0) state.messages.push(userMessage(...parts));
    return { final: final ?? wordsOf(prose, session) };
  }
  if (tags.length > 0) parts.push({ type: 'text', text: answersText(tags) });
  if (goals === 'new') parts.push({ type: 'text', text: FINISHED });
  if (question) parts.push(await answered(question, parts, session));
  state.messages.push(userMessage(...parts));
  return { final: undefined };
}

/** Characters of what the model wrote around its operations that an iteration keeps. */
const REASONING = 500;
const FINISHED = 'Every goal is finished. Give your final output now.';
const TWO_FINALS = 'This reply gives different final outputs, and none was taken. Give one.';
const ENDS = 'The question was not asked: the reply gives its final output.';
const NO_TURN =
  'The question was not asked: no turn would be left for what follows the answer. Decide yourself.';
const EMPTY = 'Your reply was empty. Go on, or give your final output.';

/** What a reply asks for, and what it says besides. */
export interface Asked {
  items: Item[];
  prose: string;
}

/** Tags first, in the order of the text, then calls: a model writes its text before it calls. */
export function readAsked(reply: ModelReply, { request }: Session): Asked {
  const names = request.tools.map(tool => tool.name);
  // Who was not told of tags writes them only where something is quoted.
  const hasTags = request.abilities.includes('js') && reply.text.includes('{{<');
  const read = hasTags ? readReply(reply.text) : { items: [], prose: reply.text };
  const tags = read.items.map((item): Item => {
    if ('problem' in item) return { asked: item.problem, at: item.problem };
    const { operation, at } = item;
    // A tag may name what the session itself has as a tool, too.
    const asked = operation.kind === 'tool' ? readCall(operation.name, operation.input, names) : operation;
    return { asked, at };
  });
  const calls = reply.tool_calls.map(
    ({ id, name, input }): Item => ({ asked: readCall(name, input, names), call: id }),
  );
  return { items: [...tags, ...calls], prose: read.prose };
}

/** The final output of the reply, if it gives one, and not different ones: nobody can tell which of them is meant. */
function finalOf(items: readonly Item[]): string | undefined {
  const texts = items.flatMap(({ asked }) => ('kind' in asked && asked.kind === 'final' ? [asked.text] : []));
  return new Set(texts).size === 1 ? texts[0] : undefined;
}

/** A question is a turn, and its answer is of use only where a model call follows it. */
const noTurnFor = ({ state, request: { limits } }: Session) => (mayAsk(state, limits) ? undefined : NO_TURN);

/** A reply without operations: the final output, unless there is nothing in it at all. */
function silent({ text }: ModelReply, { state }: Session): Done {
  if (text.trim() !== '') return { final: text };
  state.emptyInRow++;
  state.messages.push(userMessage({ type: 'text', text: EMPTY }));
  return { final: undefined };
}

function count({ state }: Session, { usage }: ModelReply): void {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = usage;
  const asked = input_tokens + cache_read_tokens + cache_write_tokens;
  // No call is empty: a provider that says so has not counted.
  if (asked > 0) state.counted = { tokens: asked + output_tokens, messages: state.messages.length };
  else delete state.counted;
}

/** The person's answer as what the model is told next; where it comes later the session is paused. */
async function answered(
  { text, call }: { text: string; call: string | undefined },
  parts: ModelPart[],
  { request, around, state, time }: Session,
): Promise<ModelPart> {
  state.counts.questions++;
  try {
    if (!around.ask) throw new NoAnswerYet('nobody is there');
    const answer = await time.suspended(around.ask(text, time.signal));
    return answerPart(state, { question: text, ...(call !== undefined && { call }) }, answer);
  } catch (error) {
    if (!(error instanceof NoAnswerYet)) throw error;
    state.pending = { question: text, parts, ...(call !== undefined && { call }) };
    throw new SessionPaused(request.key, text, state);
  }
}

/**
 * Whether every goal is finished: `new` where the model was not yet asked for its final output since the last of them
 * was made, `over` where it was. `before`: the stores before the reply.
 */
function finished({ state }: Session, before: Stores): 'not' | 'new' | 'over' {
  const wasAsked = state.askedForFinal;
  state.askedForFinal = isFinished(state.stores);
  if (!state.askedForFinal) return 'not';
  const known = new Set(before.goals.map(({ identifier }) => identifier));
  const isKnown = state.stores.goals.every(({ identifier }) => known.has(identifier));
  return wasAsked && isKnown ? 'over' : 'new';
}

/** The text of a session that ends without a final output: the reply's own words, else the last that there were. */
const wordsOf = (prose: string, { state }: Session) =>
  prose || (state.iterations.findLast(({ reasoning }) => reasoning !== '')?.reasoning ?? '');
