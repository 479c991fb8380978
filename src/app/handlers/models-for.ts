// Models of a run: every configured name, and a check that each model can be called and paid.
import type { ModelTables, PriceRow } from '../../engine/models.ts';
import { defaultTier, ModelFailure, modelNames, rowOf, tiers } from '../../engine/models.ts';
import { keyName } from '../../engine/models/provider-keys.ts';
import type { Config } from '../config/config.ts';
import { modelTables } from '../config/model-tables.ts';
import { layers } from '../layers.ts';
import type { RepositoryContext } from './repository-context.ts';

type Models = Record<string, string | string[]>;

/**
 * Model names by layer and task. Throws ModelFailure for one without a price, and for one of a provider that this process
 * has no key for.
 */
export function modelsFor({ scripted, providers }: RepositoryContext['model'], config: Config): Models {
  const { models, rows } = modelTables(config);
  // Every name that the configuration knows is one here, too.
  if (scripted)
    return Object.fromEntries(
      ['default', ...Object.keys(models), ...Object.keys(rows)].map(name => [name, 'scripted']),
    );
  const given = models['default'];
  const names: ModelTables['models'] = {
    default: given ?? tiers[defaultTier('')],
    ...Object.fromEntries(layers.map(({ id }) => [id, given ?? tiers[defaultTier(id)]])),
    ...models,
  };
  for (const name of Object.values(names).flat()) {
    const { provider } = rowOf(name, rows);
    if (providers && !providers.includes(provider))
      throw new ModelFailure('crash', `the model ${name} needs ${keyName(provider)}, which is not set`);
  }
  checkEfforts(config, names, rows);
  return Object.fromEntries(
    Object.entries(names).map(([name, each]) => [name, typeof each === 'string' ? each : [...each]]),
  );
}

/** An effort that a task's model does not take is refused, not left out. */
function checkEfforts({ effort }: Config, names: ModelTables['models'], rows: ModelTables['rows']): void {
  for (const [task, asked] of Object.entries(effort)) {
    const [model = ''] = [names[task] ?? names['default'] ?? []].flat();
    const { efforts } = rowOf(model, rows);
    if (!efforts.includes(asked))
      throw new ModelFailure(
        'crash',
        `effort.${task} is ${asked}, which ${model} does not take${efforts.length > 0 ? `: it takes ${efforts.join(', ')}` : ''}`,
      );
  }
}

/** Of the model that engineers work with; a script plays the part of the one that would be asked without it. */
export function engineersPrice(
  { scripted }: RepositoryContext['model'],
  models: Models,
  config: Config,
): PriceRow {
  const { rows } = modelTables(config);
  const named = modelNames({ models: scripted ? {} : models, rows });
  return rowOf(named(undefined, 'engineer.director'), rows).price;
}
