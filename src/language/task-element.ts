// Reads a `<task>` by its type: the table of all types, and which of them can be carried out.
import type { Task } from './ast.ts';
import { atomic } from './elements/atomic.ts';
import type { Kind } from './elements/common.ts';
import { directorEvaluator } from './elements/director-evaluator.ts';
import { script } from './elements/script.ts';
import { sequential } from './elements/sequential.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Report } from './problem.ts';
import { blankTask, type Reading, takeAttributes, title } from './shape.ts';
import type { Element } from './tree.ts';

/** Names that begin with a digit can be given to a task, but not read in a text. */
const taskName = /^\w[\w-]*(?:\.[\w-]+)*$/;

/** Every type of the language; undefined: known, and not available yet. */
const types: Record<string, Kind | undefined> = {
  atomic,
  sequential,
  script,
  'director-evaluator': directorEvaluator,
  map: undefined,
  reduce: undefined,
  function: undefined,
  call: undefined,
  cond: undefined,
  let: undefined,
};

/** Reads the task of `element` with all that is in it. */
export function readTask(element: Element, report: Report, broken: Set<Task>): Task {
  const reading: Reading = {
    report,
    broken,
    task: (inner, subtype) => read(subtype === undefined ? inner : withSubtype(inner, subtype), reading),
  };
  return read(element, reading);
}

function read(element: Element, reading: Reading): Task {
  const { report } = reading;
  const type = element.attributes.get('type');
  const name = element.attributes.get('name');
  const known = type === undefined || Object.hasOwn(types, type.value);
  const kind = types[type?.value ?? 'atomic'];
  if (!known || !kind) {
    const at = type?.at ?? element.at;
    if (known) report(at, `type ${type?.value} is not available yet`);
    else report(at, `unknown task type "${type.value}"${didYouMean(type.value, Object.keys(types))}`);
    const task = { ...blankTask(element.at), name: name?.value };
    reading.broken.add(task);
    return task;
  }
  const ref = element.attributes.get('ref');
  if (ref) report(ref.at, `unknown ref "${ref.value}": no task is registered under a name yet`);
  if (name && !taskName.test(name.value))
    report(
      name.at,
      `"${name.value}" cannot be a name: it has letters, digits, _, - and ., and begins with a letter or digit`,
    );
  const atomicType = (type?.value ?? 'atomic') === 'atomic';
  const subtype = element.attributes.get('subtype');
  if (subtype && !atomicType) report(subtype.at, `${title(element)} has no subtype: only an atomic task has`);
  takeAttributes(
    element,
    { type: 'optional', name: 'optional', ref: 'optional', subtype: 'optional' },
    report,
  );
  return kind.read(element, name?.value, reading);
}

/** What a slot implies: the task in `<director>` is a director without saying so. */
function withSubtype(element: Element, subtype: string): Element {
  const type = element.attributes.get('type')?.value ?? 'atomic';
  if (type !== 'atomic' || element.attributes.has('subtype')) return element;
  const attributes = new Map(element.attributes).set('subtype', { value: subtype, at: element.at });
  return { ...element, attributes };
}
