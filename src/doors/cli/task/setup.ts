// What `task run`, `compile` and `match` are told alike: which model, what it may cost, and the folder's configuration.
import { resolve } from 'node:path';
import { formatProblem } from '../../../engine/language/problem.ts';
import type { Library } from '../../../engine/language/library.ts';
import { masker } from '../../../lib/mask.ts';
import { messageOf } from '../../../lib/message.ts';
import { modelNames } from '../../../engine/models/names.ts';
import type { Config } from '../../../app/config/config.ts';
import { type OptionSpec, type Parsed, textOf } from '../options.ts';
import type { Settings } from '../../settings.ts';
import { readTaskConfig } from '../../folder-config.ts';
import { folderTemplates, libraryOf } from '../../../engine/runtime/folder-library.ts';
import { chooseModel, defaultBudget, type ModelChoice } from '../../../engine/runtime/open-model.ts';

export const modelOptions = {
  script: { type: 'string', value: 'file', help: 'replies to play instead of asking a model' },
  model: {
    type: 'string',
    value: 'name',
    help: 'the model of tasks that name none: a model, a tier, or a name of the configuration; needs ANTHROPIC_API_KEY',
  },
  budget: { type: 'string', value: 'USD', help: `what it may cost (default ${defaultBudget})` },
} as const satisfies Record<string, OptionSpec>;

export interface Setup {
  choice: ModelChoice;
  budget: number;
  config: Config;
  models: (name: string | undefined, task: string) => string;
  library: Library;
  /** Takes the model's key out of a text. */
  mask(text: string): string;
}

/** What could be made of the call, and everything that is wrong with it: `setup` is there where nothing is. */
export interface SetupTried {
  setup: Setup | undefined;
  /** Also where there is no model, so that programs can be checked with it. */
  library: Library | undefined;
  problems: string[];
}

/** `folder` holds configuration and templates; undefined: the one that was named does not exist, and nothing is read. */
export function setUp(given: Parsed, settings: Settings, folder: string | undefined): SetupTried {
  const problems: string[] = [];
  const script = textOf(given, 'script');
  const model = textOf(given, 'model');
  const { apiKey } = settings.anthropic;
  const choice = chooseModel(
    script === undefined ? undefined : { file: script, path: resolve(script) },
    settings.anthropic,
    '--script <file>',
  );
  if (script !== undefined && model !== undefined) problems.push('--script goes without --model');
  if ('problem' in choice)
    problems.push(script === undefined ? choice.problem : `--script ${choice.problem}`);
  const budget = Number(textOf(given, 'budget') ?? defaultBudget);
  if (!(Number.isFinite(budget) && budget > 0))
    problems.push(`--budget ${textOf(given, 'budget')}: not an amount of USD above 0`);
  const around = folder === undefined ? undefined : surroundings(folder, model, problems);
  if (problems.length > 0 || !around || 'problem' in choice)
    return { setup: undefined, library: around?.library, problems };
  const setup = { choice, budget, ...around, mask: masker(apiKey ? [apiKey] : []) };
  return { setup, library: around.library, problems };
}

function surroundings(
  folder: string,
  model: string | undefined,
  problems: string[],
): Pick<Setup, 'config' | 'models' | 'library'> | undefined {
  try {
    const config = readTaskConfig(folder);
    const { library, problems: wrong } = libraryOf(folderTemplates(folder));
    problems.push(...wrong.map(formatProblem));
    const models = modelNames(config, model);
    try {
      if (model !== undefined) models(model, 'task');
    } catch (error) {
      problems.push(messageOf(error));
    }
    return { config, models, library };
  } catch (error) {
    problems.push(messageOf(error));
    return undefined;
  }
}
