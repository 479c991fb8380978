// Reads a `<task>` by its type: the table of all types, and what `ref` takes from the library.
import { didYouMean, nearest } from '@echelon/ground';
import type { Task } from './ast.ts';
import { blankTask } from './blank.ts';
import { atomic, script } from './elements/atomic.ts';
import { call, cond, sequential, letKind, map, reduce, directorEvaluator } from './elements/composite.ts';
import type { Kind } from './elements/common.ts';
import { functionKind } from './elements/function.ts';
import type { Library, Template } from './library.ts';
import { isSetting } from './names.ts';
import { isSame, type Report } from './problem.ts';
import { type Reading, tagOf, takeAttributes } from './element-schema.ts';
import type { Attribute, Element } from './element.ts';

/** Names that begin with a digit can be given to a task, but not read in a text. */
const taskName = /^\w[\w-]*(?:\.[\w-]+)*$/;

/** Tasks that one program may come to: templates that take templates make any number of a few lines. */
const MOST_TASKS = 10_000;

/** Every type of the language. */
const types: Readonly<Record<string, Kind>> = {
  atomic,
  sequential,
  map,
  reduce,
  script,
  'director-evaluator': directorEvaluator,
  function: functionKind,
  call,
  cond,
  let: letKind,
};

const attributes = { type: 'optional', name: 'optional', ref: 'optional', subtype: 'optional' } as const;

/** A task as it was read, with what is known of the tasks in it. */
export interface ReadTask {
  task: Task;
  /** Tasks that could not be read as they stand, and have been reported: their results may have any fields. */
  broken: ReadonlySet<Task>;
  /** Of a task that `ref` took from the library: the files that it was taken from, but for that of the `ref`. */
  files: ReadonlyMap<Task, readonly string[]>;
}

/** Reads the task of `element` with all that is in it. */
export function readTask(element: Element, report: Report, library: Library): ReadTask {
  const broken = new Set<Task>();
  const files = new Map<Task, string[]>();
  const task = read(element, readingOf({ report, broken, library, files, taken: [], count: { tasks: 0 } }));
  return { task, broken, files };
}

/** Of one place in a program. */
interface Inside extends Reading {
  files: Map<Task, string[]>;
  /** The templates that are being read around it; one of them again would never end. */
  taken: readonly Template[];
  /** Counts over the whole program. */
  count: { tasks: number };
}

function readingOf(of: Omit<Inside, 'task'>): Inside {
  const reading: Inside = {
    ...of,
    task: (inner: Element, subtype?: string) =>
      read(subtype === undefined ? inner : withSubtype(inner, subtype), reading),
  };
  return reading;
}

function read(element: Element, reading: Inside): Task {
  const { report, count } = reading;
  const type = element.attributes.get('type')?.value;
  // The subtypes of an atomic task may be written as its type.
  if (type !== undefined && !Object.hasOwn(types, type) && Object.hasOwn(reading.library.subtypes, type)) {
    const subtype = element.attributes.get('type')!;
    return read(withAttributes(element, { type: { ...subtype, value: 'atomic' }, subtype }), reading);
  }
  const ref = element.attributes.get('ref');
  if (ref && type !== 'call') return readRef(element, ref.value, reading);
  count.tasks += 1;
  if (count.tasks > MOST_TASKS) {
    if (count.tasks === MOST_TASKS + 1)
      report(element.at, `the program has more than ${MOST_TASKS} tasks, those that ref takes included`);
    return failed(element, reading);
  }
  const name = element.attributes.get('name');
  const kind = Object.hasOwn(types, type ?? 'atomic') ? types[type ?? 'atomic'] : undefined;
  if (!kind) {
    const at = element.attributes.get('type')?.at ?? element.at;
    report(at, `unknown task type "${type}"${didYouMean(type ?? '', Object.keys(types))}`);
    const [meant] = nearest(type ?? '', Object.keys(types));
    return meant === undefined
      ? inputsOf(element, reading)
      : guessed(withAttribute(element, 'type', meant), reading);
  }
  if (name && name.value !== '' && !taskName.test(name.value))
    report(
      name.at,
      `"${name.value}" cannot be a name: it has letters, digits, _, - and ., and begins with a letter or digit`,
    );
  if (name && isSetting(name.value))
    report(name.at, `"${name.value}" is the name of a setting of the run; choose another`);
  const subtype = element.attributes.get('subtype');
  if (subtype && (type ?? 'atomic') !== 'atomic')
    report(subtype.at, `${tagOf(element)} has no subtype: only an atomic task has`);
  takeAttributes(element, attributes, report);
  return kind(element, name?.value, reading);
}

/** The registered task with what is given here in the place of its own parts. */
function readRef(element: Element, name: string, reading: Inside): Task {
  const { report, library, broken, files } = reading;
  const at = element.attributes.get('ref')!.at;
  const template = library.find(name);
  if (!template) {
    const names = library.templates().map(each => each.name);
    report(at, `unknown ref "${name}": no task is registered under that name${didYouMean(name, names)}`);
    const [meant] = nearest(name, names);
    const isTask = meant !== undefined && library.find(meant)?.type !== 'function';
    return isTask ? guessed(withAttribute(element, 'ref', meant), reading) : inputsOf(element, reading);
  }
  if (reading.taken.includes(template)) {
    report(at, `ref "${name}" takes a task that takes this one: it would never end`);
    return failed(element, reading);
  }
  const type = element.attributes.get('type');
  if (type && type.value !== template.type)
    report(type.at, `"${name}" is of type ${template.type}, which cannot be overridden`);
  if (template.type === 'function') {
    report(at, `"${name}" is a function: call it with <task type="call" ref="${name}">`);
    return inputsOf(element, reading);
  }
  const merged = merge(template.element, element);
  const task = read(merged, readingOf({ ...reading, taken: [...reading.taken, template] }));
  // Within one file, overriding parts cannot be told from those of the template.
  if (template.file !== at.file) files.set(task, [...(files.get(task) ?? []), template.file]);
  if (broken.has(task)) return task;
  return Object.assign(task, { template: { name: template.name, digest: template.digest } });
}

/** Attributes and children of `over` replace those of `base` of the same name; inputs are replaced one by one. */
function merge(base: Element, over: Element): Element {
  const attributes = new Map(base.attributes);
  for (const [name, attribute] of over.attributes)
    if (name !== 'ref' && name !== 'type') attributes.set(name, attribute);
  return { ...base, at: over.at, attributes, children: mergeChildren(base, over) };
}

function mergeChildren(base: Element, over: Element): Element['children'] {
  const given = new Set(over.children.map(child => (child.kind === 'element' ? child.name : '')));
  const kept = base.children.filter(
    child => child.kind === 'text' || child.name === 'inputs' || !given.has(child.name),
  );
  const inputs = kept.find(child => child.kind === 'element' && child.name === 'inputs');
  const overInputs = over.children.find(child => child.kind === 'element' && child.name === 'inputs');
  if (inputs?.kind !== 'element' || overInputs?.kind !== 'element') return [...kept, ...over.children];
  const nameOf = (child: Element['children'][number]) =>
    child.kind === 'element' ? child.attributes.get('name')?.value : undefined;
  const names = new Set(overInputs.children.map(nameOf));
  const both: Element = {
    ...overInputs,
    children: [
      ...inputs.children.filter(child => child.kind === 'text' || !names.has(nameOf(child))),
      ...overInputs.children,
    ],
  };
  return [
    ...kept.map(child => (child === inputs ? both : child)),
    ...over.children.filter(child => child !== overInputs),
  ];
}

/**
 * A task read as what was probably meant, so that what is in it is checked. What it lacks itself, or has too much, is
 * not reported: it may be something else.
 */
function guessed(element: Element, reading: Inside): Task {
  const { at } = element;
  const report: Report = (place, message, kind) => {
    if (!isSame(place, at)) reading.report(place, message, kind);
  };
  const task = read(element, readingOf({ ...reading, report }));
  reading.broken.add(task);
  return task;
}

/** Placeholder for a task that cannot be understood. Its inputs are still read, since any task may have some. */
function inputsOf(element: Element, reading: Inside): Task {
  const children = element.children.filter(child => child.kind === 'element' && child.name === 'inputs');
  const given = element.attributes.get('name');
  const attributes = new Map(given && [['name', given] as const]);
  return guessed({ ...element, attributes, children }, reading);
}

const withAttributes = (element: Element, attributes: Readonly<Record<string, Attribute>>): Element => ({
  ...element,
  attributes: new Map([...element.attributes, ...Object.entries(attributes)]),
});

function withAttribute(element: Element, name: string, value: string): Element {
  const at = element.attributes.get(name)?.at ?? element.at;
  return { ...element, attributes: new Map(element.attributes).set(name, { value, at }) };
}

function failed(element: Element, { broken }: Reading): Task {
  const task = { ...blankTask(element.at), name: element.attributes.get('name')?.value };
  broken.add(task);
  return task;
}

/** Adds the subtype that a slot implies: the task in `<director>` is a director without saying so. */
function withSubtype(element: Element, subtype: string): Element {
  const type = element.attributes.get('type')?.value ?? 'atomic';
  if (type !== 'atomic' || element.attributes.has('subtype')) return element;
  return withAttribute(element, 'subtype', subtype);
}
