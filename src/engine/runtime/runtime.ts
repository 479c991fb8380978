// Runtime of programs for the command line, the Action and the library: model, folder, sandbox and memory, opened on
// first use and closed in one order.
import type { Json } from '@echelon/ground';
import { environmentOf, settingsFrame } from '../language/environment.ts';
import type { Task } from '../language/ast.ts';
import type { TaskResult } from '../language/result.ts';
import { withCosts } from '../tasks/ledger.ts';
import type { Tool } from '../language/tool.ts';
import { evaluate, type EvaluateOptions } from '../tasks/evaluate.ts';
import { openWorkFolder, type WorkFolder, type WorkFolderOptions } from './work-folder.ts';
import { type EvaluationParts, evaluationOf, lazySandbox } from './evaluation.ts';
import { type ProgramFor, programFor } from './runnable.ts';
import { runsCommands } from './rights.ts';

/** Values that executions share. */
type Shared = Omit<EvaluationParts, keyof Execution | 'sandbox' | 'tools' | 'script'>;

/** Tools that have to be asked for first. */
export interface ToolSource {
  /** Throws an Error, in words for a person, where they are not to be had. */
  tools(signal: AbortSignal): Promise<readonly Tool[]>;
  close(): Promise<void>;
}

export interface RuntimeParts extends Shared, Pick<WorkFolderOptions, 'secretsPresent' | 'host'> {
  /** Folder of the file tools; undefined: there are no file tools. */
  folder?: string | undefined;
  /** Lets programs change files and run commands in it; default false. */
  allowScripts?: boolean;
  /** Besides the file tools; default: none. */
  tools?: readonly Tool[];
  /** More of them, which is closed with the runtime; default: none. */
  source?: ToolSource | undefined;
}

/** Values of one execution. */
export type Execution = Pick<EvaluationParts, 'library' | 'signal' | 'step' | 'pauses' | 'key' | 'preceding'>;

export type Runtime = ReturnType<typeof openRuntime>;

export function openRuntime({
  folder,
  allowScripts = false,
  secretsPresent,
  host,
  tools: further = [],
  source,
  ...parts
}: RuntimeParts) {
  const sandbox = lazySandbox();
  const closing = new AbortController();
  let work: Promise<WorkFolder> | undefined;

  const workFolder = (): Promise<WorkFolder> | undefined => {
    if (folder === undefined) return undefined;
    work ??= openWorkFolder({ folder, allowScripts, secretsPresent, host }).catch((error: unknown) => {
      work = undefined;
      throw error;
    });
    return work;
  };

  const options = async (execution: Execution): Promise<EvaluateOptions> => {
    const signal = AbortSignal.any([execution.signal, closing.signal]);
    signal.throwIfAborted();
    const { tools = [], script } = (await workFolder()) ?? {};
    return evaluationOf({
      ...{ ...parts, ...execution, signal, sandbox },
      tools: [...tools, ...further, ...((await source?.tools(signal)) ?? [])],
      ...(script && { script }),
    });
  };

  const run = async (
    program: Task,
    inputs: Readonly<Record<string, Json>>,
    execution: Execution,
  ): Promise<TaskResult> => {
    const evaluation = await options(execution);
    const { library, preceding } = execution;
    const environment = preceding && environmentOf(preceding, settingsFrame(evaluation.settings));
    if (allowScripts && runsCommands(program, library, environment)) await (await workFolder())?.prepare();
    const { messages: _, ...result } = await evaluate(program, inputs, evaluation);
    return result;
  };

  return {
    /** For what asks tasks of the product (compiling, matching). Throws where the folder is gone, or it was closed. */
    options,
    /**
     * Evaluates `program`. What its commands lack is said before any of it runs (`WorkFolder.prepare`).
     * Throws also what `evaluate` does, and the reason of a signal that aborts: the execution's, or the closing.
     */
    run,
    /** Runs the program that meets a request in words, which `chosen` is told first. Throws as `run` does, and `compile`. */
    async meet(
      request: string,
      inputs: Readonly<Record<string, Json>>,
      execution: Execution,
      chosen?: (found: ProgramFor) => void,
    ): Promise<TaskResult> {
      const found = await programFor(request, inputs, await options(execution));
      chosen?.(found);
      const { program, library, source } = found;
      return await withCosts({ ...found, program: source }, run(program, inputs, { ...execution, library }));
    },
    /** Ends what still runs, waits for its end, and removes what was made outside of the folder. */
    async close(): Promise<void> {
      closing.abort(new Error('the runtime of the programs was closed'));
      try {
        await Promise.all([sandbox.close(), source?.close()]);
      } finally {
        // One that could not be opened was told to who ran a program, and has nothing to close.
        const opened = await work?.catch(() => undefined);
        await opened?.close();
      }
    },
  };
}
