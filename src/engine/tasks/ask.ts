// Asks one of the evaluator's own tasks (reparse, matching, ...) beside the program, which it does not see.
import type { Json } from '@echelon/ground';
import { boundValue } from '../language/environment.ts';
import type { TaskResult } from '../language/result.ts';
import { programOf } from './template-programs.ts';
import { type TaskPlace, rootPlace } from './task-place.ts';
import { preflight } from './rights.ts';

/**
 * The result of the library's template `name` with `inputs` for its parameters. `part` tells its key from the
 * asker's other keys. Throws TaskError, and RangeError where the library has no such template.
 */
export interface Ask {
  (name: string, inputs: Readonly<Record<string, Json>>, part: string): Promise<TaskResult>;
  /**
   * Journals under the key of `part` what was made of the answers: where a model fails, another time would make
   * something else of them. Absent: nothing is journalled.
   */
  keep?: <T>(part: string, make: () => Promise<T>) => Promise<T>;
}

/** The template that chooses the files of a context. */
export const MEMORY_TASK = 'associative_memory';

/** The task that is asked sees its inputs and the settings; its failure is not recovered. */
export function askAt({ evaluator, key, signal, ledger, sessions, subtasks, choosing }: TaskPlace): Ask {
  const { library, options, settings } = evaluator;
  const { step } = options;
  const ask: Ask = async (name, inputs, part) => {
    const program = programOf(library.get(name), library);
    preflight(program, options);
    const place = rootPlace({
      evaluator,
      environment: settings.extend(Object.entries(inputs).map(([each, value]) => [each, boundValue(value)])),
      key: `${key}/${part}`,
      signal,
      ledger,
      sessions,
      subtasks,
      choosing: choosing || name === MEMORY_TASK,
    });
    return await evaluator.run(program, place);
  };
  if (step) ask.keep = async (part, make) => await step(`${key}/${part}`, make, { costly: true });
  return ask;
}
