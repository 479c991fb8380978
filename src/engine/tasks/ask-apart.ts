// Asks one of the evaluator's own tasks where no program is being evaluated.
import { emptyLibrary } from '../language/library.ts';
import { type Ask, MEMORY_TASK } from './ask.ts';
import { evaluate, type EvaluateOptions } from './evaluate.ts';
import { programOf } from './template-programs.ts';

/**
 * Each with an evaluation of its own; of `options`, the conversation and the context are not for it. What chooses files
 * is given none.
 */
export function askApart({ history: _, prompt: _said, context: _seen, ...options }: EvaluateOptions): Ask {
  const { library = emptyLibrary, key } = options;
  const { memory: _memory, ...without } = options;
  return async (name, inputs, part) =>
    await evaluate(programOf(library.get(name), library), inputs, {
      ...(name === MEMORY_TASK ? without : options),
      key: `${key}/${part}`,
    });
}
