// The memory of a folder, or one that was given, for a program of one's own: its index, and the context that it gives.
import { emptyLibrary } from '../../engine/language.ts';
import { invalidInput } from '../../engine/texts.ts';
import { askApart, type EvaluateOptions, relevantContext } from '../../engine/engine.ts';
import type { GivenEntry, GlobalIndex, RelevantContext, RelevantContextRequest } from '../../engine/files.ts';
import { readContextRequest } from '../../engine/files.ts';
import type { ExecuteOptions, GivenMemory } from './tasks-options.ts';

export interface TasksIndex {
  /** The index of `folder`, whole: every file with a line about it, in the order of the paths. A copy. */
  getGlobalIndex(options?: Pick<ExecuteOptions, 'signal'>): Promise<GlobalIndex>;
  /**
   * Replaces the index as a whole, in the file that keeps it, too; entries may be those that were read, with other
   * lines. Who reads it meanwhile gets the one before or the one after. Throws TaskError INVALID_INPUT with what is
   * wrong of the entries, or what kept it from being saved: then nothing is changed.
   */
  updateGlobalIndex(entries: readonly GivenEntry[], options?: Pick<ExecuteOptions, 'signal'>): Promise<void>;
  /**
   * The context that a task of this text needs: of the files of `folder` those that fit, chosen by the model where not
   * all of them can be shown. Throws TaskError: INVALID_INPUT for a malformed request, TASK_FAILURE
   * `context_generation_failure` where the choice failed twice.
   */
  getRelevantContextFor(request: RelevantContextRequest, options?: ExecuteOptions): Promise<RelevantContext>;
}

/** `within` does something as an execution of its own. Without a memory every call is refused. */
export function indexOf(
  memory: GivenMemory | undefined,
  within: <T>(act: (options: EvaluateOptions) => Promise<T>, how: ExecuteOptions) => Promise<T>,
): TasksIndex {
  const remembering = <T>(
    act: (memory: GivenMemory, options: EvaluateOptions) => Promise<T>,
    how: ExecuteOptions,
  ): Promise<T> =>
    within(async options => {
      if (memory) return await act(memory, options);
      throw invalidInput(
        'there is no index without a folder or a memory: give createTasks one (option folder or memory)',
      );
    }, how);
  return {
    getGlobalIndex: (how = {}) =>
      remembering(async (memory, { signal }) => structuredClone(await memory.index(signal)), how),
    updateGlobalIndex: (entries, how = {}) =>
      remembering(async (memory, { signal }) => {
        if (memory.update) return await memory.update(entries, signal);
        throw invalidInput('the memory that was given has no update');
      }, how),
    getRelevantContextFor: (request, how = {}) =>
      remembering(async (memory, options) => {
        const { signal, library = emptyLibrary } = options;
        const chooser = { ask: askApart(options), library, options };
        const within = { signal, ledger: undefined };
        const { context } = await relevantContext(readContextRequest(request), memory, within, chooser);
        const { text, matches, apart } = context;
        return { context: text, matches, ...(apart !== undefined && { apart }) };
      }, how),
  };
}
