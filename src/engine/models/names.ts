// Resolves a model's name and its fallbacks: in programs, on the command line and in a configuration alike. By
// default each role has one of three tiers.
import { didYouMean } from '@echelon/ground';
import { efforts } from '../language/ast.ts';
import { knownAs, knownModels, type ModelRow, type ModelRows, ofTable } from './table.ts';

/** A configuration's settings of models. */
export interface ModelTables {
  /** The provider's name by alias, by task, and as `default`; of several each takes the place of the one before it. */
  models: Readonly<Record<string, string | readonly string[]>>;
  /** Of models that the product's own table lacks. */
  rows: ModelRows;
}

/** The one model of a script of replies, which says itself what each of them costs. */
export const scriptedRows: ModelRows = {
  scripted: {
    provider: 'anthropic',
    tools: 'functions',
    temperature: true,
    efforts,
    schema: false,
    price: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
  } satisfies ModelRow,
};

/** A task's model, by the provider's name. Throws for a name that is none. */
export type NamedModel = (name: string | undefined, task: string) => string;

/**
 * The named model is one of a table or one of `served`, a tier, or a name of the configuration's `models`. For
 * a task that names none: `chosen`, else what the configuration gives the task or all tasks, else the task's tier.
 */
export function modelNames(tables: ModelTables, chosen?: string, served: readonly string[] = []): NamedModel {
  const { models } = tables;
  return (name, task) => {
    const asked = name ?? chosen ?? listOf(models, task)?.[0] ?? listOf(models, 'default')?.[0];
    return asked === undefined ? tiers[defaultTier(task)] : resolve(asked, tables, served);
  };
}

/**
 * The models that take the place of `model` in a task, in their order: those behind it in the list of the task, else of
 * all tasks, else in another one that it is the first of.
 */
export function modelsBehind(tables: ModelTables): (model: string, task: string) => readonly string[] {
  const { models } = tables;
  const names = Object.keys(models).filter(name => Array.isArray(models[name]));
  return (model, task) => {
    for (const name of new Set([task, 'default', ...names])) {
      const [first, ...others] = (listOf(models, name) ?? []).map(each => resolve(each, tables));
      if (first === model && others.length > 0) return others;
    }
    return [];
  };
}

function resolve(name: string, { models, rows }: ModelTables, served: readonly string[] = []): string {
  // A row of its own is meant, even where it is named as a tier is.
  const model =
    listOf(models, name)?.[0] ?? (Object.hasOwn(rows, name) ? name : (ofTable(tiers, name) ?? name));
  if (knownAs(model) !== undefined || Object.hasOwn(rows, model) || served.includes(model)) return model;
  const known = [...Object.keys(knownModels), ...Object.keys(rows), ...served, ...Object.keys(tiers)];
  const shown = name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}...` : name;
  const near = didYouMean(shown, [...known, ...Object.keys(models)]);
  throw new Error(
    `unknown model ${shown}${near}; known: ${known.join(', ')}. A model of your own needs prices.<model> in .github/echelon.yml`,
  );
}

/** Characters of an unknown name that are shown. */
const MOST_SHOWN = 200;

const listOf = (table: ModelTables['models'], name: string): readonly string[] | undefined => {
  const given = ofTable(table, name);
  return given === undefined ? undefined : [given].flat();
};

export type Tier = 'strongest' | 'middle' | 'small';

/** The model behind each tier. The one place to change when a generation is replaced; each needs a row in prices.ts. */
export const tiers: Readonly<Record<Tier, string>> = {
  strongest: 'claude-opus-5-5',
  middle: 'claude-sonnet-5-5',
  small: 'claude-haiku-5-5',
};

/** The default tier of a role or task: the strategist takes the strongest, all others the middle one. */
export function defaultTier(role: string): Tier {
  return role === '2ic' ? 'strongest' : 'middle';
}
