// Models that take each other's place: one that is limited, down or unwilling is left for the next of its list.
import { overTries } from './reply.ts';
import { type Model, ModelFailure, type ModelReply, ProviderWait } from './model.ts';
import { addUsage } from '../language/result.ts';

/** The names behind a model in a task, in their order. */
export type ModelsBehind = (model: string, task: string) => readonly string[];

/**
 * `model`, for one piece of work. A model that refused a task is not asked for it again in it; one that is away is asked
 * again with the next call. What refused replies cost is in that of the reply that was given; which model that was, and why,
 * stands in its `instead`. The last of a list fails as it would alone.
 */
export function takingTurns(model: Model, behind: ModelsBehind): Model {
  const unwilling = new Set<string>();
  return {
    ...model,
    async call(request, onEvent) {
      const names = [request.model, ...behind(request.model, request.task)];
      const last = names.at(-1);
      const before: ModelReply[] = [];
      let why = '';
      const told = overTries(onEvent);
      for (const name of names) {
        const refused = `${request.task}\n${name}`;
        if (name !== last && unwilling.has(refused)) {
          why = `${name} refuses`;
          continue;
        }
        try {
          const place = name === last ? {} : { impatient: true as const };
          const reply = await model.call({ ...request, model: name, ...place }, told.next());
          if (reply.stop !== 'refusal' || name === last)
            return given(reply, before, name, request.model, why);
          told.dropped();
          unwilling.add(refused);
          before.push(reply);
          why = `${name} refuses`;
        } catch (error) {
          if (name === last || !isAway(error)) throw error;
          told.dropped();
          why = `${name}: ${error.message}`;
        }
      }
      throw new Error('a list of models has no last one');
    },
  };
}

function given(
  reply: ModelReply,
  before: readonly ModelReply[],
  name: string,
  asked: string,
  why: string,
): ModelReply {
  if (name === asked) return reply;
  const all = [...before, reply];
  return {
    ...reply,
    usage: all.map(({ usage }) => usage).reduce(addUsage),
    cost_usd: all.reduce((usd, { cost_usd }) => usd + cost_usd, 0),
    instead: { model: name, why },
  };
}

/** Limited, down, without credit or not allowed: what another model may not be. Anything else would be wrong there too. */
function isAway(error: unknown): error is Error {
  if (error instanceof ProviderWait) return true;
  if (!(error instanceof ModelFailure)) return false;
  // A model that failed several tries is reported as a crash.
  const { class: kind, cause } = error;
  return kind === 'crash' ? cause instanceof ModelFailure && isAway(cause) : kind !== 'context';
}
