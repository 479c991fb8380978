// A role's program, evaluated once: its result with what it cost, a question to the person, or the failure as a value.
import { commandTool } from '../layers.ts';
import { type Progress, type Replay, replay } from '@echelon/ground/journal';
import { formatProblem, TaskError } from '../../engine/texts.ts';
import { readTemplate, type Tool } from '../../engine/language.ts';
import type { Model, ModelMessage, SessionSummary, ShownImage, Spending } from '../../engine/models.ts';
import { failureClass, findRow, guarded, ModelFailure } from '../../engine/models.ts';
import { evaluate, type Evaluated, evaluationOf, SessionPaused } from '../../engine/engine.ts';
import type { Memory } from '../../engine/files.ts';
import type { Role } from '../layers.ts';
import {
  type AskingTurn,
  type Booked,
  type Cascade,
  type FailedTurn,
  type LayersModel,
  SavedTurn,
} from './cascade-state.ts';
import { noting } from './opened-files.ts';
import { keptJournal } from './fit-to-record.ts';
import { imagesNote } from './role-inputs.ts';

export interface RoleRequest {
  role: Role;
  /** Of the program: the same when it is gone on with. */
  key: string;
  /** Budget (USD). */
  most: number;
  inputs: Record<string, string>;
  repository: { tools: readonly Tool[]; memory: Memory };
  /** A conversation that is gone on with, and what is said in it. */
  conversation?: { history: ModelMessage[]; prompt: string } | undefined;
  /** Its inputs hold all paths of the repository: it has no need to list them. */
  isShownAll?: boolean;
  /** A question to the person ends it, to be gone on with when the answer is there. */
  pauses: boolean;
  /** A program that asked, with the answer: it is gone on with. */
  asked?: { turn: AskingTurn; answer: string } | undefined;
  /** State saved by an earlier process. */
  progress: Progress;
}

/** A role's program that came to its end. */
export interface Answered {
  ok: true;
  result: Evaluated;
  /** The provider's name. */
  model: string;
  booked: Booked;
  session: SessionSummary | undefined;
}

/** Throws ProviderWait when the provider wants a long wait, and the signal's reason when aborted. */
export async function evaluateRole(
  cascade: Cascade,
  { role, key, most, inputs, repository, isShownAll, conversation, pauses, asked, progress }: RoleRequest,
): Promise<Answered | AskingTurn | FailedTurn> {
  const { ctx } = cascade;
  // One that does not fit is gone on from as if the turn began.
  const saved = SavedTurn.safeParse(progress.state).data;
  const layersModel = await openModel(cascade, saved);
  const save = async (kept: SavedTurn['journal'] | undefined) => {
    if (kept) await progress.save({ journal: kept, booked: booked(), opened: layersModel.models.opened() });
  };
  const onOpened = () => save(keptJournal(journal.entries));
  const { model, booked, opened } = bookedModel(layersModel, { most, saved, onOpened }, cascade);
  const fail = (kind: string, message: string): FailedTurn => ({
    ok: false,
    class: kind,
    message,
    ...booked(),
  });
  const parts = ctx.evaluation(role);
  const { program, problems } = readTemplate(parts.library.get(role.id), parts.library);
  if (!program) return fail('crash', problems.map(formatProblem).join('; '));
  const journal = journalOf({ key, asked }, saved, ctx.clock, save);
  const sessions: SessionSummary[] = [];
  const { memory } = repository;
  const tools = noting(repository.tools, opened);
  // Only with the call: neither the session nor the record keeps their bytes.
  let images: ShownImage[] = [];
  const seeing: Model = {
    ...model,
    call: (request, onEvent) =>
      model.call({ ...request, ...(request.task === role.id && { images }) }, onEvent),
  };
  const options = evaluationOf({
    ...parts,
    ...{ model: seeing, tools, memory, key, step: journal.step, pauses },
    sessions: { onSummary: ended => void sessions.push(ended) },
    ...conversation,
  });
  const { once = false } = role;
  const session: typeof options.session = (request, saved) => {
    // Named by no program, as it is on some machines only.
    const commands = tools.filter(({ name }) => name === commandTool);
    const useful = [...request.tools.filter(({ name }) => !isShownAll || name !== 'list_files'), ...commands];
    return options.session({ ...request, tools: useful, once }, saved);
  };
  try {
    const named = parts.models(program.type === 'atomic' ? program.model : undefined, role.id);
    const canSee = [named, ...ctx.behind(named, role.id)].some(each => findRow(each, parts.modelRows)?.image);
    const attached = role.sees && canSee ? await ctx.github.images(ctx.directive, parts.signal) : [];
    images = attached.flatMap(each => ('image' in each ? [each.image] : []));
    const shown = { ...inputs, directive: `${inputs['directive']}${imagesNote(attached)}` };
    const result = await evaluate(program, shown, { ...options, session });
    return { ok: true, result, model: named, booked: booked(), session: sessions.at(-1) };
  } catch (error) {
    parts.signal.throwIfAborted();
    if (error instanceof TaskError)
      return fail(
        error.cause instanceof ModelFailure ? failureClass(error.cause) : error.code,
        error.message,
      );
    if (!(error instanceof SessionPaused)) throw error;
    const { key: session, question } = error;
    const kept = keptJournal(journal.entries, session);
    if (kept) return { ok: 'asks', session, question, journal: kept, ...booked() };
    return fail('crash', `the ${role.name} asked a question in a session that is too large for the record`);
  }
}

/** The model of all turns of this process, told what was played before. */
async function openModel(cascade: Cascade, saved: SavedTurn | undefined): Promise<LayersModel> {
  if (!cascade.model) {
    const { ctx, played } = cascade;
    const { model, used, wait } = await ctx.openModel([...played, ...(saved?.booked.played ?? [])]);
    const { clock, behind } = ctx;
    cascade.model = { models: guarded(model, { clock, wait, behind, opened: saved?.opened }), used };
  }
  return cascade.model;
}

/** The journal of the role's program: begun, or as an earlier process saved it, or with the person's answer. */
function journalOf(
  { key, asked }: Pick<RoleRequest, 'key' | 'asked'>,
  saved: SavedTurn | undefined,
  clock: Cascade['ctx']['clock'],
  save: (journal: SavedTurn['journal'] | undefined) => Promise<void>,
): Replay {
  const journal: Replay = replay({
    entries: saved?.journal ?? asked?.turn.journal ?? [],
    clock,
    async write(batch) {
      // The result of the whole program is the turn itself.
      if (batch.every(entry => entry.t === 'step' && entry.key === key)) return;
      await save(keptJournal(journal.entries));
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

export const nothingBooked: Booked = { turns: 0, cost_usd: 0, ms: 0, played: [], opened: [] };

/** The run's model for one turn, and what the turn has come to so far. `most`: what it may cost (USD). */
function bookedModel(
  { models, used }: LayersModel,
  { most, saved, onOpened }: { most: number; saved: SavedTurn | undefined; onOpened(): Promise<void> },
  { ctx: { clock, config } }: Cascade,
) {
  const before = saved?.booked ?? nothingBooked;
  const began = clock.now() - before.ms;
  const opened = [...before.opened];
  const playedBefore = used().length - before.played.length;
  // Counted call by call: what a session says it has spent includes what was booked before its question.
  let spent: Spending = { cost_usd: before.cost_usd, model_calls: before.turns };
  const onSpent = (sum: Spending) => {
    spent = sum;
  };
  return {
    // A time-out for each call, so that one that hangs is tried again within the turn.
    model: models.within({ most, before: spent, timeoutMs: config.timeouts.layer, onSpent, onOpened }),
    booked: () => ({
      turns: spent.model_calls,
      cost_usd: spent.cost_usd,
      ms: clock.now() - began,
      played: used().slice(playedBefore),
      opened,
    }),
    opened,
  };
}
