// Options with which a program opens the task language, read and checked.
import { messageOf, systemClock } from '@echelon/ground';
import type { Store } from '@echelon/ground/journal';
import { modelTables, sessionSettings } from '../../app/config.ts';
import { statSync } from 'node:fs';
import type { z } from 'zod';
import type {
  EvaluationParts,
  KeptMemory,
  SessionParts,
  SessionSurroundings,
  Subtype,
  TaskEvent,
} from '../../engine/engine.ts';
import { subtypeProblems } from '../../engine/engine.ts';
import type { Settings } from '../settings.ts';
import { defaultBudget, guarded, type Model, modelNames, modelsBehind } from '../../engine/models.ts';
import { knownRows, named } from '../../engine/sandbox.ts';
import { defaultTaskConfig, programSettings, readTaskConfig } from '../folder-library.ts';
import type { Memory } from '../../engine/files.ts';
import { bringTools, type BroughtTools, type ToolOptions } from './tool-options.ts';

/** A memory without `update` cannot be replaced through the library. */
export type GivenMemory = Memory & Partial<KeptMemory>;

/** `Inputs`: the schemas of the inputs of `tools`, in their order. */
export interface TasksOptions<Inputs extends readonly z.ZodType[] = readonly z.ZodType[]>
  extends ToolOptions<Inputs> {
  /**
   * `anthropicModel`, `scriptedModel`, or one of your own. Failures that pass are tried again. Of several, the one that
   * lists a name in its `models` is asked for it, and the first for every other name.
   */
  model: Model | readonly Model[];
  /** Model of tasks that name none: a model with a price, or a tier. Default: the task's tier. */
  defaultModel?: string;
  /** USD that all executions together may cost; default 5. */
  budget?: number;
  /**
   * A checkout: the file tools read it, tasks get context from its index, and its `.github/` gives configuration
   * and templates. Default: none.
   */
  folder?: string;
  /** A memory that tasks get context from instead of the index of `folder`, which need not be given. */
  memory?: GivenMemory;
  /** Lets programs change files and run commands in `folder`; default false. */
  allowScripts?: boolean;
  /** Names that a `<command>` may read, besides those of the configuration. */
  settings?: Readonly<Record<string, string>>;
  /**
   * Carries the tool `ask` out; absent, and without `sessions.storage`: a task that needs it is a VALIDATION_ERROR.
   * Throws NoAnswerYet where the answer comes later.
   */
  ask?: SessionSurroundings['ask'];
  /** Milliseconds that a question waits for its answer before the task fails; default: a day. */
  askWaitMs?: number;
  /**
   * Subtypes of atomic tasks besides those of the language, by their names: turns, outputs that a task of it has to
   * declare, whether its result may be a CONTINUATION, whether its context is empty.
   */
  subtypes?: Readonly<Record<string, Subtype>>;
  /** Own parts of the sessions that carry atomic tasks out. */
  sessions?: SessionParts & {
    /** Names of the policies of executions, in `rows` or built in; default: as the configuration says. */
    policy?: string;
    retryPolicy?: string;
  };
  /** Everything that happens, as it happens. */
  onEvent?: (event: TaskEvent) => void;
  /** Called with the error of an execution before it is thrown. */
  onError?: (error: unknown) => void;
}

export interface ExecuteOptions {
  signal?: AbortSignal;
  /** Begins the keys of model requests, sessions and steps; default: counts the executions. */
  key?: string;
  /**
   * Keeps everything finished, and unfinished sessions: an execution of the same `key` resumes from it. Without a
   * journal, a question whose answer comes later fails.
   */
  journal?: Store;
  /** Answers to questions that waited (`SessionPaused`), by its `id`. */
  answers?: Readonly<Record<string, string>>;
}

export interface OpenedOptions
  extends Pick<
    EvaluationParts,
    'models' | 'modelRows' | 'model' | 'reasoning' | 'sessions' | 'settings' | 'warnAt'
  > {
  brought: BroughtTools;
  /** A model that is paid for with a key is among them, or a server with a secret. */
  secretsPresent: boolean;
}

/** Throws an Error with a line for each option that cannot work, or for what is wrong in the folder's configuration. */
export function readOptions(options: TasksOptions, host: Settings): OpenedOptions {
  const { folder, budget = defaultBudget, defaultModel } = options;
  const { policy, retryPolicy, ...sessions } = options.sessions ?? {};
  const wrong: string[] = [];
  const attempt = <T>(option: string, act: () => T): T | undefined => {
    try {
      return act();
    } catch (error) {
      wrong.push(
        ...messageOf(error)
          .split('\n')
          .map(line => `${option}: ${line}`),
      );
      return undefined;
    }
  };
  if (!(Number.isFinite(budget) && budget > 0))
    wrong.push(`budget: ${budget} is not an amount of USD above 0`);
  wrong.push(...subtypeProblems(options.subtypes ?? {}).map(problem => `subtypes: ${problem}`));
  const brought = bringTools(options, host, attempt);
  if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error([...wrong, `folder: there is no folder ${folder}`].join('\n'));
  const config = folder === undefined ? defaultTaskConfig() : readTaskConfig(folder);
  const tables = modelTables(config);
  const given = [options.model].flat() as readonly Model[];
  // Each of them tries again, and stops trying, by itself.
  const model = attempt('model', () => guarded(given, { clock: systemClock, behind: modelsBehind(tables) }));
  const models = modelNames(tables, defaultModel, Object.keys(model?.models ?? {}));
  if (defaultModel !== undefined) attempt('defaultModel', () => models(defaultModel, 'task'));
  const rows = attempt('sessions.rows', () => knownRows(sessions.rows));
  if (rows && policy !== undefined)
    attempt('sessions.policy', () => named('execution policy', rows.execution, policy));
  if (rows && retryPolicy !== undefined)
    attempt('sessions.retryPolicy', () => named('retry policy', rows.retry, retryPolicy));
  if (wrong.length > 0 || !model) throw new Error(wrong.join('\n'));
  const { settings, warnAt } = programSettings(config);
  return {
    settings: { ...settings, ...options.settings },
    warnAt,
    brought,
    model: model.within({ most: budget, remedy: 'give more with the option budget of createTasks' }),
    models,
    modelRows: tables.rows,
    secretsPresent: brought.secretsPresent || given.some(({ provider }) => provider !== 'scripted'),
    sessions,
    reasoning: {
      ...sessionSettings(config),
      ...(policy !== undefined && { policy, tasks: {} }),
      ...(retryPolicy !== undefined && { retry: retryPolicy }),
    },
  };
}
