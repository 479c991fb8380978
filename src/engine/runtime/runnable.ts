// A program as it is run by name or file: itself, or a call of it where it is a function.
import { escapeMarkup, type Json } from '@echelon/ground';
import type { Task } from '../language/ast.ts';
import { createLibrary, type Library, type Source, emptyLibrary } from '../language/library.ts';
import { formatProblem } from '../language/problem.ts';
import { parseProgram } from '../language/program.ts';
import { addSpent, type Spent } from '../language/result.ts';
import { askApart } from '../tasks/ask-apart.ts';
import { compile } from '../tasks/compile.ts';
import type { EvaluateOptions } from '../tasks/evaluate.ts';
import { findMatchingTasks } from '../tasks/match.ts';
import { programOf } from '../tasks/template-programs.ts';
import { misfits } from './inputs.ts';

/**
 * The program to run, and the library that it runs with. A function becomes a call of it, whose inputs are the
 * function's parameters. `source` is what `program` was read from.
 */
export function runnable(
  program: Task,
  source: Source,
  library: Library,
): { program: Task; library: Library } {
  if (program.type !== 'function') return { program, library };
  const { name, parameters } = program;
  const registered = library.find(name)?.source === source.text;
  const known = registered ? library : createLibrary([source], { outer: library }).library;
  const call = callOf(
    name,
    parameters.map(each => each.name),
  );
  const { program: calling, problems } = parseProgram(call, source.file, known);
  if (!calling)
    throw new Error(`the function ${name} cannot be called: ${problems.map(formatProblem).join('\n')}`);
  // An input stands where the function declares it, for messages.
  const inputs = calling.inputs.map((input, at) => ({ ...input, at: parameters[at]?.at ?? input.at }));
  return { program: { ...calling, at: program.at, inputs }, library: known };
}

/** A program that calls the function with its own parameters, so that every value stays what it is. */
export function callOf(name: string, args: readonly string[]): string {
  const quoted = (text: string) => `"${escapeMarkup(text).replaceAll('"', '&quot;')}"`;
  const inputs = args.map(arg => `<input name=${quoted(arg)}/>`).join('');
  const given = args.map(arg => `<arg name=${quoted(arg)} from=${quoted(arg)}/>`).join('');
  return `<task type="call" ref=${quoted(name)}>${inputs && `<inputs>${inputs}</inputs>`}${given}</task>`;
}

// The program that meets a request in words: the registered task that fits it best, else one that a model writes.

export interface ProgramFor {
  program: Task;
  library: Library;
  /** Its written source, if no registered task fits. */
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
