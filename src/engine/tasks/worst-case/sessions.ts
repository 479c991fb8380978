// The most that one session comes to, and what may be done in the place of one that failed.
import { type AtomicTask, tasksIn } from '../../language/ast.ts';
import { noLimits } from '../../language/blank.ts';
import type { Library } from '../../language/library.ts';
import { mostCost, type PriceRow } from '../../models/prices.ts';
import type { ModelsBehind } from '../../models/taking-turns.ts';
import { MEMORY_TASK } from '../ask.ts';
import { limitsOf } from '../handler.ts';
import { readableIn } from '../match.ts';
import type { EvaluateOptions } from '../options.ts';
import { MOST_SESSIONS } from '../recovery.ts';
import { nameOf, type TaskPlace } from '../task-place.ts';
import { callsOf, largest, type Most, type MostOfCall, times, sumOf } from './most.ts';

/** What bounds the sessions of a run. */
export interface Surroundings {
  library: Library;
  options: Pick<
    EvaluateOptions,
    'models' | 'window' | 'largestReply' | 'turns' | 'outputTokens' | 'timeMs' | 'warnAt' | 'settings'
  >;
  /** Whether sessions get files of the folder, which another one chooses. */
  remembers: boolean;
  /** Undefined: it is not known. */
  priceOf: (model: string) => PriceRow | undefined;
  /** The models that may answer in the place of one, each of which may be paid for. */
  behind: ModelsBehind;
}

type Within = Pick<TaskPlace, 'given' | 'ledger'>;

/** A session of `task` alone: all its turns, each with a full window and a reply of full length. */
export function mostOfSession(task: AtomicTask, within: Within, around: Surroundings): Most {
  const { turns, model, ...call } = limitsIn(task, within, around);
  return callsOf(turns, callOf(model, call, task, around));
}

/**
 * What is done in the place of `task` when it fails: so many sessions, none of more turns or longer replies than its own or
 * what holds where it has no limits. One with shell may run any task of the library.
 */
export function mostInPlaceOf(task: AtomicTask, within: Within, around: Surroundings): Most {
  const { library } = around;
  const atomic = readableIn(library).flatMap(({ program }) => [...tasksIn(program)].filter(isAtomic));
  const asked = atomic.filter(({ name }) => ownTasks.some(own => own === name));
  const apart = [...(task.tools.includes('shell') ? atomic : []), ...asked];
  const sessions = [
    limitsIn(task, within, around),
    limitsIn({ ...task, limits: noLimits }, within, around),
    ...apart.map(each => limitsIn(each, { given: {}, ledger: within.ledger }, around)),
  ];
  const turns = Math.max(...sessions.map(each => each.turns));
  const output_tokens = Math.max(...sessions.map(each => each.output_tokens));
  // A task that is written then may have the name of a template, or none.
  const names = [...atomic.flatMap(({ name }) => name ?? []), ...Object.keys(library.subtypes)];
  const models = new Set([
    ...sessions.map(({ model }) => model),
    ...names.map(name => around.options.models(within.given.model, name)),
  ]);
  const each = [...models].map(model => {
    const free = { ...task, model, limits: noLimits };
    return callOf(model, { ...limitsIn(free, within, around), output_tokens }, free, around);
  });
  return times(MOST_SESSIONS, callsOf(turns, largest(each)), MOST_SESSIONS);
}

const ownTasks = ['reparse', 'matching', MEMORY_TASK];

const isAtomic = (each: { type: string }): each is AtomicTask => each.type === 'atomic';

function limitsIn(task: AtomicTask, { given, ledger }: Within, around: Surroundings) {
  const name = nameOf(task);
  const model = around.options.models(task.model ?? given.model, name);
  const {
    turns,
    output_tokens,
    context_tokens = Number.NaN,
  } = limitsOf(task, name, model, { ledger }, around);
  return { model, turns, output_tokens, context_tokens };
}

interface CallLimits {
  context_tokens: number;
  output_tokens: number;
}

/** Each of the models that may answer it may have refused it before, and be paid. */
function callOf(model: string, limits: CallLimits, task: AtomicTask, around: Surroundings): MostOfCall {
  const { context_tokens: input_tokens, output_tokens } = limits;
  const models = [model, ...around.behind(model, nameOf(task))];
  return sumOf(
    models.map(each => {
      const price = around.priceOf(each);
      const cost_usd = price ? mostCost(input_tokens, output_tokens, price) : Number.NaN;
      return { input_tokens, output_tokens, cost_usd };
    }),
  );
}
