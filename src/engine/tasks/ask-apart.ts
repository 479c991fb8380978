// Asks one of the evaluator's own tasks where no program is being evaluated.
import { emptyLibrary } from '../language/library.ts';
import type { Ask } from './ask.ts';
import { evaluate, type EvaluateOptions } from './evaluate.ts';
import { programOf } from './template-programs.ts';

/** Each with an evaluation of its own; of `options`, the conversation and the context are not for it. */
export function askApart({ history: _, prompt: _said, context: _seen, ...options }: EvaluateOptions): Ask {
  const { library = emptyLibrary, key } = options;
  return async (name, inputs, part) =>
    await evaluate(programOf(library.get(name), library), inputs, { ...options, key: `${key}/${part}` });
}
