// One turn of a layer: its role program is evaluated, its reply comes back with what it cost, or the failure as a value.
import { TaskError } from '../../engine/language/result.ts';
import { formatProblem } from '../../engine/language/problem.ts';
import { readTemplate } from '../../engine/language/program.ts';
import { type Layer, layerName } from '../layers.ts';
import type { SessionSummary } from '../../engine/reasoning/session-summary.ts';
import { failureClass, type Spending, withinBudget } from '../../engine/models/budget.ts';
import type { ResilientModel } from '../../engine/models/resilient-model.ts';
import { ModelFailure, type ModelMessage } from '../../engine/models/model.ts';
import type { PlayedReply } from '../../engine/models/scripted.ts';
import { SessionPaused } from '../../engine/reasoning/question.ts';
import type { SessionOutcome } from '../../engine/reasoning/request.ts';
import type { Entry } from '../../journal/journal.ts';
import { type Replay, replay } from '../../journal/replay.ts';
import { evaluationOf } from '../../engine/runtime/evaluation.ts';
import { evaluate } from '../../engine/tasks/evaluate.ts';
import type { CascadeContext } from './context.ts';
import { fits, keptConversation, keptJournal } from './fit-to-record.ts';
import { roleInputs } from './role-inputs.ts';

/** A turn that ended well. Journalled: the conversation is what the layer is resumed with. */
export type Turn = Booked & {
  ok: true;
  text: string;
  model: string;
  messages: ModelMessage[];
  /** What the session did. */
  session?: SessionSummary;
};

/** A turn that waits for the person's answer. Journalled: its program goes on from there in any process. */
export type AskingTurn = Booked & {
  ok: 'asks';
  question: string;
  /** Key of the session that asks. */
  session: string;
  /** Of the role's program. */
  journal: Entry[];
};

export type FailedTurn = Booked & {
  ok: false;
  class: string;
  message: string;
};

/** What a turn has come to: model calls, USD, milliseconds, and what a script has played in it. */
export interface Booked {
  turns: number;
  cost_usd: number;
  ms: number;
  played: PlayedReply[];
}

/** Where a turn stood that did not end: saved while it goes on, so that a crash costs one model call. */
export interface SavedTurn {
  booked: Booked;
  journal: Entry[];
}

const nothingBooked: Booked = { turns: 0, cost_usd: 0, ms: 0, played: [] };

/** The run's model with its retries and breaker, shared by all turns of one process. */
export interface LayersModel {
  guard: ResilientModel;
  used(): PlayedReply[];
}

/** Asks the layer. Throws ProviderWait when the provider wants a long wait, and the signal's reason when aborted. */
export async function takeTurn(
  ctx: CascadeContext,
  layer: Layer,
  turn: {
    /** Of the turn's program: the same when it is gone on with. */
    key: string;
    model: LayersModel;
    /** What it may cost (USD). */
    most: number;
    replies: readonly { layer: Layer['id']; text: string }[];
    /** What the layer is told in its own conversation instead of its inputs. */
    said: string | undefined;
    before: Turn | undefined;
    /** A turn that asked, with the answer: it is gone on with. */
    asked: { turn: AskingTurn; answer: string } | undefined;
    /** Where an earlier process stood in this turn. */
    saved: SavedTurn | undefined;
    save(turn: SavedTurn): Promise<void>;
  },
): Promise<Turn | AskingTurn | FailedTurn> {
  const { asked, saved } = turn;
  const { model, booked } = bookedModel(ctx, turn.model, turn.most, saved?.booked ?? nothingBooked);
  const fail = (kind: string, message: string): FailedTurn => ({
    ok: false,
    class: kind,
    message,
    ...booked(),
  });
  const who = layerName(layer.id);
  const { program, problems } = readTemplate(ctx.library.get(layer.id), ctx.library);
  if (!program) return fail('crash', problems.map(formatProblem).join('; '));
  const { tools, files, memory } = await ctx.repository();
  const inner: Replay = replay({
    entries: saved?.journal ?? asked?.turn.journal ?? [],
    clock: ctx.clock,
    async write(batch) {
      // What the whole program ended with is the turn itself.
      if (batch.every(entry => entry.t === 'step' && entry.key === turn.key)) return;
      const journal = keptJournal(inner.entries);
      if (journal) await turn.save({ journal, booked: booked() });
    },
  });
  if (asked && !saved)
    inner.deliver({ id: `answer-${inner.entries.length}`, name: asked.turn.session, value: asked.answer });
  let session: SessionSummary | undefined;
  let stop: SessionOutcome['stop'] | undefined;
  const history = turn.before?.messages ?? [];
  const goesOn = history.length > 0;
  const evaluation = evaluationOf({
    model,
    library: ctx.library,
    sandbox: ctx.sandbox,
    reasoning: ctx.reasoning,
    tools,
    memory,
    pauses: true,
    sessions: { onSummary: ended => void (session = ended) },
    onEvent: ctx.onSession,
    step: inner.step,
    settings: {},
    models: name => ctx.modelOf(layer.id, name),
    key: turn.key,
    scope: 'layers',
    turns: () => ctx.limits.turns[layer.id],
    warnAt: ctx.limits.warnAt,
    // A call has its own time-out; the turn as a whole is held by the cascade's clock.
    timeMs: () => ctx.limits.cascadeMs,
    ...(goesOn && { history, prompt: turn.said ?? '' }),
    clock: ctx.clock,
    signal: ctx.abort,
  });
  const inputs = roleInputs(ctx, files, turn.replies, goesOn ? undefined : turn.said);
  try {
    const result = await evaluate(program, inputs, {
      ...evaluation,
      async session(request, progress) {
        const outcome = await evaluation.session(request, progress);
        stop = outcome.stop;
        return outcome;
      },
    });
    const text = result.content;
    if (stop === 'max_output') return fail('crash', `the ${who}'s reply was cut off by the output limit`);
    if (text.trim() === '') return fail('crash', `the ${who}'s reply is empty`);
    if (!fits(text))
      return fail('crash', `the ${who}'s reply is too long for the record; ask for less at a time`);
    const messages = keptConversation(result.messages);
    return {
      ok: true,
      text,
      model: ctx.modelOf(layer.id, program.type === 'atomic' ? program.model : undefined),
      ...booked(),
      messages: fits({ text, messages }) ? messages : [],
      ...(session && { session }),
    };
  } catch (error) {
    ctx.abort.throwIfAborted();
    if (error instanceof SessionPaused) {
      const { key: session, question } = error;
      const journal = keptJournal(inner.entries, session);
      if (journal) return { ok: 'asks', session, question, journal, ...booked() };
      return fail('crash', `the ${who} asked a question in a session that is too large for the record`);
    }
    if (!(error instanceof TaskError)) throw error;
    return fail(error.cause instanceof ModelFailure ? failureClass(error.cause) : error.code, error.message);
  }
}

/** The run's model for one turn, and what the turn has come to so far. */
function bookedModel(
  { clock, limits }: CascadeContext,
  { guard, used }: LayersModel,
  most: number,
  before: Booked,
) {
  const began = clock.now() - before.ms;
  const playedBefore = used().length - before.played.length;
  // Counted call by call: what a session says it has spent includes what was booked before its question.
  let spent: Spending = { cost_usd: before.cost_usd, model_calls: before.turns };
  const onSpent = (sum: Spending) => {
    spent = sum;
  };
  return {
    // A time-out for each call, so that one that hangs is tried again within the turn.
    model: withinBudget(guard, most, { before: spent, timeoutMs: limits.layerMs, onSpent }),
    booked: () => ({
      turns: spent.model_calls,
      cost_usd: spent.cost_usd,
      ms: clock.now() - began,
      played: used().slice(playedBefore),
    }),
  };
}
