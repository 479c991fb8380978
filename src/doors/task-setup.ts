// Shared by the command line and the Action to run a program: the folder's setup, and the runtime opened for it.
import { messageOf } from '@echelon/ground';
import type { Model, ModelChoice, ModelTables, PlayedReply } from '../engine/models.ts';
import { endRecording, modelNames, modelsBehind, openTaskModel } from '../engine/models.ts';
import { type Config, modelTables } from '../app/config.ts';
import type { FurtherTools, Library } from '../engine/language.ts';
import type { Problem } from '../engine/texts.ts';
import { folderTemplates, libraryOf, programSettings, readTaskConfig } from './folder-library.ts';
import { openRuntime, type Runtime, type RuntimeParts } from '../engine/engine.ts';

export interface FolderSetup extends ReturnType<typeof programSettings> {
  config: Config;
  /** The model that a task gets for the name it gives. */
  models: ReturnType<typeof modelNames>;
  modelRows: ModelTables['rows'];
  library: Library;
}

export interface TaskSetup extends FolderSetup {
  choice: ModelChoice;
  /** USD. */
  budget: number;
}

/** `at`: its place in a file. */
export interface SetupProblem {
  message: string;
  at?: Problem;
}

/**
 * Configuration and templates of `folder`, and what is wrong with them; undefined: nothing is read. `model`: of the tasks that name none; `tools`: what
 * templates and programs can name besides the built-in ones.
 */
export function readFolder(
  folder: string | undefined,
  model?: string,
  tools?: FurtherTools,
): { around: FolderSetup | undefined; problems: SetupProblem[] } {
  const problems: SetupProblem[] = [];
  const attempt = <T>(act: () => T): T | undefined => {
    try {
      return act();
    } catch (error) {
      problems.push({ message: messageOf(error) });
      return undefined;
    }
  };
  const around = attempt(() => {
    if (folder === undefined) return undefined;
    // A checkout may be anybody's pull request: its prices are only of models that the table lacks.
    const config = readTaskConfig(folder);
    const { library, problems: wrong } = libraryOf(folderTemplates(folder), tools && { tools });
    problems.push(...wrong.map(at => ({ message: at.message, at })));
    const tables = modelTables(config);
    const models = modelNames(tables, model);
    return { config, models, modelRows: tables.rows, library, ...programSettings(config) };
  });
  if (model !== undefined) attempt(() => around?.models(model, 'task'));
  return { around, problems };
}

/** The model within the budget. `option`: how a budget is given here; `before`: what earlier runs of the same did. */
export const openSetupModel = (
  { choice, budget, config }: TaskSetup,
  option: '--budget' | 'budget',
  before: { spent: number; played: readonly PlayedReply[] } = { spent: 0, played: [] },
) => {
  const { spent, played } = before;
  const tables = modelTables(config);
  const behind = modelsBehind(tables);
  return openTaskModel(choice, { budget, option, rows: tables.rows, behind, spent, played });
};

/** Opens the runtime that the folder's configuration asks for. */
export const openSetupRuntime = (
  { choice, models, modelRows, settings, reasoning, warnAt }: TaskSetup,
  model: Model,
  parts: Pick<
    RuntimeParts,
    'folder' | 'allowScripts' | 'host' | 'ask' | 'memory' | 'onEvent' | 'mask' | 'scope' | 'source'
  > & {
    secretsPresent?: boolean;
  },
): Runtime => {
  const runtime = openRuntime({
    ...{ model, models, modelRows, settings, reasoning, warnAt },
    ...{ secretsPresent: choice.provider !== 'scripted', trace: choice.trace, ...parts },
  });
  return {
    ...runtime,
    async close() {
      await runtime.close();
      choice.trace?.end();
      const lost = choice.trace?.lost();
      if (lost !== undefined) console.error(`the trace ends before the run did: ${lost}`);
      if (choice.record !== undefined) await endRecording(choice.record);
    },
  };
};
