// Checks that what is called is a function, and that it is given its parameters and nothing else.
import { didYouMean } from '@echelon/ground';
import type { CallTask } from './ast.ts';
import { type Library, parametersOf } from './library.ts';
import type { Report } from './problem.ts';
import type { Scope } from './scope.ts';

/** A call without `ref` has been reported, and is not looked at. */
export function checkCall(task: CallTask, scope: Scope, library: Library, report: Report): void {
  const { name, at } = task.ref;
  if (name === '') return;
  const parameters = parametersIn(task, scope, library);
  if (parameters) checkArguments(task, parameters, report);
  else report(at, notCallable(task.ref, scope, library));
}

/** The parameters of the function that is called, of the program or else of the library. Marks the name as used. */
function parametersIn(task: CallTask, scope: Scope, library: Library): readonly string[] | undefined {
  const { name, at } = task.ref;
  const local = scope.get(name, at.file);
  if (local) local.used = true;
  if (local?.parameters) return local.parameters;
  // Of a template that is taken here: what is bound around it is none of its names.
  if (!local && scope.get(name)) task.ofLibrary = true;
  const template = library.find(name);
  return template?.type === 'function' ? parametersOf(template) : undefined;
}

function notCallable({ name, at: { file } }: CallTask['ref'], scope: Scope, library: Library): string {
  if (scope.get(name, file) || library.find(name))
    return `"${name}" is not a function: only a function can be called`;
  const local = scope.names(file).filter(each => scope.get(each, file)?.parameters);
  const shared = library.templates().flatMap(each => (each.type === 'function' ? [each.name] : []));
  const near = didYouMean(name, [...local, ...shared]);
  return `unknown ref "${name}": no function of that name stands before this call or in the library${near}`;
}

function checkArguments({ ref, args, at }: CallTask, parameters: readonly string[], report: Report): void {
  const given = new Set(args.map(arg => arg.name));
  for (const parameter of parameters)
    if (!given.has(parameter)) report(at, `the call of "${ref.name}" misses the argument "${parameter}"`);
  for (const arg of args)
    if (arg.name !== '' && !parameters.includes(arg.name))
      report(
        arg.at,
        `"${ref.name}" has no parameter "${arg.name}"${didYouMean(arg.name, parameters)}: it takes ${parameters.join(', ') || 'none'}`,
      );
}
