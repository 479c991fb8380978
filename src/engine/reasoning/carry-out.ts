// Carries out one reply: its operations and tool calls in their order, each wholly or not at all.
import { TaskError } from '../language/result.ts';
import type { ModelPart, ModelReply } from '../models/model.ts';
import { filledFinal, finalOf, goalsAfter, lastWords } from './final-output.ts';
import { type Iteration, progressOf } from './iteration.ts';
import { reachesOutside, sideBySide, perform } from './perform.ts';
import type { Operation, OperationOutcome, OperationProblem } from './operation.ts';
import { note, answerBudget, answersText } from './operations/answers.ts';
import { readCall, readReply } from './operations/read-operations.ts';
import { bookCall } from './call-tool.ts';
import { answerTo, type Question } from './question.ts';
import { wholeText, userMessage } from './session-lifecycle.ts';
import type { SoundReply } from './sound-reply.ts';
import type { Session } from './session-in-progress.ts';
import { mayAsk } from './stop.ts';
import { tagsStandAsText } from './tags/as-text.ts';

/** Result of a reply. */
export interface Done {
  /** The final output, where the reply gave one. */
  final: string | undefined;
}

/** Operations of a reply, and its other words. */
export type Asked = ReturnType<typeof readAsked>;

/** One thing to do, from a tag (then with its place) or from a call (then with its id). */
interface Item {
  asked: Operation | OperationProblem;
  call?: string;
  at?: { line?: number; column?: number };
}

interface Result extends Item {
  outcome: OperationOutcome;
}

const knowsTags = ({ abilities, writesTags }: Session['request']) => abilities.includes('js') || writesTags;

/** Tags first, in the order of the text, then calls: a model writes its text before it calls. */
export function readAsked(reply: ModelReply, { request }: Session) {
  const names = request.tools.map(tool => tool.name);
  // A model that does not know of tags writes them only in quotes.
  const hasTags = knowsTags(request) && reply.text.includes('{{<');
  const read = hasTags ? readReply(reply.text, names) : { items: [], prose: reply.text };
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

export async function carryOut(
  reply: SoundReply,
  { items, prose }: Asked,
  session: Session,
  iteration: Iteration,
): Promise<Done> {
  const { state } = session;
  const isCut = reply.stop === 'max_output' || reply.stop === 'refusal';
  // Operations that stand as text are nobody's words, which may end a session.
  const words = knowsTags(session.request) && tagsStandAsText(prose) ? '' : prose;
  iteration.reasoning = words.slice(0, REASONING);
  const { underway } = state;
  if (!underway) {
    // Nothing answers the calls of a reply that was cut off, and its thinking may be half of one.
    if (reply.text !== '' || items.length > 0)
      state.messages.push({
        role: 'assistant',
        content: isCut ? reply.parts.filter(({ type }) => type === 'text') : reply.parts,
      });
    count(session, reply);
  }
  if (isCut) return { final: undefined };
  if (items.length === 0) return silent(reply, session, iteration);
  state.emptyInRow = 0;
  delete state.askedAboutTags;

  const started = underway ?? { reply, iteration, outcomes: [], before: state.stores };
  const { before } = started;
  const plan = planOf(items, session);
  const { results, final: given } = await resultsOf(items, plan, session, started);
  const hasSucceeded = results.some(({ outcome }) => outcome.ok);
  iteration.progress = progressOf(before, state.stores, hasSucceeded);
  const goals = goalsAfter(before, session);
  // An error, which may be that of a final output, and an answer are for the model to see first.
  const isOver = goals === 'over' && iteration.errors.length === 0 && !plan.question;
  // Words that are none are no result.
  const final = given ?? ((isOver && lastWords(words, session)) || undefined);

  const told = results.filter(({ asked }) => asked !== plan.question?.asked);
  const calls = told.flatMap(callAnswer);
  if (final !== undefined) {
    // A call that is left without an answer would end the conversation for good.
    if (calls.length > 0) state.messages.push(userMessage(...calls));
    return { final };
  }
  const parts = [...calls, ...tagAnswers(told), ...(goals === 'new' || isOver ? [textPart(FINISHED)] : [])];
  if (plan.question) parts.push(await answerTo(plan.question, parts, session));
  state.messages.push(userMessage(...parts));
  return { final: undefined };
}

/** Characters of what the model wrote around its operations that an iteration keeps. */
const REASONING = 500;
const FINISHED = 'Every goal is finished. Give your final output now.';
const TWO_FINALS = 'This reply gives different final outputs, and none was taken. Give one.';
const BESIDE_FAILURE =
  'Your final output was not taken: something beside it failed. See to that, then give it again.';
const UNSEEN =
  'Your final output was not taken: you had not seen what came of the rest of your reply. See it, then give your final output again, without another operation.';
const ENDS = 'The question was not asked: the reply gives its final output.';
const NO_TURN =
  'The question was not asked: no turn would be left for what follows the answer. Decide yourself.';
const NOBODY =
  'There is nobody to ask now: one question at a time, and only in a task that may ask. Decide yourself.';
const AS_TEXT =
  'You wrote tags as text, so nothing was carried out. Write them in your next reply with two braces, outside of code, fences and quotes, if they should be carried out; if they are your answer, put it into {{<final_output>}} ... {{</final_output>}}.';
const EMPTY = 'Your reply was empty. Go on, or give your final output.';

const textPart = (text: string): ModelPart => ({ type: 'text', text });

/** A reply without operations: the final output, unless there is nothing in it, or what was meant as an operation. */
function silent({ text }: ModelReply, session: Session, iteration: Iteration): Done {
  const { state, request } = session;
  const whole = wholeText(text, session);
  const asksForNothing = knowsTags(request) && tagsStandAsText(whole);
  if (text.trim() !== '' && !asksForNothing) {
    const filled = knowsTags(request) ? filledFinal(whole, session) : { text: whole };
    if (filled.error === undefined) return { final: filled.text };
    iteration.errors.push(filled.error);
    state.messages.push(userMessage(textPart(filled.error)));
    return { final: undefined };
  }
  if (asksForNothing) {
    if (state.askedAboutTags)
      throw new TaskError(
        { code: 'TASK_FAILURE', reason: 'no_progress' },
        'the reply holds operations as text again, after the model was asked about them',
      );
    state.askedAboutTags = true;
  } else state.emptyInRow++;
  state.messages.push(userMessage(textPart(asksForNothing ? AS_TEXT : EMPTY)));
  return { final: undefined };
}

function count({ state }: Session, { usage }: ModelReply): void {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = usage;
  const asked = input_tokens + cache_read_tokens + cache_write_tokens;
  // No call is empty: a provider that says so has not counted.
  if (asked > 0) state.counted = { tokens: asked + output_tokens, messages: state.messages.length };
  else delete state.counted;
}

/** Decisions about a reply before any of it is carried out. */
interface Plan {
  final: string | undefined;
  /** The one question that is put, after everything else, and why any other one is not. */
  question: Question | undefined;
  refusal: string;
  /** Reason for refusing the final output, if an operation beside it gives one. */
  untaken?: string | undefined;
}

function planOf(items: readonly Item[], { state, request }: Session): Plan {
  const final = finalOf(items.map(({ asked }) => asked));
  const refuse = (refusal: string): Plan => ({ final, question: undefined, refusal });
  if (!request.abilities.includes('ask')) return refuse(NOBODY);
  if (final !== undefined) return refuse(ENDS);
  // A question is a turn, and its answer is of use only where a model call follows it.
  if (!mayAsk(state, request.limits)) return refuse(NO_TURN);
  return { final, question: items.find(isQuestion), refusal: NOBODY };
}

const isFinal = ({ asked }: Item) => 'kind' in asked && asked.kind === 'final';
const isQuestion = (item: Item): item is Question => 'kind' in item.asked && item.asked.kind === 'ask';

/** Results in the order of the reply. The final output is settled after everything beside it. */
async function resultsOf(
  items: readonly Item[],
  plan: Plan,
  session: Session,
  started: NonNullable<Session['state']['underway']>,
): Promise<{ results: Result[]; final: string | undefined }> {
  const { iteration, outcomes } = started;
  const within = answerBudget();
  const results = new Map<Item, Result>();
  const settle = async (group: readonly Item[], how: Plan) => {
    const all = await Promise.allSettled(
      group.map(async item => ({ item, came: await outcomeOf(item, how, session, iteration) })),
    );
    for (const done of all) {
      if (done.status === 'rejected') throw done.reason;
      const { item, came } = done.value;
      if ('kind' in item.asked && item.asked.kind === 'tool') bookCall(item.asked, came, session);
      const outcome = { ok: came.ok, text: within(came.text) };
      note(item.asked, outcome.ok ? undefined : outcome.text, session, iteration);
      results.set(item, { ...item, outcome });
    }
  };
  const others = items.filter(item => !isFinal(item));
  for (const [at, { ok, text }] of outcomes.entries()) {
    const item = others[at];
    if (item) results.set(item, { ...item, outcome: { ok, text: within(text) } });
  }
  for (const group of sideBySide(others.slice(outcomes.length), session.request)) {
    await settle(group, plan);
    outcomes.push(...group.flatMap(item => results.get(item)?.outcome ?? []));
    if (outcomes.length === others.length || !group.some(item => reachesOutside(item, session.request)))
      continue;
    session.state.underway = started;
    await session.save();
  }
  delete session.state.underway;
  const untaken = whyUntaken([...results.values()]);
  // With what was stored beside it.
  const filled =
    plan.final === undefined || untaken !== undefined ? undefined : filledFinal(plan.final, session);
  for (const item of items)
    if (isFinal(item)) await settle([item], { ...plan, untaken: untaken ?? filled?.error });
  return { results: items.flatMap(item => results.get(item) ?? []), final: filled?.text };
}

/** A final output takes for granted what came of all else: nothing that failed, or that the model is yet to see. */
function whyUntaken(others: readonly Result[]): string | undefined {
  // A question was refused because of the final output.
  if (others.some(each => !each.outcome.ok && !isQuestion(each))) return BESIDE_FAILURE;
  return others.some(hasResult) ? UNSEEN : undefined;
}

/** True if the model has to see the result. It knows the result of a write already. */
const hasResult = ({ asked }: Item) =>
  'kind' in asked &&
  (asked.kind === 'js' || asked.kind === 'tool' || (asked.kind === 'vault' && asked.action === 'read'));

async function outcomeOf(
  item: Item,
  plan: Plan,
  session: Session,
  iteration: Iteration,
): Promise<OperationOutcome> {
  const { asked } = item;
  if ('message' in asked) return { ok: false, text: asked.message };
  if (asked.kind === 'final') {
    if (plan.final === undefined) return { ok: false, text: TWO_FINALS };
    return plan.untaken === undefined ? { ok: true, text: 'taken' } : { ok: false, text: plan.untaken };
  }
  if (asked.kind === 'ask')
    return item === plan.question ? { ok: true, text: '' } : { ok: false, text: plan.refusal };
  return await perform(asked, session, iteration);
}

/** Answer to a native call; a tag is no call. */
function callAnswer({ call, outcome: { ok, text } }: Result): ModelPart[] {
  return call === undefined
    ? []
    : [{ type: 'tool_result', id: call, content: text, ...(!ok && { is_error: true }) }];
}

/** Common answer to all tags of a reply. */
function tagAnswers(results: readonly Result[]): ModelPart[] {
  const tags = results.filter(({ call }) => call === undefined);
  return tags.length === 0 ? [] : [textPart(answersText(tags))];
}
