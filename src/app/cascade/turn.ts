// One turn of a layer: its role program is evaluated, its reply comes back with what it cost, or the failure as a value.
import { z } from 'zod';
import { TaskError } from '../../engine/language/result.ts';
import { formatProblem } from '../../engine/language/problem.ts';
import { readTemplate } from '../../engine/language/program.ts';
import { type Layer, layerName } from '../layers.ts';
import type { SessionSummary } from '../../engine/reasoning/session-summary.ts';
import { failureClass, type Spending } from '../../engine/models/budget.ts';
import type { GuardedModels } from '../../engine/models/guarded-model.ts';
import { ModelFailure, type ModelMessage } from '../../engine/models/model.ts';
import type { PlayedReply } from '../../engine/models/scripted.ts';
import { SessionPaused } from '../../engine/reasoning/question.ts';
import type { SessionOutcome } from '../../engine/reasoning/request.ts';
import { type Entry, EntrySchema } from '../../journal/journal.ts';
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
export type Booked = SavedTurn['booked'];

/** Where a turn stood that did not end: saved while it goes on, so that a crash costs one model call. */
export const SavedTurn = z.object({
  booked: z.object({
    turns: z.int().nonnegative(),
    cost_usd: z.number().nonnegative(),
    ms: z.number().nonnegative(),
    played: z.array(z.object({ scope: z.string(), key: z.string(), index: z.int().nonnegative() })),
  }),
  journal: z.array(EntrySchema),
});
export type SavedTurn = z.infer<typeof SavedTurn>;

const nothingBooked: Booked = { turns: 0, cost_usd: 0, ms: 0, played: [] };

/** The run's model with its retries and breaker, shared by all turns of one process. */
export interface LayersModel {
  models: GuardedModels;
  used(): PlayedReply[];
}

/** What a turn is asked for with. */
export interface TurnRequest {
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
}

/** Asks the layer. Throws ProviderWait when the provider wants a long wait, and the signal's reason when aborted. */
export async function takeTurn(
  ctx: CascadeContext,
  layer: Layer,
  turn: TurnRequest,
): Promise<Turn | AskingTurn | FailedTurn> {
  const { model, booked } = bookedModel(ctx, turn);
  const who = layerName(layer.id);
  const fail = (kind: string, message: string): FailedTurn => ({
    ok: false,
    class: kind,
    message,
    ...booked(),
  });
  const { program, problems } = readTemplate(ctx.library.get(layer.id), ctx.library);
  if (!program) return fail('crash', problems.map(formatProblem).join('; '));
  const journal = journalOf(turn, ctx, booked);
  const sessions: SessionSummary[] = [];
  let stop: SessionOutcome['stop'] | undefined;
  const history = turn.before?.messages ?? [];
  const goesOn = history.length > 0;
  const { tools, files, memory } = await ctx.repository();
  const evaluation = evaluationOf({
    ...partsOf(ctx, layer),
    ...{ model, tools, memory, key: turn.key, step: journal.step },
    sessions: { onSummary: ended => void sessions.push(ended) },
    ...(goesOn && { history, prompt: turn.said ?? '' }),
  });
  const inputs = roleInputs(ctx, files, turn.replies, goesOn ? undefined : turn.said);
  try {
    const { content: text, messages: said } = await evaluate(program, inputs, {
      ...evaluation,
      async session(request, progress) {
        const outcome = await evaluation.session(request, progress);
        stop = outcome.stop;
        return outcome;
      },
    });
    if (stop === 'max_output') return fail('crash', `the ${who}'s reply was cut off by the output limit`);
    if (text.trim() === '') return fail('crash', `the ${who}'s reply is empty`);
    if (!fits(text))
      return fail('crash', `the ${who}'s reply is too long for the record; ask for less at a time`);
    const kept = keptConversation(said);
    const messages = fits({ text, messages: kept }) ? kept : [];
    const named = ctx.modelOf(layer.id, program.type === 'atomic' ? program.model : undefined);
    const session = sessions.at(-1);
    return { ok: true, text, model: named, messages, ...booked(), ...(session && { session }) };
  } catch (error) {
    ctx.abort.throwIfAborted();
    if (error instanceof SessionPaused) {
      const { key: session, question } = error;
      const kept = keptJournal(journal.entries, session);
      if (kept) return { ok: 'asks', session, question, journal: kept, ...booked() };
      return fail('crash', `the ${who} asked a question in a session that is too large for the record`);
    }
    if (!(error instanceof TaskError)) throw error;
    return fail(error.cause instanceof ModelFailure ? failureClass(error.cause) : error.code, error.message);
  }
}

/** What of an evaluation is the same for every turn of a layer. */
function partsOf({ library, sandbox, reasoning, limits, ...ctx }: CascadeContext, { id }: Layer) {
  return {
    ...{ library, sandbox, reasoning, clock: ctx.clock, signal: ctx.abort },
    pauses: true,
    contextIsOptional: true,
    onEvent: ctx.onSession,
    settings: {},
    models: (name: string | undefined) => ctx.modelOf(id, name),
    scope: 'layers',
    turns: () => limits.turns[id],
    warnAt: limits.warnAt,
    // A call has its own time-out; the turn as a whole is held by the cascade's clock.
    timeMs: () => limits.cascadeMs,
  };
}

/** The journal of the role's program: begun, or as an earlier process saved it, or with the person's answer. */
function journalOf(
  { key, asked, saved, save }: TurnRequest,
  { clock }: CascadeContext,
  booked: () => Booked,
): Replay {
  const journal: Replay = replay({
    entries: saved?.journal ?? asked?.turn.journal ?? [],
    clock,
    async write(batch) {
      // What the whole program ended with is the turn itself.
      if (batch.every(entry => entry.t === 'step' && entry.key === key)) return;
      const kept = keptJournal(journal.entries);
      if (kept) await save({ journal: kept, booked: booked() });
    },
  });
  if (asked && !saved)
    journal.deliver({
      id: `answer-${journal.entries.length}`,
      name: asked.turn.session,
      value: asked.answer,
    });
  return journal;
}

/** The run's model for one turn, and what the turn has come to so far. */
function bookedModel(
  { clock, limits }: CascadeContext,
  { model: { models, used }, most, saved }: TurnRequest,
) {
  const before = saved?.booked ?? nothingBooked;
  const began = clock.now() - before.ms;
  const playedBefore = used().length - before.played.length;
  // Counted call by call: what a session says it has spent includes what was booked before its question.
  let spent: Spending = { cost_usd: before.cost_usd, model_calls: before.turns };
  const onSpent = (sum: Spending) => {
    spent = sum;
  };
  return {
    // A time-out for each call, so that one that hangs is tried again within the turn.
    model: models.within({ most, before: spent, timeoutMs: limits.layerMs, onSpent }),
    booked: () => ({
      turns: spent.model_calls,
      cost_usd: spent.cost_usd,
      ms: clock.now() - began,
      played: used().slice(playedBefore),
    }),
  };
}
