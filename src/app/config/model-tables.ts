// Models of a configuration: those that each name means, and data of its own ones.
import type { ModelRow, ModelTables } from '../../engine/models.ts';
import type { Provider } from '../../engine/models/provider-keys.ts';
import type { Config } from './config.ts';

type Given = Config['models'][string];

export const isRow = (given: Given): given is Exclude<Given, string | string[]> =>
  typeof given === 'object' && !Array.isArray(given);

/** Of models that the product's own table lacks: those with a row, and those that have a price alone. */
export function modelTables({ models, prices }: Pick<Config, 'models' | 'prices'>): ModelTables {
  const given = Object.entries(models);
  return {
    models: Object.fromEntries(given.flatMap(([name, each]) => (isRow(each) ? [] : [[name, each]]))),
    rows: {
      ...Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, pricedRow(name, price)])),
      ...Object.fromEntries(given.flatMap(([name, each]) => (isRow(each) ? [[name, each]] : []))),
    },
  };
}

/** Settings of sessions: the execution of code in them, and by the task's name those of its model. */
export const sessionSettings = ({ reasoning, effort, output_tokens }: Config) => ({
  ...reasoning,
  effort,
  output_tokens,
});

/** A model of which its price alone is known; `openai/` before its name says whose API it is asked by. */
const pricedRow = (name: string, price: ModelRow['price']): ModelRow => {
  const provider: Provider = name.startsWith('openai/') ? 'openai' : 'anthropic';
  return {
    provider,
    tools: 'functions',
    temperature: provider === 'openai',
    efforts: [],
    schema: false,
    price,
  };
};
