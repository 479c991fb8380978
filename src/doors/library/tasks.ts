// Programs of the task language, run for a program of one's own.
import type { z } from 'zod';
import { type Json, systemClock } from '@echelon/ground';
import { replay, type Step, type Store } from '@echelon/ground/journal';
import { invalidInput, type Problem, type Task, type TaskResult } from '../../engine/texts.ts';
import { type Library, parseProgram, surfaceOf } from '../../engine/language.ts';
import type { AllowedParameters, Compiled, Execution, Match, TaskEvent } from '../../engine/engine.ts';
import {
  answerQuestion,
  askApart,
  compile as compileRequest,
  findMatchingTasks as findMatching,
  openMemory,
  openRuntime,
} from '../../engine/engine.ts';
import { readSettings } from '../settings.ts';
import { folderTemplates, libraryOf } from '../folder-library.ts';
import { refuse, Registry, type Runnable } from './registry.ts';
import { indexOf, type TasksIndex } from './tasks-index.ts';
import { type ExecuteOptions, readOptions, type TasksOptions } from './tasks-options.ts';

export interface Tasks extends TasksIndex {
  /**
   * Evaluates a program: its source in either surface (no path), a checked program, the name of a registered task, or a
   * request in several words, which the registered task is run for that fits it best and takes these inputs, or else a
   * program that the model writes (`notes.program`). A function is called: `inputs` are its parameters. Throws TaskError, RangeError for a name that is not registered, an Error with
   * the remedy where nothing could keep in the commands that it runs (before any of it runs), SessionPaused where a
   * question waits for its answer, and the signal's reason when it aborts.
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
  /**
   * Registers the task under the name of its root. Throws TaskError XML_PARSE_ERROR or VALIDATION_ERROR; the latter for
   * a name that was registered here, too.
   */
  registerTask(source: string, file?: string): void;
  /** Every problem of a program, errors and warnings, in the order of the source. Never throws. */
  validateTemplate(source: string, file?: string): Problem[];
  /** The registered tasks that fit, best first, at most five; by the model, or by the words where that fails. */
  findMatchingTasks(query: string | Task, options?: ExecuteOptions): Promise<Match[]>;
  /** The program that the model writes for a request in plain words. Throws TaskError. */
  compile(request: string, options?: ExecuteOptions & { parameters?: AllowedParameters }): Promise<Compiled>;
  /** Ends what still runs; every call after it is refused. */
  close(): Promise<void>;
}

/**
 * Throws an Error where an option cannot work or the configuration of `folder` is wrong, TaskError where its templates
 * are.
 */
export function createTasks<const Inputs extends readonly z.ZodType[]>(options: TasksOptions<Inputs>): Tasks {
  const { folder, onError } = options;
  const host = readSettings();
  const { brought, ...parts } = readOptions(options, host);
  const templates = folder === undefined ? [] : folderTemplates(folder);
  const { library, problems } = libraryOf(templates, {
    ...(options.subtypes && { subtypes: options.subtypes }),
    tools: brought.names,
  });
  refuse(problems);
  const registry = new Registry(library);
  let count = 0;
  const execution = (how: ExecuteOptions, library = registry.library): Execution =>
    executionOf(how, library, () => `execution-${++count}`);
  const memory = options.memory ?? (folder === undefined ? undefined : openMemory({ folder }));
  const runtime = openRuntime({
    ...parts,
    folder,
    allowScripts: options.allowScripts ?? false,
    host,
    tools: brought.tools,
    source: brought.source,
    mask: brought.mask,
    ...(memory && { memory }),
    ask: options.ask,
    askWaitMs: options.askWaitMs,
    onEvent: heardBy(options),
  });
  const told = <T>(act: () => Promise<T>): Promise<T> =>
    act().catch((error: unknown) => {
      onError?.(error);
      throw error;
    });
  const run = (what: () => Runnable | string, inputs: Readonly<Record<string, Json>>, how: ExecuteOptions) =>
    told(async () => {
      const found = what();
      const result =
        typeof found === 'string'
          ? await runtime.meet(found, inputs, execution(how))
          : await runtime.run(found.program, inputs, execution(how, found.library));
      for (const warning of result.notes.warnings) options.onWarning?.(warning);
      return result;
    });

  return {
    executeTask: (task, inputs = {}, how = {}) => run(() => registry.find(task), inputs, how),
    executeFunctionCall: (name, args = {}, how = {}) =>
      run(() => registry.callTo(name, Object.keys(args)), args, how),
    registerTask: (source, file = `registered.${surfaceOf(source)}`) => registry.register(source, file),
    validateTemplate: (source, file = `program.${surfaceOf(source)}`) =>
      parseProgram(source, file, registry.library, 'asked for').problems,
    findMatchingTasks: (query, how = {}) =>
      told(async () => {
        const ask = askApart(await runtime.options(execution(how)));
        return (await findMatching(query, { library: registry.library, ask })).matches;
      }),
    compile: (request, { parameters = false, ...how } = {}) =>
      told(async () => await compileRequest(request, await runtime.options(execution(how)), { parameters })),
    ...indexOf(memory, (act, how) => told(async () => await act(await runtime.options(execution(how))))),
    close: () => runtime.close(),
  };
}

/** Hears everything, and of it tells as a warning what is unusual. */
const heardBy =
  ({ onEvent, onWarning }: TasksOptions) =>
  (event: TaskEvent) => {
    onEvent?.(event);
    if (event.type === 'warning')
      onWarning?.(`${event.task}: ${event.used} of ${event.limit} ${event.resource} are used`);
    if (event.type === 'recovery') onWarning?.(`${event.task} is tried in another way: ${event.error}`);
  };

/** `nextKey`: that of an execution that was given none. */
function executionOf(
  { signal, key, journal, answers = {} }: ExecuteOptions,
  library: Library,
  nextKey: () => string,
): Execution {
  if (journal && key === undefined)
    throw invalidInput(
      'what is in a journal is found again by the key of its execution: give one in the options (key)',
    );
  return {
    library,
    signal: signal ?? new AbortController().signal,
    key: key ?? nextKey(),
    ...(journal && { step: stepOver(journal, answers), pauses: true }),
  };
}

function stepOver(store: Store, answers: Readonly<Record<string, string>>): Step {
  const journal = replay({
    entries: store.entries,
    clock: systemClock,
    write: async entries => await store.append(entries),
  });
  for (const [id, answer] of Object.entries(answers)) answerQuestion(journal, id, answer);
  return journal.step;
}
