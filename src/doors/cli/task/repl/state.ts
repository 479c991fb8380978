// State of the entries so far, as an immutable value: to take an entry back is to return to the previous value.
import type { Json } from '@echelon/ground';
import type { FunctionTask, Task, TaskResult } from '../../../../engine/texts.ts';
import { createLibrary, type Library, type Source } from '../../../../engine/language.ts';
import type { Environment, Preceding } from '../../../../engine/engine.ts';
import {
  binding,
  boundFunction,
  boundResult,
  environmentOf,
  nothing,
  nothingPreceding,
  shapeOfResult,
} from '../../../../engine/engine.ts';

/** A program that was defined or run. */
export interface Entered {
  kind: 'task' | 'function';
  program: Task;
  /** As it was entered; `to`: the name that stood before it. */
  source: string;
  to: string | undefined;
  names: readonly string[];
  /** The names bound before it that it reads. */
  reads: readonly string[];
}

/** An entry that bound something, as a program that is saved needs it. */
export type Logged =
  | Entered
  /** `path`: the expression, where it is no more than a way to a bound value. */
  | { kind: 'value'; name: string; value: Json; path: string | undefined; reads: readonly string[] }
  /** A parameter, which somebody gave. */
  | { kind: 'given'; name: string; value: Json };

export interface State {
  readonly preceding: Preceding;
  readonly log: readonly Logged[];
  /** Tasks that were loaded for `ref` to take, by name. */
  readonly loaded: ReadonlyMap<string, Source>;
}

export const emptyState: State = { preceding: nothingPreceding, log: [], loaded: new Map() };

/** Name bound to the result of each run, besides its own name. */
export const lastName = 'it';

export const namesOf = (logged: Logged): readonly string[] =>
  'names' in logged ? logged.names : [logged.name];

/** Library for `ref` and `call`. Loaded templates hide those of `outer`. */
export const libraryOf = ({ loaded }: State, outer: Library): Library =>
  loaded.size === 0 ? outer : createLibrary([...loaded.values()], { outer }).library;

/** The newest entry that bound the name. */
export const loggedAs = ({ log }: State, name: string): Logged | undefined =>
  log.findLast(logged => namesOf(logged).includes(name) || (name === lastName && logged.kind === 'task'));

/** `task` ended with `result`, which `names` are bound to. */
export function afterTask(
  preceding: Preceding,
  task: Task,
  result: TaskResult,
  names: readonly string[],
): Preceding {
  const shape = shapeOfResult(task);
  return { ...binding(preceding, names, { bound: boundResult(result), shape }), previous: { shape, result } };
}

/** The function is bound to its name. Its body sees what is bound now. */
export function withFunction(preceding: Preceding, task: FunctionTask, settings: Environment): Preceding {
  const bound = boundFunction(task, environmentOf(preceding, settings));
  const parameters = task.parameters.map(({ name }) => name);
  return binding(preceding, [task.name], { bound, shape: nothing, parameters });
}
