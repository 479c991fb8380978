// A program as it is run by name or file: itself, or a call of it where it is a function.
import { escapeMarkup } from '@echelon/ground';
import type { Task } from '../language/ast.ts';
import { createLibrary, type Library, type Source } from '../language/library.ts';
import { formatProblem } from '../language/problem.ts';
import { parseProgram } from '../language/program.ts';

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
