// Several models as one: a call goes to the one that serves the model it names.
import type { Model, ServedModel } from './model.ts';

/** Names of models with what is known of each. */
export type Served = Readonly<Record<string, ServedModel>>;

/**
 * A call for a name that none of `models` lists goes to the first. Throws Error where two list the same name, or
 * there is no model at all.
 */
export function routed(models: readonly Model[]): Model & { models: Served } {
  const [first] = models;
  if (!first) throw new Error('there is no model: give at least one');
  const served = new Map<string, { model: Model; facts: ServedModel }>();
  for (const model of models)
    for (const [name, facts] of Object.entries(model.models ?? {})) {
      const other = served.get(name)?.model.provider;
      if (other !== undefined)
        throw new Error(
          `the model ${name} is served by ${other} and by ${model.provider}; leave it out of one`,
        );
      served.set(name, { model, facts });
    }
  return {
    provider: first.provider,
    models: Object.fromEntries([...served].map(([name, { facts }]) => [name, facts])),
    call: (request, onEvent) => (served.get(request.model)?.model ?? first).call(request, onEvent),
  };
}
