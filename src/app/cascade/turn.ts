// One turn of a layer: its role program is evaluated, its reply comes back with what it cost, or the failure as a value.
import { TaskError } from '../../engine/language/result.ts';
import { formatProblem } from '../../engine/language/problem.ts';
import { readTemplate } from '../../engine/language/program.ts';
import { failureClass, type Spending } from '../../engine/models/budget.ts';
import { guarded } from '../../engine/models/guarded-model.ts';
import { ModelFailure, type ModelMessage } from '../../engine/models/model.ts';
import { SessionPaused } from '../../engine/reasoning/question.ts';
import type { SessionSummary } from '../../engine/reasoning/session-summary.ts';
import { evaluationOf } from '../../engine/runtime/evaluation.ts';
import { evaluate } from '../../engine/tasks/evaluate.ts';
import type { Progress } from '../../journal/journal.ts';
import { type Replay, replay } from '../../journal/replay.ts';
import {
  type AskingTurn,
  type Booked,
  type Cascade,
  type FailedTurn,
  type LayersModel,
  type LayerState,
  SavedTurn,
  type Turn,
} from './cascade-state.ts';
import { fits, keptConversation, keptJournal } from './fit-to-record.ts';
import { roleInputs } from './role-inputs.ts';

/** What a turn is asked for with. */
interface TurnRequest {
  /** Of the turn's program: the same when it is gone on with. */
  key: string;
  /** What it may cost (USD). */
  most: number;
  /** What the layer is told in its own conversation instead of its inputs. */
  said: string | undefined;
  /** A turn that asked, with the answer: it is gone on with. */
  asked: { turn: AskingTurn; answer: string } | undefined;
  /** Where an earlier process stood in this turn. */
  progress: Progress;
}

/** Asks the layer. Throws ProviderWait when the provider wants a long wait, and the signal's reason when aborted. */
export async function takeTurn(
  cascade: Cascade,
  layer: LayerState,
  { progress, ...turn }: TurnRequest,
): Promise<Turn | AskingTurn | FailedTurn> {
  const { ctx } = cascade;
  // One that does not fit is gone on from as if the turn began.
  const saved = SavedTurn.safeParse(progress.state).data;
  const { model, booked } = bookedModel(await openModel(cascade, saved), turn.most, saved, cascade);
  const fail = (kind: string, message: string): FailedTurn => ({
    ok: false,
    class: kind,
    message,
    ...booked(),
  });
  const parts = ctx.evaluation(layer);
  const { program, problems } = readTemplate(parts.library.get(layer.id), parts.library);
  if (!program) return fail('crash', problems.map(formatProblem).join('; '));
  const journal = journalOf(turn, saved, ctx.clock, journal => progress.save({ journal, booked: booked() }));
  const sessions: SessionSummary[] = [];
  const history = layer.turn?.messages ?? [];
  const goesOn = history.length > 0;
  const { tools, files, memory } = await ctx.repository();
  const inputs = roleInputs(ctx, files, cascade.layers, goesOn ? undefined : turn.said);
  try {
    const { content: text, messages: whole } = await evaluate(
      program,
      inputs,
      evaluationOf({
        ...parts,
        ...{ model, tools, memory, key: turn.key, step: journal.step },
        sessions: { onSummary: ended => void sessions.push(ended) },
        ...(goesOn && { history, prompt: turn.said ?? '' }),
      }),
    );
    const problem = replyProblem(text);
    if (problem !== undefined) return fail('crash', `the ${layer.name}'s reply ${problem}`);
    const messages = conversationBeside(text, whole);
    const named = parts.models(program.type === 'atomic' ? program.model : undefined, layer.id);
    const session = sessions.at(-1);
    return { ok: true, text, model: named, messages, ...booked(), ...(session && { session }) };
  } catch (error) {
    parts.signal.throwIfAborted();
    if (!(error instanceof SessionPaused)) return fail(...failureOf(error));
    const { key: session, question } = error;
    const kept = keptJournal(journal.entries, session);
    if (kept) return { ok: 'asks', session, question, journal: kept, ...booked() };
    return fail('crash', `the ${layer.name} asked a question in a session that is too large for the record`);
  }
}

/** Why a reply cannot be taken, a clause; undefined where it can. */
function replyProblem(text: string): string | undefined {
  if (text.trim() === '') return 'is empty';
  return fits(text) ? undefined : 'is too long for the record; ask for less at a time';
}

/** What the record can take of the conversation beside the reply. */
function conversationBeside(text: string, whole: readonly ModelMessage[]): ModelMessage[] {
  const messages = keptConversation(whole);
  return fits({ text, messages }) ? messages : [];
}

/** Class and message of a failure of the turn; throws what is none. */
function failureOf(error: unknown): [string, string] {
  if (!(error instanceof TaskError)) throw error;
  return [error.cause instanceof ModelFailure ? failureClass(error.cause) : error.code, error.message];
}

/** The model of all turns of this process, told what was played before. */
async function openModel(cascade: Cascade, saved: SavedTurn | undefined): Promise<LayersModel> {
  if (!cascade.model) {
    const { ctx, played } = cascade;
    const { model, used, wait } = await ctx.openModel([...played, ...(saved?.booked.played ?? [])]);
    cascade.model = { models: guarded(model, { clock: ctx.clock, wait }), used };
  }
  return cascade.model;
}

/** The journal of the role's program: begun, or as an earlier process saved it, or with the person's answer. */
function journalOf(
  { key, asked }: Pick<TurnRequest, 'key' | 'asked'>,
  saved: SavedTurn | undefined,
  clock: Cascade['ctx']['clock'],
  save: (journal: SavedTurn['journal']) => Promise<void>,
): Replay {
  const journal: Replay = replay({
    entries: saved?.journal ?? asked?.turn.journal ?? [],
    clock,
    async write(batch) {
      // What the whole program ended with is the turn itself.
      if (batch.every(entry => entry.t === 'step' && entry.key === key)) return;
      const kept = keptJournal(journal.entries);
      if (kept) await save(kept);
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

const nothingBooked: Booked = { turns: 0, cost_usd: 0, ms: 0, played: [] };

/** The run's model for one turn, and what the turn has come to so far. `most`: what it may cost (USD). */
function bookedModel(
  { models, used }: LayersModel,
  most: number,
  saved: SavedTurn | undefined,
  { ctx: { clock, limits } }: Cascade,
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
