// The one loop of model call, operations and final output: how every atomic task is carried out.
import { type Clock, deadline } from '@echelon/ground';
import type { Progress } from '@echelon/ground/journal';
import { TaskError } from '../language/result.ts';
import { ModelFailure, type ModelMessage, type ModelReply } from '../models/model.ts';
import { overTries } from '../models/reply.ts';
import { askAgain } from './final-output.ts';
import { builtIn } from './built-in.ts';
import { compact } from './compaction.ts';
import { askToGoOn, wholeText, begin, goOn, moveSession, say, summaryOf } from './session-lifecycle.ts';
import type { SoundReply } from './sound-reply.ts';
import { carryOut, type Done, readAsked } from './carry-out.ts';
import { deltasOf } from './deltas.ts';
import { exportMetrics } from './metrics.ts';
import { hooksOf } from './middleware.ts';
import { booked, callOf } from './model-call.ts';
import { SessionPaused } from './question.ts';
import type { SessionOutcome, SessionRequest, SessionSurroundings } from './request.ts';
import type { Iteration, IterationPhase } from './iteration.ts';
import { kept } from './state.ts';
import { exhausted, standardStops, turnsOf, abortedWith, failedModel } from './stop.ts';
import type { Session } from './session-in-progress.ts';
import { contextTokens, createWarnings, FINISH, LAST_TURN } from './usage.ts';

/**
 * Runs a session to its final output: a `final_output`, a reply without operations, or one that was cut off or
 * refused. Throws TaskError with what was spent in its notes: RESOURCE_EXHAUSTION (the call that would exceed is
 * not made), TASK_FAILURE `model_failure` (`cause` is the ModelFailure, where the provider failed), `tool_failed`,
 * `no_progress` or `too_many_errors`; SessionPaused where a question waits; the signal's reason when it aborts; what
 * the model's surroundings throw to end a run's work for now. With `progress` it goes on from where it was saved, and is saved after
 * each iteration: a crash costs one model call.
 */
export async function runSession(
  request: SessionRequest,
  around: SessionSurroundings,
  progress?: Progress,
): Promise<SessionOutcome> {
  const { clock, onEvent } = around;
  const { prompt, history, cuts } = request;
  const state = progress?.state === undefined ? begin(prompt, history, cuts) : goOn(request.key, progress);
  const time = deadline(Math.max(0, request.limits.time_ms - state.activeMs), clock, request.signal);
  const session: Session = {
    request,
    around,
    state,
    time,
    hooks: hooksOf([...builtIn({ request, around, state }), ...(around.middleware ?? [])], request.key, {
      time,
      onEvent,
    }),
    warn: createWarnings(request.task, state, onEvent, request.limits.warn_at),
    tools: [...(state.tools ?? [])],
    save: async () => await progress?.save(sofar(session)).catch(() => {}),
  };
  const exported = exportMetrics(request.key, state, around);
  if (state.status !== 'active') moveSession(state, 'active', request.key, onEvent);
  try {
    for (;;) {
      const ended = await iterate(session);
      if (!ended) {
        await session.save();
        continue;
      }
      moveSession(state, ended.stop === 'refusal' ? 'failed' : 'completed', request.key, onEvent);
      around.onSummary?.(summaryOf(state, request, time.elapsed()));
      return { ...ended, messages: state.messages, ...state.spent, tools: calledTools(session) };
    }
  } catch (error) {
    const left = leaving(error, session);
    // A question whose session is lost would be answered in vain: that it cannot be written is the failure.
    if (left instanceof SessionPaused) await progress?.save(state);
    throw left;
  } finally {
    time.end();
    exported();
  }
}

type Ended = Pick<SessionOutcome, 'text' | 'stop'>;

/** Prompt, model, parse and apply; answers the end when the reply was the last. */
async function iterate(session: Session): Promise<Ended | undefined> {
  const { request, around, state } = session;
  const { underway } = state;
  // Of one under way the call was made.
  if (underway) request.meter?.spent(state.spent);
  else request.meter?.call(state.spent);
  for (const stop of underway ? [] : (around.stops ?? standardStops)) {
    const error = stop(state, request.limits, request.task);
    if (error) throw error;
  }
  const iteration: Iteration = underway?.iteration ?? {
    ...{ n: state.counts.iterations + 1, state: 'started', phases: {}, reasoning: '' },
    ...{ operations: 0, errors: [], ms: 0, progress: 0 },
  };
  around.onEvent?.({ type: 'iteration_start', session: request.key, n: iteration.n });
  const phase = stopwatch(iteration, around.clock);
  try {
    const reply = underway?.reply ?? (await replied(session, iteration.n, phase));
    phase('parse');
    const asked = readAsked(reply, session);
    phase('apply');
    const done = await carryOut(reply, asked, session, iteration);
    iteration.state = iteration.errors.length > 0 ? 'failed' : 'completed';
    const ended = endOf(reply, done);
    if (ended?.stop === 'max_output')
      return askToGoOn(reply.text, session) ? undefined : { ...ended, text: wholeText(ended.text, session) };
    delete state.cut;
    return ended?.stop === 'end' && askAgain(ended.text, session) ? undefined : ended;
  } catch (error) {
    // A question is no failure of the iteration that asked it.
    iteration.state = error instanceof SessionPaused ? 'completed' : 'failed';
    throw error;
  } finally {
    phase(undefined);
    await noteIteration(session, iteration);
  }
}

async function replied(
  session: Session,
  n: number,
  phase: (phase: IterationPhase) => void,
): Promise<SoundReply> {
  phase('prompt');
  const messages = await prompted(session, n);
  phase('model');
  return booked(await answered(session, messages, n), session);
}

/** Times the phases of an iteration: each ends when the next begins. */
function stopwatch(iteration: Iteration, clock: Clock): (phase: IterationPhase | undefined) => void {
  let at = clock.now();
  let current: IterationPhase | undefined;
  return phase => {
    const now = clock.now();
    if (current) iteration.phases[current] = now - at;
    iteration.ms += now - at;
    at = now;
    current = phase;
  };
}

/** Messages for the model: the conversation, as the middleware leaves it. */
async function prompted(
  { request, around, state, hooks, warn, time }: Session,
  n: number,
): Promise<readonly ModelMessage[]> {
  const { context_tokens: limit, time_ms } = request.limits;
  const turns = turnsOf(state, request.limits);
  warn('turns', turns.used, turns.limit);
  // With what the user said last, to stay there: a conversation that changes is neither cached nor thought on.
  if (turns.used > 0 && turns.limit - turns.used <= 1) say(state, LAST_TURN);
  const active = activeMs({ state, time });
  if (warn('time', active, time_ms))
    say(state, `${Math.max(0, Math.round((time_ms - active) / 1000))} seconds are left: ${FINISH}`);
  const money = around.budget?.();
  if (money && turns.used > 0 && warn('cents', Math.floor(money.used * 100), Math.floor(money.limit * 100)))
    say(state, `$${Math.max(0, money.limit - money.used).toFixed(2)} of the budget is left: ${FINISH}`);
  const { messages } = await hooks.preIteration({ n, messages: state.messages }, state);
  const tokens = limit === undefined ? 0 : contextTokens(request, state, messages);
  if (limit !== undefined && tokens > limit) throw exhausted('context', tokens, limit, request.task);
  warn('context', tokens, limit);
  return messages;
}

/** The model's reply. A conversation that does not fit its window is made half as long once. */
async function answered(session: Session, messages: readonly ModelMessage[], n: number): Promise<ModelReply> {
  const { request, around, state, time } = session;
  const { onEvent, clock, mask } = around;
  const deltas =
    onEvent && deltasOf({ session: request.key, task: request.task, turn: n, clock, onEvent, mask });
  const told = overTries(deltas?.onEvent);
  const ask = async (shown: readonly ModelMessage[]) => {
    try {
      const reply = await time.race(around.model.call(callOf(session, shown, n), told.next()));
      deltas?.end();
      return reply;
    } catch (error) {
      told.dropped();
      throw error;
    }
  };
  try {
    return await ask(messages);
  } catch (error) {
    if (!(error instanceof ModelFailure) || error.class !== 'context') throw error;
    if (!compact(state, request, Math.floor(contextTokens(request, state, messages) / 2))) throw error;
    state.counts.compactions++;
    return await ask(await prompted(session, n));
  }
}

function endOf(reply: ModelReply, { final }: Done): Ended | undefined {
  if (reply.stop === 'max_output' || reply.stop === 'refusal') return { text: reply.text, stop: reply.stop };
  return final === undefined ? undefined : { text: final, stop: 'end' };
}

/** Books the iteration: lists, counts, events. */
async function noteIteration(session: Session, iteration: Iteration): Promise<void> {
  const { request, around, state, hooks } = session;
  state.counts.iterations = iteration.n;
  state.counts.errors += iteration.errors.length + (iteration.moreErrors ?? 0);
  state.errorsInRow = iteration.errors.length > 0 ? state.errorsInRow + 1 : 0;
  state.iterations = [...state.iterations, iteration].slice(-kept.iterations);
  around.onEvent?.({ type: 'iteration_complete', session: request.key, n: iteration.n, result: iteration });
  for (const error of iteration.errors) await hooks.onError(error);
  await hooks.postIteration(iteration, state);
}

/** The error that leaves the session, with what was spent; an abort from outside leaves as it is. */
function leaving(error: unknown, session: Session): unknown {
  const { request, around, state, time } = session;
  const { key, task, signal, limits } = request;
  const { spent } = state;
  if (error instanceof SessionPaused) {
    moveSession(state, 'paused', key, around.onEvent);
    Object.assign(state, sofar(session));
    return error;
  }
  if (signal.aborted) {
    moveSession(state, 'stopped', key, around.onEvent);
    around.onSummary?.(summaryOf(state, request, time.elapsed()));
    return abortedWith(signal, spent, found(state));
  }
  const errorOfTask = time.expired()
    ? exhausted('time', state.activeMs + time.elapsed(), limits.time_ms, task)
    : error;
  const stopped =
    errorOfTask instanceof TaskError &&
    errorOfTask.detail.code === 'TASK_FAILURE' &&
    errorOfTask.detail.reason === 'too_many_errors';
  moveSession(state, stopped ? 'stopped' : 'failed', key, around.onEvent);
  around.onSummary?.(summaryOf(state, request, time.elapsed()));
  if (errorOfTask instanceof TaskError) return errorOfTask.with({ dataUsage: spent, ...found(state) });
  if (error instanceof ModelFailure) return failedModel(error, task, { dataUsage: spent, ...found(state) });
  return error;
}

/** Characters of a tool's error that an outcome tells. */
const TOLD = 500;

/** The session as it stands, to be gone on with in another process. */
const sofar = (session: Session): Session['state'] => ({
  ...session.state,
  activeMs: activeMs(session),
  tools: calledTools(session),
});

const calledTools = ({ tools }: Pick<Session, 'tools'>): SessionOutcome['tools'] =>
  tools.map(({ error: told, ...call }) => ({
    ...call,
    ...(told !== undefined && { error: told.slice(0, TOLD) }),
  }));

/** Milliseconds that the session was under way, in this process and before. */
const activeMs = ({ state, time }: Pick<Session, 'state' | 'time'>) => state.activeMs + time.elapsed();

/** Partial result of a session without a final output: its last words. */
function found({ messages }: Session['state']): { partial?: string } {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const text = last?.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n') ?? '';
  return text === '' ? {} : { partial: text };
}
