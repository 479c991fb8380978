// The names that the language itself and finished tasks bind, with what is known of their values.
import type { Task } from './ast.ts';
import {
  elementName,
  errorMembers,
  failureNames,
  indexName,
  lastEvaluation,
  ranNames,
  roundNames,
} from './names.ts';
import { callable, type Name, texts, unread } from './scope.ts';
import { number, type Shape, text, unknown } from './shape.ts';

type Bound = [string, Name];

/** For the inner task of a map. */
export const boundByMap = (element: Shape): Bound[] => [
  [elementName, unread(element)],
  [indexName, unread(number)],
];

const members = (...names: string[]): Shape => ({
  members: new Map(names.map(name => [name, unknown])),
  closed: true,
});

/** For a director: empty in the first round. */
export const boundForDirector = (): Bound[] => [[lastEvaluation, unread(members('success', 'feedback'))]];

/** For script and evaluator of a round. */
export const boundByDirector = (): Bound[] => texts(roundNames);

/** For an evaluator behind a script. The exit code is a number, and empty where the command was. */
export const boundByScript = (): Bound[] =>
  ranNames.map(name => [name, unread(name === 'exit_code' ? { closed: true } : text)]);

/** For a task in `<on_failure>`. */
export const boundByFailure = (): Bound[] => [
  [
    failureNames.error,
    unread({ kind: 'object', ...members('code', 'message', 'violations', ...errorMembers) }),
  ],
  [failureNames.partial, unread({ kind: 'list' })],
];

/** The bindings that `done` makes after it ended with `result`. */
export function boundBy(done: Task, result: Name): Bound[] {
  result.by = done;
  if (done.type === 'function') return [[done.name, callable(done.parameters.map(each => each.name))]];
  const bound: Bound[] = done.name === undefined ? [] : [[done.name, result]];
  // The same entry under both names: whoever reads one has read the result.
  if (done.type === 'atomic' && done.outputSlot !== undefined) bound.push([done.outputSlot, result]);
  return bound;
}
