// One turn of a layer: its role program is evaluated, its reply comes back with what it cost, or the failure as a value.
import { quoteForModel } from '../comments/neutral.ts';
import { fencedOff, quoted, quotedLine } from '../language/quote.ts';
import { TaskError } from '../language/result.ts';
import { formatProblem } from '../language/problem.ts';
import { readTemplate } from '../language/program.ts';
import type { GuardedModel } from '../models/guard.ts';
import { windowOf } from '../models/window.ts';
import { ModelFailure, type ModelMessage, type ModelPart, type ModelRequest } from '../models/model.ts';
import type { PlayedReply } from '../models/scripted.ts';
import { type Layer, layerName } from '../lib/layers.ts';
import { packedSize } from '../record/codec.ts';
import { type KeptSteps, keptSteps } from '../record/kept-steps.ts';
import { type Answered, answeredOf, SessionPaused } from '../reasoning/question.ts';
import type { SessionSummary } from '../lib/session-summary.ts';
import type { SessionOutcome } from '../reasoning/request.ts';
import { runSession } from '../reasoning/session.ts';
import type { SessionState } from '../reasoning/state.ts';
import { evaluate } from '../tasks/evaluate.ts';
import type { CascadeContext } from './context.ts';

/** A turn that ended well. Journalled: the conversation is what the layer is resumed with. */
export type Turn = {
  ok: true;
  text: string;
  model: string;
  /** Model calls. */
  turns: number;
  cost_usd: number;
  ms: number;
  played: PlayedReply[];
  messages: ModelMessage[];
  /** What the session did. */
  session?: SessionSummary;
};

/** A turn that waits for the person's answer. Journalled: the session goes on from its state in any process. */
export type AskingTurn = {
  ok: 'asks';
  question: string;
  /** Key of the session that asks, and its state. */
  session: string;
  state: SessionState;
  /** Sessions that were gone on with before and have not finished: each is gone on with from its answer. */
  answered: Answered;
  /** What else of the role's program was finished. */
  steps: KeptSteps;
  turns: number;
  cost_usd: number;
  ms: number;
  played: PlayedReply[];
};

export type FailedTurn = {
  ok: false;
  class: string;
  message: string;
  turns: number;
  cost_usd: number;
  ms: number;
  played: PlayedReply[];
};

/** The run's model with its retries and breaker, shared by all turns of one process. */
export interface OpenedModel {
  guard: GuardedModel;
  used(): PlayedReply[];
}

/** Characters of a conversation that the journal keeps, so that a turn fits a comment however badly it packs. */
const KEEP_CONVERSATION = 30_000;
/** Characters of the record that a turn may take. */
const MAX_PACKED = 54_000;
/** Bytes of a turn before it is packed: a segment of the record unpacks to 1 MB at most. */
const MAX_PLAIN = 200_000;

/** Asks the layer. Throws ParkRun when the provider wants a long wait, and the signal's reason when aborted. */
export async function takeTurn(
  ctx: CascadeContext,
  layer: Layer,
  turn: {
    /** Of the turn's program: the same when it is gone on with. */
    key: string;
    model: OpenedModel;
    replies: readonly { layer: Layer['id']; text: string }[];
    /** What the layer is told in its own conversation instead of its inputs. */
    said: string | undefined;
    before: Turn | undefined;
    /** A turn that asked, with the answer: it is gone on with. */
    asked: { turn: AskingTurn; answer: string } | undefined;
  },
): Promise<Turn | AskingTurn | FailedTurn> {
  const began = ctx.clock.now();
  const { guard, used } = turn.model;
  const playedBefore = used().length;
  // Counted call by call: what a session says it has spent includes what was booked before its question.
  const spent = { turns: 0, cost_usd: 0 };
  const booked = () => ({ ...spent, ms: ctx.clock.now() - began, played: used().slice(playedBefore) });
  const fail = (kind: string, message: string): FailedTurn => ({
    ok: false,
    class: kind,
    message,
    ...booked(),
  });
  const { program, problems } = readTemplate(ctx.library.get(layer.id), ctx.library);
  if (!program) return fail('crash', problems.map(formatProblem).join('; '));
  const { tools, files } = await ctx.repository();
  let session: SessionSummary | undefined;
  const answered: Answered = { ...turn.asked?.turn.answered };
  if (turn.asked) {
    const { turn: waited, answer } = turn.asked;
    answered[waited.session] = { state: waited.state, answer };
  }
  const surroundings = {
    // A time-out for each call, so that one that hangs is tried again within the turn.
    model: {
      provider: guard.provider,
      async call(request: ModelRequest) {
        const reply = await guard.call({ ...request, timeout_ms: ctx.limits.layerMs });
        spent.turns += 1;
        spent.cost_usd += reply.cost_usd;
        return reply;
      },
    },
    clock: ctx.clock,
    executor: ctx.executor,
    ...(ctx.onSession && { onEvent: ctx.onSession }),
    onSummary: (ended: SessionSummary) => {
      session = ended;
    },
    resume: (key: string) => answeredOf(answered, key),
  };
  const steps: KeptSteps = { ...turn.asked?.turn.steps };
  let stop: SessionOutcome['stop'] | undefined;
  try {
    const result = await evaluate(
      program,
      roleInputs(ctx, files, turn.replies, turn.before?.messages.length ? undefined : turn.said),
      {
        session: async request => {
          const outcome = await runSession(request, surroundings);
          stop = outcome.stop;
          delete answered[request.key];
          return outcome;
        },
        tools: [...tools],
        abilities: ['js', 'ask'],
        step: keptSteps(steps),
        library: ctx.library,
        settings: {},
        models: name => ctx.modelOf(layer.id, name),
        window: windowOf,
        key: turn.key,
        scope: 'layers',
        turns: () => ctx.limits.turns[layer.id],
        // A call has its own time-out; the turn as a whole is held by the cascade's clock.
        timeMs: () => ctx.limits.cascadeMs,
        ...(turn.before?.messages.length && { history: turn.before.messages, prompt: turn.said ?? '' }),
        clock: ctx.clock,
        signal: ctx.abort,
      },
    );
    const who = layerName(layer.id);
    if (stop === 'max_output') return fail('crash', `the ${who}'s reply was cut off by the output limit`);
    if (result.content.trim() === '') return fail('crash', `the ${who}'s reply is empty`);
    const text = result.content;
    const messages = shortened(result.messages);
    const kept = fits({ text, messages }) ? messages : [];
    if (!fits(text))
      return fail('crash', `the ${who}'s reply is too long for the record; ask for less at a time`);
    return {
      ok: true,
      text,
      model: ctx.modelOf(layer.id, program.type === 'atomic' ? program.model : undefined),
      ...booked(),
      messages: kept,
      ...(session && { session }),
    };
  } catch (error) {
    ctx.abort.throwIfAborted();
    if (error instanceof SessionPaused) {
      const { question, key: session, state } = error;
      // What it was answered before stands in its state.
      delete answered[session];
      // Long answers of tools are the first to go, so that the rest of the sessions can be kept.
      for (const short of [(whole: SessionState) => whole, shortenedState]) {
        const others = Object.entries(answered).map(([key, each]) => [
          key,
          { ...each, state: short(each.state) },
        ]);
        const asking = {
          question,
          session,
          state: short(state),
          answered: Object.fromEntries(others) as Answered,
          steps,
        };
        if (fits(asking)) return { ok: 'asks', ...asking, ...booked() };
      }
      return fail(
        'crash',
        `the ${layerName(layer.id)} asked a question in a session that is too large for the record`,
      );
    }
    if (!(error instanceof TaskError)) throw error;
    return fail(error.cause instanceof ModelFailure ? error.cause.class : error.code, error.message);
  }
}

const fits = (value: unknown) =>
  Buffer.byteLength(JSON.stringify(value)) <= MAX_PLAIN && packedSize(value) <= MAX_PACKED;

/** What a role program may bind. Text by others is cleaned of what people cannot see. */
function roleInputs(
  ctx: CascadeContext,
  files: readonly string[],
  replies: readonly { layer: Layer['id']; text: string }[],
  /** What the layer is told, where its conversation was too long to be kept. */
  said: string | undefined,
): Record<string, string> {
  const body = quoteForModel(ctx.directive.body);
  const note = body.stripped > 0 ? `\n(${body.stripped} invisible or hidden characters were left out.)` : '';
  return {
    title: quotedLine(quoteForModel(ctx.directive.title).text),
    directive: quoted(body.text) + note,
    files: fencedOff(index(files)),
    earlier:
      [
        ...replies.map(({ layer, text }) => `## ${layerName(layer)}\n${quoted(text)}`),
        ...(said ? [said] : []),
      ].join('\n\n') || '(none)',
  };
}

/** Paths that a prompt shows at most; a layer lists the rest with its tools. */
const MAX_PATHS = 300;

function index(files: readonly string[]): string {
  const shown = files.slice(0, MAX_PATHS).join('\n');
  return files.length > MAX_PATHS
    ? `${shown}\n(and ${files.length - MAX_PATHS} more; use list_files)`
    : shown;
}

/** The conversation within KEEP_CONVERSATION: long answers of tools go first, then the end of what was asked. */
function shortened(messages: readonly ModelMessage[]): ModelMessage[] {
  for (const most of [6000, 1500, 300, 0]) {
    const kept = messages.map(({ role, content }) => ({
      role,
      content: content.map(part => cut(part, most)),
    }));
    if (JSON.stringify(kept).length <= KEEP_CONVERSATION) return kept;
  }
  const most = Math.floor(KEEP_CONVERSATION / 2 / Math.max(1, messages.length));
  return messages.map(({ role, content }) => ({
    role,
    content: content.map(part =>
      part.type === 'text'
        ? { ...part, text: short(part.text, most) }
        : part.type === 'tool_call'
          ? { ...part, input: {} }
          : cut(part, 0),
    ),
  }));
}

/** Long answers that go with the person's, too: those of the calls beside the question. */
function shortenedState(state: SessionState): SessionState {
  const { pending } = state;
  if (!pending) return { ...state, messages: shortened(state.messages) };
  const answers: ModelMessage = { role: 'user', content: pending.parts };
  const messages = shortened([...state.messages, answers]);
  const parts = messages.pop()!.content;
  return { ...state, messages, pending: { ...pending, parts } };
}

const cut = (part: ModelPart, most: number): ModelPart =>
  part.type === 'tool_result' ? { ...part, content: short(part.content, most) } : part;

const short = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}\n(cut)` : text;
