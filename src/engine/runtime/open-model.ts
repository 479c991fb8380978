// The model that a program runs with: a real one with a key, or a script of replies; within a budget either way.
import { type SharedWait, systemClock } from '@echelon/ground';
import { guarded } from '../models/guarded-model.ts';
import { type Model, ModelFailure } from '../models/model.ts';
import { anyKey, hasKey, keyName, type Provider, type ProviderKeys } from '../models/provider-keys.ts';
import { type ModelRows, rowOf } from '../models/table.ts';
import type { ModelsBehind } from '../models/taking-turns.ts';
import { parseScript } from '../models/script.ts';
import type { PlayedReply } from '../models/scripted.ts';
import { readNamed } from './named-file.ts';
import type { FileTrace } from './trace/trace-file.ts';
import { tellingTries } from './trace/spans.ts';

export type ModelChoice = (
  | /** Text of the script file, and its name for messages. */
  { provider: 'scripted'; script: string; file: string }
  | { provider: 'served'; keys: ProviderKeys }
) & {
  /** Path of the file that every reply is recorded in, as a script. */
  record?: string | undefined;
  /** Gets what is asked and answered; whoever runs programs with the model ends it. */
  trace?: FileTrace | undefined;
};

/** USD that one run of a program may cost where nobody says otherwise. */
export const defaultBudget = 5;

/**
 * A script's file, or the keys; a sentence where there is neither, or the script cannot be played. `scriptOption`: how
 * a script is given here.
 */
export function chooseModel(
  script: { file: string; path: string } | undefined,
  keys: ProviderKeys,
  scriptOption: string,
): ModelChoice | { problem: string } {
  if (!script && hasKey(keys)) return { provider: 'served', keys };
  if (!script)
    return {
      problem: `there is no model: set ${anyKey} in the environment, or play replies from a file with ${scriptOption}`,
    };
  const read = readNamed(script.path);
  if ('problem' in read) return { problem: `${script.file}: ${read.problem}` };
  const { text } = read;
  try {
    parseScript(text, script.file);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  return { provider: 'scripted', script: text, file: script.file };
}

export interface OpenedModel {
  model: Model;
  /** Replies that a script has played so far, those of `played` included; empty for a real model. */
  used(): PlayedReply[];
  /** Of its provider, where others use the same key. */
  wait?: SharedWait;
}

/** The model alone: nothing is tried again, and no budget holds it. `played`: by an earlier process of the same work. */
export async function openModel(choice: ModelChoice, opening: Opening): Promise<OpenedModel> {
  const opened = await openChosen(choice, opening);
  let { model } = opened;
  if (choice.record !== undefined) {
    const { recordingTo } = await import('./record-file.ts');
    model = recordingTo(choice.record, model);
  }
  return { ...opened, model: choice.trace ? tellingTries(model, choice.trace) : model };
}

interface Opening {
  /** Data of models that the product's own table lacks. */
  rows?: ModelRows;
  played?: readonly PlayedReply[];
}

async function openChosen(choice: ModelChoice, { rows = {}, played = [] }: Opening): Promise<OpenedModel> {
  // Only the one that is used is loaded.
  if (choice.provider === 'scripted') {
    const { scriptedModel } = await import('../models/scripted.ts');
    const model = scriptedModel(parseScript(choice.script, choice.file), { clock: systemClock, played });
    return { model, used: () => model.used() };
  }
  return { model: servedModel(choice.keys, rows), used: () => [] };
}

/** Asks each model of the provider that its row names. */
function servedModel(keys: ProviderKeys, rows: ModelRows): Model {
  const opened = new Map<Provider, Promise<Model>>();
  const open = async (provider: Provider): Promise<Model> => {
    const { apiKey = '', ...key } = keys[provider] ?? {};
    const options = { apiKey, rows, ...key };
    return provider === 'anthropic'
      ? (await import('../models/anthropic.ts')).anthropicModel(options)
      : (await import('../models/openai.ts')).openaiModel(options);
  };
  return {
    provider: Object.keys(keys).join(', '),
    async call(request, onEvent) {
      const { provider } = rowOf(request.model, rows);
      if (!keys[provider])
        throw new ModelFailure(
          'crash',
          `the model ${request.model} needs ${keyName(provider)}, which is not set`,
        );
      const model = opened.get(provider) ?? open(provider);
      opened.set(provider, model);
      return await (await model).call(request, onEvent);
    },
  };
}

/** `spent` in USD and `played`: by an earlier process of the same run. `option`: how the budget is given here. */
export async function openTaskModel(
  choice: ModelChoice,
  {
    budget,
    option,
    spent = 0,
    behind,
    ...opening
  }: {
    budget: number;
    option: '--budget' | 'budget';
    spent?: number;
    behind?: ModelsBehind;
  } & Parameters<typeof openModel>[1],
): Promise<OpenedModel> {
  const { model, used } = await openModel(choice, opening);
  const before = { cost_usd: spent, model_calls: 0 };
  const remedy = `give more with ${option}`;
  return {
    model: guarded(model, { clock: systemClock, ...(behind && { behind }) }).within({
      most: budget,
      before,
      remedy,
    }),
    used,
  };
}
