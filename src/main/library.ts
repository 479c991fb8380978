// The package's root: programs of the task language in a program of your own, without GitHub.
/// <reference path="../sandbox/webassembly.d.ts" />
import { statSync } from 'node:fs';
import type { Task } from '../language/ast.ts';
import { createLibrary, type Library, type Source } from '../language/library.ts';
import { formatProblem, type Problem } from '../language/problem.ts';
import { parseProgram } from '../language/program.ts';
import { TaskError, type TaskResult } from '../language/result.ts';
import type { Json } from '../lib/json.ts';
import { messageOf } from '../lib/message.ts';
import { systemClock } from '../lib/clock.ts';
import { guarded } from '../models/guard.ts';
import { modelNames } from '../models/names.ts';
import type { Model } from '../models/model.ts';
import type { SessionSurroundings } from '../reasoning/request.ts';
import type { Step } from '../record/journal.ts';
import { askApart } from '../tasks/ask-apart.ts';
import { compile as compileRequest, type Compiled } from '../tasks/compile.ts';
import { evaluate, type EvaluateOptions, type TaskEvent } from '../tasks/evaluate.ts';
import { programOf } from '../tasks/library.ts';
import { findMatchingTasks as findMatching, type Match } from '../tasks/match.ts';
import { openMemory } from './memory.ts';
import { readSettings } from './settings.ts';
import { defaultTaskConfig, readTaskConfig, settingsOf } from './task/config.ts';
import { evaluationOf, lazySandbox } from './task/evaluation.ts';
import { defaultBudget, withinBudget } from './task/model.ts';
import { folderTemplates, libraryOf } from './task/library.ts';
import { callOf, runnable } from './task/runnable.ts';
import { openWorkFolder, type WorkFolder } from './work-folder.ts';

export type { Task } from '../language/ast.ts';
export type { Library, Source, Template } from '../language/library.ts';
export type { Problem } from '../language/problem.ts';
export {
  type Notes,
  type Spent,
  TaskError,
  type TaskErrorDetail,
  type TaskResult,
} from '../language/result.ts';
export type { Json } from '../lib/json.ts';
export { anthropicModel } from '../models/anthropic.ts';
export { type Model, ModelFailure, type ModelReply, type ModelRequest } from '../models/model.ts';
export { recording } from '../models/record.ts';
export { parseScript, type Script } from '../models/script.ts';
export { scriptedModel } from '../models/scripted.ts';
export type { Step } from '../record/journal.ts';
export type { Compiled } from '../tasks/compile.ts';
export type { TaskEvent } from '../tasks/evaluate.ts';
export type { Match } from '../tasks/match.ts';
export type { GlobalIndex, IndexEntry } from '../tasks/memory/global-index.ts';
export type { Memory } from '../tasks/memory/memory.ts';
export { narrow } from '../tasks/memory/narrow.ts';
export { systemClock } from '../lib/clock.ts';
export { openMemory } from './memory.ts';

export interface TasksOptions {
  /** `anthropicModel`, `scriptedModel`, or one of your own. Failures that pass are tried again. */
  model: Model;
  /** Model of tasks that name none: a model with a price, or a tier. Default: the task's tier. */
  defaultModel?: string;
  /** USD that all executions together may cost; default 5. */
  budget?: number;
  /**
   * A checkout: the file tools read it, tasks get context from its index, and its `.github/` gives configuration
   * and templates. Default: none.
   */
  folder?: string;
  /** Lets programs change files and run commands in `folder`; default false. */
  allowScripts?: boolean;
  /** Names that a `<command>` may read, besides those of the configuration. */
  settings?: Readonly<Record<string, string>>;
  /** Carries the tool `ask` out; absent: a task that needs it is a VALIDATION_ERROR. */
  ask?: SessionSurroundings['ask'];
  /** Everything that happens, as it happens. */
  onEvent?: (event: TaskEvent) => void;
  /** What is unusual and does no harm: 80 % of a limit, another try, the warnings of a result. */
  onWarning?: (message: string) => void;
  /** What an execution fails with, before it is thrown. */
  onError?: (error: unknown) => void;
}

export interface ExecuteOptions {
  signal?: AbortSignal;
  /** Begins the keys of model requests and steps; default: counts the executions. */
  key?: string;
  /** Journals each session and script: the same execution over the same journal goes on from where it was. */
  step?: Step;
}

export interface Tasks {
  /**
   * Evaluates a program: its source (no path), a checked program, or the name of a registered task. A function is
   * called: `inputs` are its parameters. Throws TaskError, RangeError for a name that is not registered, and the
   * signal's reason when it aborts.
   */
  executeTask(
    task: string | Task,
    inputs?: Readonly<Record<string, Json>>,
    options?: ExecuteOptions,
  ): Promise<TaskResult>;
  /** Calls a registered function. Throws as `executeTask` does. */
  executeFunctionCall(
    name: string,
    args?: Readonly<Record<string, Json>>,
    options?: ExecuteOptions,
  ): Promise<TaskResult>;
  /** Registers the task under the name of its root. Throws TaskError VALIDATION_ERROR; for a name that was registered here, too. */
  registerTask(source: string, file?: string): void;
  /** Every problem of a program, errors and warnings, in the order of the source. Never throws. */
  validateTemplate(source: string, file?: string): Problem[];
  /** The registered tasks that fit, best first, at most five; by the model, or by the words where that fails. */
  findMatchingTasks(query: string | Task, options?: ExecuteOptions): Promise<Match[]>;
  /** The program that the model writes for a request in plain words. Throws TaskError. */
  compile(request: string, options?: ExecuteOptions & { parameters?: boolean }): Promise<Compiled>;
  /** Ends what still runs in the folder and the sandbox. */
  close(): Promise<void>;
}

/**
 * Throws an Error where an option cannot work or the configuration of `folder` is wrong, TaskError where its templates
 * are.
 */
export function createTasks(options: TasksOptions): Tasks {
  const { folder, onEvent, onWarning, onError, budget = defaultBudget } = options;
  const wrong: string[] = [];
  if (!(Number.isFinite(budget) && budget > 0))
    wrong.push(`budget: ${budget} is not an amount of USD above 0`);
  if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error([...wrong, `folder: there is no folder ${folder}`].join('\n'));
  const host = readSettings();
  const config = folder === undefined ? defaultTaskConfig() : readTaskConfig(folder);
  const { library: outer, problems } = libraryOf(folder === undefined ? [] : folderTemplates(folder));
  refuse(problems);
  const model = withinBudget(guarded(options.model, { clock: systemClock }), budget);
  const models = modelNames(config, options.defaultModel);
  try {
    if (options.defaultModel !== undefined) models(options.defaultModel, 'task');
  } catch (error) {
    wrong.push(`defaultModel: ${messageOf(error)}`);
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const memory = folder === undefined ? undefined : openMemory({ folder });
  const sandbox = lazySandbox();
  const registered: Source[] = [];
  let library = outer;
  let count = 0;
  let work: Promise<WorkFolder> | undefined;

  const workFolder = (): Promise<WorkFolder> | undefined => {
    if (folder === undefined) return undefined;
    work ??= openWorkFolder({
      folder,
      allowScripts: options.allowScripts ?? false,
      temporary: host.temporary,
      path: host.path,
      secretsPresent: options.model.provider !== 'scripted' && !host.allows.isolationNone,
      network: host.allows.network,
    });
    return work;
  };
  const heard = (event: TaskEvent) => {
    onEvent?.(event);
    if (event.type === 'warning')
      onWarning?.(`${event.task}: ${event.used} of ${event.limit} ${event.resource} are used`);
    if (event.type === 'recovery') onWarning?.(`${event.task} is tried in another way: ${event.error}`);
  };
  const evaluation = async ({ signal, key, step }: ExecuteOptions): Promise<EvaluateOptions> =>
    evaluationOf({
      model,
      models,
      library,
      settings: { ...settingsOf(config), ...options.settings },
      sandbox,
      reasoning: config.reasoning,
      folder: await workFolder(),
      ask: options.ask,
      ...(memory && { memory }),
      ...(step && { step }),
      signal: signal ?? new AbortController().signal,
      onEvent: heard,
      key: key ?? `execution-${++count}`,
    });
  const told = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      onError?.(error);
      throw error;
    }
  };
  const run = (
    what: () => { program: Task; library: Library },
    inputs: Readonly<Record<string, Json>>,
    how: ExecuteOptions,
  ) =>
    told(async () => {
      const { program, library } = what();
      const { messages: _, ...result } = await evaluate(program, inputs, {
        ...(await evaluation(how)),
        library,
      });
      for (const warning of result.notes.warnings) onWarning?.(warning);
      return result;
    });
  const read = (task: string | Task): { program: Task; library: Library } => {
    if (typeof task !== 'string') {
      if (task.type !== 'function') return { program: task, library };
      throw new TaskError(
        { code: 'INVALID_INPUT' },
        `${task.name} is a function: give its source or its name, or call it with executeFunctionCall`,
      );
    }
    if (task.trimStart().startsWith('<')) {
      const program = checked(parseProgram(task, 'program.xml', library));
      return runnable(program, { file: 'program.xml', text: task }, library);
    }
    const template = library.get(task);
    const { file, source: text } = template;
    return runnable(programOf(template, library), { file, text }, library);
  };

  return {
    executeTask: (task, inputs = {}, how = {}) => run(() => read(task), inputs, how),
    executeFunctionCall(name, args = {}, how = {}) {
      return run(
        () => ({
          program: checked(parseProgram(callOf(name, Object.keys(args)), 'call.xml', library)),
          library,
        }),
        args,
        how,
      );
    },
    registerTask(source, file = 'registered.xml') {
      const sources = [...registered, { file, text: source }];
      const next = createLibrary(sources, { outer });
      refuse(next.problems);
      checked(parseProgram(source, file, next.library));
      // Only now: what is refused leaves everything as it was.
      registered.push(sources.at(-1)!);
      library = next.library;
    },
    validateTemplate: (source, file = 'program.xml') => parseProgram(source, file, library).problems,
    findMatchingTasks: (query, how = {}) =>
      told(async () => {
        const ask = askApart(await evaluation(how));
        return (await findMatching(query, { library, ask })).matches;
      }),
    compile: (request, { parameters = false, ...how } = {}) =>
      told(async () => await compileRequest(request, await evaluation(how), { parameters })),
    async close() {
      await sandbox.close();
      await (await work)?.close();
    },
  };
}

function checked({ program, problems }: ReturnType<typeof parseProgram>): Task {
  refuse(problems);
  return program!;
}

/** Throws TaskError VALIDATION_ERROR for the first error, with all in its message. */
function refuse(problems: readonly Problem[]): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return;
  const { file, line, column } = first;
  throw new TaskError(
    { code: 'VALIDATION_ERROR', path: file, line, column },
    errors.map(formatProblem).join('\n'),
  );
}
