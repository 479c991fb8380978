// How an element is described: its attributes and children as a table, from which it is read and checked at once.
// A part always gives a value, a blank one after a problem, so that everything else is still checked.
import type { ContextManagement, Task } from './ast.ts';
import { didYouMean } from '../lib/nearest.ts';
import { emptyLibrary, type Library } from './library.ts';
import type { Position, Report } from './problem.ts';
import { dedent, type Template, template } from './text.ts';
import type { Element, Text } from './tree.ts';

export interface Reading {
  report: Report;
  /** What `ref` and `call` can name, and the subtypes there are. */
  library: Library;
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
    take: (found, _owner, name, reading) => {
      const first = found[0];
      const second = found[1];
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

/** Slots made ready for reading: once for each kind of element, not for each element. */
export interface Children<S extends Slots> {
  readonly rows: readonly { name: keyof S & string; slot: Slot<unknown> }[];
  /** Name -> index in `rows`. */
  readonly places: ReadonlyMap<string, number>;
  /** What is taken of an element that has none of them. */
  readonly absent: Readonly<Record<string, undefined>>;
}

/** They are read in the order of `slots`. */
export function childrenOf<S extends Slots>(slots: S): Children<S> {
  const names = Object.keys(slots);
  return {
    rows: names.map(name => ({ name, slot: slots[name]! })),
    places: new Map(names.map((name, place) => [name, place])),
    absent: Object.fromEntries(names.map(name => [name, undefined])),
  };
}

/** Of an element that has no children. */
export const noChildren = childrenOf({});

/** Reads the children of `element`; reports those that have no slot, and text between them. */
export function takeChildren<S extends Slots>(
  element: Element,
  { rows, places, absent }: Children<S>,
  reading: Reading,
): Taken<S> {
  const found = element.children.length > 0 ? byPlace(element, places, reading) : none;
  const taken: Record<string, unknown> = { ...absent };
  for (let place = 0; place < rows.length; place++) {
    const { name, slot } = rows[place]!;
    const value = slot.take(found[place] ?? none, element, name, reading);
    if (value !== undefined) taken[name] = value;
  }
  return taken as Taken<S>;
}

const none: never[] = [];

/** The children of `element` by the place of their name; others, and text between them, are reported. */
function byPlace(
  element: Element,
  places: ReadonlyMap<string, number>,
  { report }: Reading,
): (Element[] | undefined)[] {
  const found = new Array<Element[] | undefined>(places.size).fill(undefined);
  for (const child of element.children) {
    if (child.kind === 'text') {
      if (child.text.trim() !== '') report(child.at, `text is not allowed directly in ${title(element)}`);
      continue;
    }
    const place = places.get(child.name);
    if (place === undefined)
      report(
        child.at,
        `<${child.name}> is not allowed in ${title(element)}${didYouMean(child.name, places.keys())}`,
      );
    else if (found[place]) found[place].push(child);
    else found[place] = [child];
  }
  return found;
}

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
        report(at, `${title(element)} has no attribute ${name}${didYouMean(name, Object.keys(rules))}`);
  for (const name in rules) {
    const rule = rules[name]!;
    const attribute = attributes.get(name);
    if (!attribute) {
      if (rule === 'required') report(element.at, `${title(element)} needs the attribute ${name}`);
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
  let first: Text | undefined;
  for (const child of element.children) {
    if (child.kind === 'element')
      report(
        child.at,
        `<${child.name}> inside the text of <${element.name}>: write &lt;, or wrap the text in <![CDATA[ ]]>`,
      );
    else {
      first ??= child;
      whole += child.text;
    }
  }
  return template(dedent(whole), (first ?? element).at, whole.includes('{{') ? bracesIn(element) : []);
}

function bracesIn({ children }: Element): readonly Position[] {
  const [only] = children;
  if (children.length === 1 && only?.kind === 'text') return only.braces;
  const found: Position[] = [];
  for (const child of children)
    if (child.kind === 'text') for (const brace of child.braces) found.push(brace);
  return found;
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

export function choice<const T extends string>(...values: T[]): Part<T> {
  return value(values[0]!, text => values.find(each => each === text) ?? { expected: oneOf(values) });
}

/** An element that holds other elements only. */
export function body<S extends Slots>(slots: S): Part<Taken<S>> {
  const children = childrenOf(slots);
  const read = (element: Element, reading: Reading) => {
    takeAttributes(element, {}, reading.report);
    return takeChildren(element, children, reading);
  };
  return {
    read,
    blank: at =>
      takeChildren({ kind: 'element', name: '', at, attributes: new Map(), children: [] }, children, {
        report: () => {},
        library: emptyLibrary,
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
  const inner: Slot<Task> = {
    take: (found, owner, name, reading) => {
      const part: Part<Task> = {
        read: child => reading.task(child, subtype),
        blank: at => {
          const task = blankTask(at);
          reading.broken.add(task);
          return task;
        },
      };
      return required(part).take(found, owner, name, reading);
    },
  };
  const children = childrenOf({ task: inner });
  return {
    read: (element, reading) => {
      takeAttributes(element, {}, reading.report);
      const { task } = takeChildren(element, children, reading);
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
    template: undefined,
    inputs: [],
    context: plainContext,
    disableReparsing: false,
    subtype: 'standard',
    system: undefined,
    instructions: undefined,
    expectedOutput: undefined,
    criteria: undefined,
    model: undefined,
    temperature: undefined,
    limits: { turns: undefined, contextTokens: undefined, outputTokens: undefined, timeMs: undefined },
    outputs: [],
    tools: [],
    outputSlot: undefined,
    inputSource: undefined,
  };
}

/** The context settings of a task that has none. */
export const plainContext: ContextManagement = {
  inherit: undefined,
  accumulate: false,
  format: 'full_output',
  clear: false,
  rebuild: false,
};
