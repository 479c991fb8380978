// The program that meets a request in words: the registered task that fits it best, else one that a model writes.
import type { Json } from '@echelon/ground';
import type { Task } from '../language/ast.ts';
import { emptyLibrary, type Library } from '../language/library.ts';
import { addSpent, type Spent } from '../language/result.ts';
import { askApart } from '../tasks/ask-apart.ts';
import { compile } from '../tasks/compile.ts';
import type { EvaluateOptions } from '../tasks/evaluate.ts';
import { findMatchingTasks } from '../tasks/match.ts';
import { programOf } from '../tasks/template-programs.ts';
import { misfits } from './inputs.ts';
import { runnable } from './runnable.ts';

export interface ProgramFor {
  program: Task;
  library: Library;
  /** What it was written as, where no registered task fits. */
  source?: string;
  warnings: readonly string[];
  /** By the choice and the writing. */
  spent: Spent;
}

/** A task that does a part of what is requested is no answer to it: such a one scores 0.4 (prompts/tasks/matching.xml). */
const LEAST_FIT = 0.5;

/** Of the registered tasks only those that take exactly `inputs` are considered. Throws as `compile` does. */
export async function programFor(
  request: string,
  inputs: Readonly<Record<string, Json>>,
  options: EvaluateOptions,
): Promise<ProgramFor> {
  const { library = emptyLibrary } = options;
  // Apart from the program's own, which may have a task of the same name.
  const choosing = { ...options, key: `${options.key}/request` };
  const { matches, spent } = await findMatchingTasks(request, {
    library,
    ask: askApart(choosing),
    among: ({ program, template: { file, source } }) =>
      misfits(runnable(program, { file, text: source }, library).program, inputs).length === 0,
  });
  const [best] = matches;
  if (best && best.score >= LEAST_FIT) {
    const { file, source: text } = best.template;
    return { ...runnable(programOf(best.template, library), { file, text }, library), warnings: [], spent };
  }
  const compiled = await compile(request, choosing, { parameters: Object.keys(inputs) });
  return { ...compiled, library, spent: addSpent(spent, compiled.spent) };
}
