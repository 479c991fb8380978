// How an element is described: its attributes and children as a table, from which it is read and checked at once.
// A part always gives a value, a blank one after a problem, so that everything else is still checked.
import type { Task } from './ast.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Position, Report } from './problem.ts';
import { dedent, type Template, template } from './text.ts';
import type { Element } from './tree.ts';

export interface Reading {
  report: Report;
  /** Reads a nested `<task>`. `subtype` is what it is when it does not say. */
  task: (element: Element, subtype?: string) => Task;
  /** Tasks that could not be read and have been reported: what follows from that is not reported again. */
  broken: Set<Task>;
}

export interface Part<T> {
  read: (element: Element, reading: Reading) => T;
  blank: (at: Position) => T;
}

/** How often a part may stand in its owner. */
export interface Slot<T> {
  take: (found: Element[], owner: Element, name: string, reading: Reading) => T;
}

export type Slots = Record<string, Slot<unknown>>;
export type Taken<S extends Slots> = { [K in keyof S]: S[K] extends Slot<infer T> ? T : never };

export function optional<T>(part: Part<T>): Slot<T | undefined> {
  return {
    take: ([first, second], _owner, name, reading) => {
      if (second) reading.report(second.at, `a second <${name}>: one is allowed`);
      return first && part.read(first, reading);
    },
  };
}

export function required<T>(part: Part<T>): Slot<T> {
  return {
    take: (found, owner, name, reading) => {
      const value = optional(part).take(found, owner, name, reading);
      if (value !== undefined) return value;
      if (found.length === 0) reading.report(owner.at, `${title(owner)} needs <${name}>`);
      return part.blank(owner.at);
    },
  };
}

export function many<T>(part: Part<T>): Slot<T[]> {
  return { take: (found, _owner, _name, reading) => found.map(element => part.read(element, reading)) };
}

/** An element of the language that this version cannot carry out: refused, never ignored. */
export const notYet: Slot<undefined> = {
  take: (found, _owner, name, { report }) => {
    for (const element of found) report(element.at, `<${name}> is not available yet`);
    return undefined;
  },
};

/** Reads the children of `element` by `slots`; reports those that have none, and text between them. */
export function takeChildren<S extends Slots>(element: Element, slots: S, reading: Reading): Taken<S> {
  return take(element, childrenByName(element, Object.keys(slots), reading), slots, reading);
}

/** The children of `element` by name; those of other names, and text between them, are reported. */
export function childrenByName(element: Element, names: string[], reading: Reading): Map<string, Element[]> {
  const found = new Map<string, Element[]>(names.map(name => [name, []]));
  for (const child of element.children) {
    if (child.kind === 'text') {
      if (child.text.trim() !== '')
        reading.report(child.at, `text is not allowed directly in ${title(element)}`);
      continue;
    }
    const list = found.get(child.name);
    if (list) list.push(child);
    else
      reading.report(
        child.at,
        `<${child.name}> is not allowed in ${title(element)}${didYouMean(child.name, names)}`,
      );
  }
  return found;
}

export function take<S extends Slots>(
  element: Element,
  found: Map<string, Element[]>,
  slots: S,
  reading: Reading,
): Taken<S> {
  const taken: Record<string, unknown> = {};
  for (const [name, slot] of Object.entries(slots))
    taken[name] = slot.take(found.get(name) ?? [], element, name, reading);
  return taken as Taken<S>;
}

/** Attribute name -> `required`, `optional`, or the values it may have (then it is optional). */
export type Attributes = Record<string, 'required' | 'optional' | readonly string[]>;

/** The attributes of `element`, those that are known and have an allowed value. */
export function takeAttributes<A extends Attributes>(
  element: Element,
  rules: A,
  report: Report,
): Partial<Record<keyof A, string>> {
  for (const [name, { at }] of element.attributes)
    if (!Object.hasOwn(rules, name))
      report(at, `${title(element)} has no attribute ${name}${didYouMean(name, Object.keys(rules))}`);
  const values: Partial<Record<keyof A, string>> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const attribute = element.attributes.get(name);
    if (!attribute) {
      if (rule === 'required') report(element.at, `${title(element)} needs the attribute ${name}`);
    } else if (typeof rule === 'object' && !rule.includes(attribute.value)) {
      report(
        attribute.at,
        `${name} is ${oneOf(rule)}, not "${attribute.value}"${didYouMean(attribute.value, rule)}`,
      );
    } else if (attribute.value === '') {
      report(attribute.at, `the attribute ${name} is empty`);
    } else values[name as keyof A] = attribute.value;
  }
  return values;
}

/** `<inputs>`; a task with its type: `<task type="script">`. */
export function title(element: Element): string {
  const type = element.name === 'task' ? (element.attributes.get('type')?.value ?? 'atomic') : undefined;
  return type === undefined ? `<${element.name}>` : `<task type="${type}">`;
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? `"${values[0]}"` : `one of ${values.map(value => `"${value}"`).join(', ')}`;
}

/** Text with substitution. */
export const text: Part<Template> = {
  read: (element, { report }) => {
    takeAttributes(element, {}, report);
    const found = textOf(element, report);
    if (found.parts.length === 0) report(element.at, `<${element.name}> is empty`);
    return found;
  },
  blank: at => ({ parts: [], at }),
};

/** The dedented text of an element that holds text only. */
export function textOf(element: Element, report: Report): Template {
  let whole = '';
  const braces: Position[] = [];
  let at: Position | undefined;
  for (const child of element.children) {
    if (child.kind === 'element')
      report(
        child.at,
        `<${child.name}> inside the text of <${element.name}>: write &lt;, or wrap the text in <![CDATA[ ]]>`,
      );
    else {
      at ??= child.at;
      whole += child.text;
      for (const brace of child.braces) braces.push(brace);
    }
  }
  return template(dedent(whole), at ?? element.at, braces);
}

/** Text without substitution, checked by `accept`, which gives the value or says what is expected. */
export function value<T>(blank: T, accept: (text: string) => T | { expected: string }): Part<T> {
  return {
    read: (element, { report }) => {
      takeAttributes(element, {}, report);
      const found = textOf(element, report);
      const words = found.parts.map(part => (typeof part === 'string' ? part : `{{${part.name}}}`)).join('');
      const accepted = accept(words);
      if (!isRefusal(accepted)) return accepted;
      report(element.at, `<${element.name}> is ${accepted.expected}, not "${words.slice(0, 60)}"`);
      return blank;
    },
    blank: () => blank,
  };
}

function isRefusal(accepted: unknown): accepted is { expected: string } {
  return typeof accepted === 'object' && accepted !== null && 'expected' in accepted;
}

export const boolean = value(false, text =>
  text === 'true' || text === 'false' ? text === 'true' : { expected: 'exactly true or false' },
);

/** A number within the bounds, both included. */
export function number(low: number, high: number, whole = true): Part<number> {
  const kind = whole ? 'a whole number' : 'a number';
  return value(low, text =>
    /^\d+(\.\d+)?$/.test(text) && +text >= low && +text <= high && !(whole && text.includes('.'))
      ? +text
      : { expected: `${kind} from ${low} to ${high}` },
  );
}

export function choice(...values: string[]): Part<string> {
  return value(values[0]!, text => (values.includes(text) ? text : { expected: oneOf(values) }));
}

/** An element that holds other elements only. */
export function body<S extends Slots>(slots: S): Part<Taken<S>> {
  const read = (element: Element, reading: Reading) => {
    takeAttributes(element, {}, reading.report);
    return takeChildren(element, slots, reading);
  };
  return {
    read,
    blank: at =>
      takeChildren({ kind: 'element', name: '', at, attributes: new Map(), children: [] }, slots, {
        report: () => {},
        task: () => blankTask(at),
        broken: new Set(),
      }),
  };
}

/** An element that holds exactly one task of the type; `subtype` is what the task is when it does not say. */
export function slotFor<T extends Task>(
  accept: (task: Task) => T | undefined,
  expected: string,
  blank: (at: Position) => T,
  subtype?: string,
): Part<T> {
  return {
    read: (element, reading) => {
      takeAttributes(element, {}, reading.report);
      const inner: Part<Task> = {
        read: child => reading.task(child, subtype),
        blank: at => {
          const task = blankTask(at);
          reading.broken.add(task);
          return task;
        },
      };
      const { task } = takeChildren(element, { task: required(inner) }, reading);
      const accepted = reading.broken.has(task) ? undefined : accept(task);
      if (accepted) return accepted;
      if (!reading.broken.has(task)) reading.report(task.at, `<${element.name}> holds ${expected}`);
      return blank(element.at);
    },
    blank,
  };
}

/** What stands for an atomic task that could not be read. */
export function blankTask(at: Position): Task & { type: 'atomic' } {
  return {
    type: 'atomic',
    at,
    name: undefined,
    description: undefined,
    inputs: [],
    subtype: 'standard',
    system: undefined,
    instructions: undefined,
    expectedOutput: undefined,
    criteria: undefined,
    model: undefined,
    temperature: undefined,
    limits: { turns: undefined, outputTokens: undefined, timeMs: undefined },
    outputs: [],
    tools: [],
  };
}
