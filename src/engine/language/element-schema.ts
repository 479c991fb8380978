// Describes an element's attributes and children as a table, from which it is read and checked at once.
import { didYouMean, nearest } from '@echelon/ground';
import type { Task } from './ast.ts';
import type { Library } from './library.ts';
import type { Position, Report } from './problem.ts';
import { type Element, isBlank } from './element.ts';

export interface Reading {
  report: Report;
  /** Templates that `ref` and `call` can name, and the subtypes. */
  library: Library;
  /** Reads a nested `<task>`. `subtype` is what it is when it does not say. */
  task: (element: Element, subtype?: string) => Task;
  /** Tasks that could not be read and have been reported: what follows from that is not reported again. */
  broken: Set<Task>;
}

export interface Reader<T> {
  /** Always gives a value: what is wrong with the element is reported. */
  read: (element: Element, reading: Reading) => T;
}

/** Also makes a substitute for a missing element, so that the rest can still be checked. */
export interface Part<T> extends Reader<T> {
  blank: (at: Position) => T;
}

/** Number of times that a part may occur in its owner. */
export interface Slot<T> {
  /** True if it may occur more than once. */
  repeats?: boolean;
  take: (found: Element[], owner: Element, name: string, reading: Reading) => T;
}

export type Slots = Record<string, Slot<unknown>>;
export type Taken<S extends Slots> = { [K in keyof S]: S[K] extends Slot<infer T> ? T : never };

/** A task, where it may be of any kind. */
export const nestedTask: Reader<Task> = { read: (element, reading) => reading.task(element) };

/** At most once; undefined where it is missing. */
export function optional<T>(part: Reader<T>): Slot<T | undefined> {
  return {
    take: (found, _owner, name, reading) => {
      const first = found[0];
      const second = found[1];
      if (second) {
        reading.report(second.at, `a second <${name}>: one is allowed`);
        // For what is wrong in it.
        part.read(second, reading);
      }
      return first && part.read(first, reading);
    },
  };
}

/** Exactly once; where it is missing that is reported, and a blank one taken. */
export function required<T>(part: Part<T>): Slot<T> {
  return {
    take: (found, owner, name, reading) => {
      const value = optional(part).take(found, owner, name, reading);
      if (value !== undefined) return value;
      if (found.length === 0)
        reading.report(owner.at, `${tagOf(owner)} needs <${name}>${needed[name] ?? ''}`);
      return part.blank(owner.at);
    },
  };
}

/** Any number of times, in the order of the document. */
export function many<T>(part: Reader<T>): Slot<T[]> {
  return {
    repeats: true,
    take: (found, _owner, _name, reading) => found.map(element => part.read(element, reading)),
  };
}

/** Reads the children of `element`; reports those that have no slot, and text between them. */
export function takeChildren<S extends Slots>(element: Element, slots: S, reading: Reading): Taken<S> {
  const found = byName(element, slots, reading.report);
  const taken: Record<string, unknown> = {};
  for (const name in slots) taken[name] = slots[name]!.take(found.get(name) ?? none, element, name, reading);
  return taken as Taken<S>;
}

const none: never[] = [];

/**
 * The children of `element` by their name; others, and text between them, are reported. One with a name that is nearly
 * known is read as what was meant, where that is not there itself.
 */
function byName(element: Element, slots: Slots, report: Report): Map<string, Element[]> {
  const found = new Map<string, Element[]>();
  const add = (name: string, child: Element) => {
    const others = found.get(name);
    if (others) others.push(child);
    else found.set(name, [child]);
  };
  const misspelt: { child: Element; meant: string }[] = [];
  for (const child of element.children) {
    if (child.kind === 'text') {
      if (!isBlank(child.text)) report(child.at, `text is not allowed directly in ${tagOf(element)}`);
    } else if (Object.hasOwn(slots, child.name)) add(child.name, child);
    else {
      const [meant] = nearest(child.name, Object.keys(slots));
      const said = Object.hasOwn(remedies, child.name) ? `: ${remedies[child.name]}` : '';
      const near = meant === undefined ? said : `; did you mean "${meant}"?`;
      report(child.at, `<${child.name}> is not allowed in ${tagOf(element)}${near}`);
      if (meant !== undefined) misspelt.push({ child, meant });
    }
  }
  for (const { child, meant } of misspelt) if (!found.has(meant) || slots[meant]!.repeats) add(meant, child);
  return found;
}

/** The text that a missing element has to hold. */
const needed: Readonly<Record<string, string>> = {
  command: ': the line that /bin/sh runs, such as npm test; the inputs are its environment variables',
};

const asInput = 'pass it as an <input> in <inputs>';

/** Remedies for elements that tasks have in the language's design and in other languages, but not here. */
const remedies: Readonly<Record<string, string>> = {
  parameters: 'write it in <description> or <instructions>; only a function has parameters',
  task_instructions: 'write <instructions>',
  prompt: 'write <instructions>',
  validation_rules: 'write them in <criteria>',
  source_var: 'write <input name="..." from="..."/> in <inputs>',
  query: asInput,
  constraints: asInput,
  failed_task: asInput,
};

/** Attribute name -> `required`, `optional`, or the values it may have (then it is optional). */
export type Attributes = Record<string, 'required' | 'optional' | readonly string[]>;

/** The attributes of `element`, those that are known and have an allowed value. */
export function takeAttributes<A extends Attributes>(
  element: Element,
  rules: A,
  report: Report,
): Partial<Record<keyof A, string>> {
  const { attributes } = element;
  const values: Partial<Record<keyof A, string>> = {};
  let known = 0;
  for (const name in rules) if (attributes.has(name)) known++;
  if (known < attributes.size)
    for (const [name, { at }] of attributes)
      if (!Object.hasOwn(rules, name))
        report(at, `${tagOf(element)} has no attribute ${name}${didYouMean(name, Object.keys(rules))}`);
  for (const name in rules) {
    const rule = rules[name]!;
    const attribute = attributes.get(name);
    if (!attribute) {
      if (rule === 'required') report(element.at, `${tagOf(element)} needs the attribute ${name}`);
    } else if (typeof rule === 'object' && !rule.includes(attribute.value)) {
      report(
        attribute.at,
        `${name} is ${oneOf(rule)}, not "${attribute.value}"${didYouMean(attribute.value, rule)}`,
      );
    } else if (attribute.value === '') {
      report(attribute.at, `the attribute ${name} is empty`);
    } else values[name] = attribute.value;
  }
  return values;
}

/** `<inputs>`; a task with its type: `<task type="script">`. */
export function tagOf(element: Element): string {
  const type = element.name === 'task' ? (element.attributes.get('type')?.value ?? 'atomic') : undefined;
  return type === undefined ? `<${element.name}>` : `<task type="${type}">`;
}

/** `one of "a", "b"`, for messages. */
export function oneOf(values: readonly string[]): string {
  return values.length === 1 ? `"${values[0]}"` : `one of ${values.map(value => `"${value}"`).join(', ')}`;
}

/** An element that holds other elements only. */
export function elementOf<S extends Slots>(slots: S): Reader<Taken<S>> {
  return {
    read: (element, reading) => {
      takeAttributes(element, {}, reading.report);
      return takeChildren(element, slots, reading);
    },
  };
}
