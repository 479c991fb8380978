// Evaluates an atomic task: one model session, whose final output is read as the result.
import type { Progress } from '@echelon/ground/journal';
import type { AtomicTask } from '../language/ast.ts';
import type { Reply } from '../language/envelope/parts.ts';
import { parseReply } from '../language/envelope/reply.ts';
import { judgedName } from '../language/names.ts';
import {
  addSpent,
  invalidOutput,
  type Notes,
  nothingSpent,
  type Spent,
  TaskError,
  type TaskErrorDetail,
  type TaskResult,
  type Times,
} from '../language/result.ts';
import { lookUp } from '../language/substitute.ts';
import type { Ability, SessionOutcome, SessionRequest } from '../reasoning/request.ts';
import { contextOf, seesNothing } from './context.ts';
import { limitsOf } from './limits.ts';
import { meterFor, type SessionMeter } from './ledger.ts';
import { type Evaluator, nameOf, type TaskPlace } from './task-place.ts';
import type { EvaluateOptions } from './options.ts';
import { cutsOf } from './cuts.ts';
import { layOut } from './prompt.ts';
import { replySchema } from './reply-schema.ts';
import { requestNames } from './requests.ts';
import { countSession, recover } from './recovery.ts';
import { noContext, type Seen } from './memory/memory.ts';

/** The session's result; where it fails in a way that another try can mend, what the other try ends with. */
export async function runAtomic(task: AtomicTask, at: TaskPlace): Promise<TaskResult> {
  // Recovery, too, gives no more context than the session had.
  const place = task.subtype === 'director' ? { ...at, inherit: at.directorInherit } : at;
  const { clock, step, session } = place.evaluator.options;
  let spent: Spent | undefined;
  /** While the session goes on. */
  let started: number | undefined;
  const meter = meterFor(place.ledger);
  try {
    countSession(task, place);
    // A conversation that is gone on with has its context.
    const isSeen = goesOn(task, place.evaluator) || seesNothing(place);
    const seen = isSeen ? nothingSeen : await contextOf(task, place);
    spent = seen.spent;
    const request = requestOf(task, place, seen, meter);
    const tell = task === place.evaluator.program ? place.evaluator.said : undefined;
    started = clock.now();
    const outcome = step
      ? outcomeOf(await step(request.key, toKeep(request, place.evaluator.options, tell), costly))
      : await session(request);
    if ('messages' in outcome) tell?.(outcome.messages);
    meter?.spent(outcome);
    const own: Spent = { cost_usd: outcome.cost_usd, turns: outcome.turns, usage: outcome.usage };
    const times = step ? outcome.times : { started, ended: clock.now() };
    if (times) own.times = times;
    started = undefined;
    spent = seen.spent === nothingSpent ? own : addSpent(own, seen.spent);
    checkStop(outcome, request);
    return resultOf(task, outcome.text, spent, place);
  } catch (error) {
    if (started !== undefined) meter?.left(error);
    if (!(error instanceof TaskError)) throw error;
    // A session that fails says itself what it spent, and a journal when.
    const times = step || started === undefined ? undefined : { started, ended: clock.now() };
    const failure = error.with({ dataUsage: { ...(spent ?? nothingSpent), ...(times && { times }) } });
    return await recover(task, failure, place);
  }
}

const goesOn = (task: AtomicTask, { program, options }: Evaluator): boolean =>
  task === program && options.history !== undefined;

const nothingSeen: Seen = { context: noContext, spent: nothingSpent };

function resultOf(task: AtomicTask, text: string, spent: Spent, { heard, evaluator }: TaskPlace): TaskResult {
  const reply = replyOf(task, text, evaluator);
  const { status, content, value, outputs, criteria, notes, warnings } = reply;
  const own = { dataUsage: spent, warnings };
  const result: TaskResult = { status, content, reply: true, outputs, notes: own };
  if (value !== undefined) result.value = value;
  if (criteria !== undefined) result.criteria = criteria;
  for (const _ in notes) {
    result.notes.model = notes;
    if (!heard) warnings.push(...unheard(result));
    break;
  }
  return result;
}

/** Reads the session's final output. Throws INVALID_OUTPUT. */
function replyOf(task: AtomicTask, text: string, evaluator: Evaluator): Reply {
  const reply = parseReply(text, task.outputs);
  checkStatus(task, reply.status, evaluator);
  return reply;
}

/** The violations of a final output, for the model to mend. */
function misfitOf(task: AtomicTask, text: string, evaluator: Evaluator): string | undefined {
  try {
    replyOf(task, text, evaluator);
    return undefined;
  } catch (error) {
    if (!(error instanceof TaskError) || error.detail.code !== 'INVALID_OUTPUT') throw error;
    return error.detail.violations.map(each => `- ${each}`).join('\n');
  }
}

/** Requests in the notes of a result that nobody reads: they are read of the director of a loop alone. */
function unheard({ status, notes: { model = {} } }: TaskResult): string[] {
  if (status !== 'CONTINUATION') return [];
  return requestNames
    .filter(name => Object.hasOwn(model, name))
    .map(name => `${name}: only the director of a director-evaluator can ask for it; nothing was done`);
}

/** Every member of a type, optional ones included. */
type Whole<T> = { [K in keyof Required<T>]: T[K] };

/** An outcome as the journal has it: all but the conversation. A new member has to be added where one is made. */
type KeptOutcome = Whole<Omit<SessionOutcome, 'messages'>>;

type Kept = { outcome: KeptOutcome } | { error: { detail: TaskErrorDetail; message: string; notes: Notes } };

/**
 * Runs the session for the journal, which keeps no conversation: `tell` gets it. It keeps a failure that another try
 * would only repeat, since it was paid for; one of the provider is tried again, and so is a session that was cut off.
 */
function toKeep(
  request: SessionRequest,
  { clock, session }: EvaluateOptions,
  tell: Evaluator['said'] | undefined,
): (op: string, progress: Progress) => Promise<Kept> {
  return async function carriedOut(_op, progress) {
    const started = clock.now();
    try {
      const whole = await session(request, progress);
      tell?.(whole.messages);
      return { outcome: withoutMessages(whole, { started, ended: clock.now() }) };
    } catch (error) {
      if (request.signal.aborted || !(error instanceof TaskError) || !isLasting(error.detail)) throw error;
      const { detail, message, notes } = error.with({
        dataUsage: { ...nothingSpent, times: { started, ended: clock.now() } },
      });
      return { error: { detail, message, notes } };
    }
  };
}

/** Throws the failure that was kept. */
function outcomeOf(kept: Kept): KeptOutcome {
  if ('outcome' in kept) return kept.outcome;
  throw new TaskError(kept.error.detail, kept.error.message, { notes: kept.error.notes });
}

const costly = { costly: true };

/** Member by member: as a rest of the whole it would take several times as long to make and to write. */
const withoutMessages = (
  { text, turns, usage, cost_usd, stop, tools }: SessionOutcome,
  times: Times,
): KeptOutcome => ({
  text,
  turns,
  usage,
  cost_usd,
  stop,
  tools,
  times,
});

/** A budget may have been raised by the next time. */
const isLasting = (detail: TaskErrorDetail): boolean =>
  (detail.code === 'RESOURCE_EXHAUSTION' && detail.resource !== 'budget') ||
  (detail.code === 'TASK_FAILURE' &&
    (detail.reason === 'no_progress' || detail.reason === 'too_many_errors'));

function requestOf(
  task: AtomicTask,
  place: TaskPlace,
  seen: Seen,
  meter: SessionMeter | undefined,
): SessionRequest {
  const { evaluator } = place;
  const { options } = evaluator;
  const name = nameOf(task);
  const { environment } = place;
  // An evaluator may be given what it judges under another name.
  const own = task.inputSource
    ? { ...place, environment: environment.extend([[judgedName, lookUp(task.inputSource, environment)]]) }
    : place;
  const laidOut = layOut(task, own, seen.context);
  const { system, prompt } = laidOut;
  const model = options.models(task.model ?? place.given.model, name);
  const temperature = task.temperature ?? place.given.temperature;
  const request: SessionRequest = {
    key: place.key,
    scope: options.scope,
    task: name,
    model,
    system,
    prompt: goesOn(task, evaluator) ? (options.prompt ?? prompt) : prompt,
    tools:
      task.tools.length === 0
        ? none
        : options.tools.filter(tool => task.tools.some(own => own === tool.name)),
    abilities:
      task.tools.length === 0
        ? noAbilities
        : (options.abilities ?? noAbilities).filter(each => task.tools.includes(each)),
    limits: limitsOf(task, name, model, place),
    misfit: text => misfitOf(task, text, evaluator),
    signal: place.signal,
  };
  if (goesOn(task, evaluator) && options.history) request.history = options.history;
  else request.cuts = cutsOf(task, own, laidOut, seen.context);
  if (meter) request.meter = meter;
  if (temperature !== undefined) request.temperature = temperature;
  if (options.writesTags?.(model)) request.writesTags = true;
  const effort = task.effort ?? options.effort?.(name);
  if (effort !== undefined) request.effort = effort;
  const schema = task.tools.length === 0 ? replySchema(task) : undefined;
  if (schema) request.schema = schema;
  return request;
}

const none: SessionRequest['tools'] = [];
const noAbilities: readonly Ability[] = [];

function checkStop(
  { stop, text, turns, usage }: KeptOutcome | SessionOutcome,
  { limits, task }: SessionRequest,
): void {
  if (stop === 'max_output') {
    const limit = limits.output_tokens;
    // By the last reply, which the limit cut off: the usage is the sum of all.
    const used = turns === 1 ? Math.max(limit, usage.output_tokens) : limit;
    throw new TaskError(
      { code: 'RESOURCE_EXHAUSTION', resource: 'output', used, limit, peak: used, task },
      `the reply was cut off at ${limit} tokens of output, in ${task}`,
      { notes: { partial: text } },
    );
  }
  if (stop === 'refusal')
    throw new TaskError({ code: 'TASK_FAILURE', reason: 'model_failure' }, 'the model refused to answer', {
      notes: { partial: text },
    });
}

function checkStatus(task: AtomicTask, status: TaskResult['status'], { library }: Evaluator): void {
  if (status !== 'CONTINUATION' || library.subtypes[task.subtype]?.continuation !== false) return;
  const violation = `the status is CONTINUATION, which the result of subtype ${task.subtype} cannot be`;
  throw invalidOutput(violation);
}
