// What tasks of every type have: name, description, inputs.
import type { CommonParts, Input, Output, Task } from '../ast.ts';
import { settingNames } from '../names.ts';
import {
  boolean,
  childrenByName,
  choice,
  many,
  notYet,
  optional,
  type Part,
  type Reading,
  type Slots,
  type Taken,
  take,
  takeAttributes,
  takeChildren,
  text,
  textOf,
  value,
} from '../shape.ts';
import { bindable } from '../text.ts';
import type { Element } from '../tree.ts';

const input: Part<Input> = {
  read: (element, reading) => {
    const rules = { name: 'required', from: 'optional', stdin: ['true', 'false'] } as const;
    const { name = '', from, stdin } = takeAttributes(element, rules, reading.report);
    const at = element.at;
    const nameAt = element.attributes.get('name')?.at ?? at;
    if (name !== '' && !bindable.test(name))
      reading.report(
        nameAt,
        `"${name}" cannot be bound: a name has letters, digits, _ and -, and begins with a letter`,
      );
    if ((settingNames as readonly string[]).includes(name))
      reading.report(nameAt, `"${name}" is the name of a setting of the run; choose another`);
    return { name, at, value: inputValue(element, from, reading), stdin: stdin === 'true' };
  },
  blank: at => ({ name: '', at, value: { kind: 'parameter' }, stdin: false }),
};

function inputValue(element: Element, from: string | undefined, reading: Reading): Input['value'] {
  const tasks = element.children.filter(child => child.kind === 'element' && child.name === 'task');
  const [task] = tasks;
  const empty = element.children.every(child => child.kind === 'text' && child.text.trim() === '');
  if (from !== undefined) {
    const at = element.attributes.get('from')?.at ?? element.at;
    if (!empty)
      reading.report(element.at, '<input> has both the attribute from and content: one of them is enough');
    if (!bindable.test(from)) reading.report(at, `from is a name or name.field, not "${from}"`);
    return { kind: 'binding', from: { name: from, at } };
  }
  if (empty) return { kind: 'parameter' };
  if (task?.kind !== 'element') return { kind: 'text', text: textOf(element, reading.report) };
  const { task: read } = takeChildren(
    element,
    { task: optional({ read: child => reading.task(child), blank: at => reading.task({ ...element, at }) }) },
    reading,
  );
  return read ? { kind: 'task', task: read } : { kind: 'parameter' };
}

/** `<inputs>`: names are unique in it. */
const inputs: Part<Input[]> = {
  read: (element, reading) => {
    takeAttributes(element, {}, reading.report);
    const { input: found } = takeChildren(element, { input: many(input) }, reading);
    reportDuplicates(found, 'input', reading);
    return found;
  },
  blank: () => [],
};

export function reportDuplicates(
  named: { name: string | undefined; at: Input['at'] }[],
  what: string,
  { report }: Reading,
): void {
  const seen = new Map<string, number>();
  for (const { name, at } of named) {
    if (name === undefined || name === '') continue;
    const line = seen.get(name);
    if (line !== undefined) report(at, `a second ${what} "${name}"; the first is on line ${line}`);
    else seen.set(name, at.line);
  }
}

/** An output as it stands in the program; its place is needed for duplicates only. */
export const output: Part<Output & { at: Input['at'] }> = {
  read: (element, reading) => {
    const rules = {
      name: 'required',
      type: ['string', 'number', 'boolean', 'json'],
      nullable: ['true', 'false'],
      schema: 'optional',
    } as const;
    const { name = '', type, nullable, schema } = takeAttributes(element, rules, reading.report);
    takeChildren(element, {}, reading);
    if (!element.attributes.has('type')) reading.report(element.at, '<output> needs the attribute type');
    if (schema !== undefined)
      reading.report(element.attributes.get('schema')!.at, 'schema is not available yet');
    if (name !== '' && !/^[A-Za-z_][\w-]*$/.test(name))
      reading.report(
        element.at,
        `"${name}" cannot name an output: it has letters, digits, _ and -, and begins with a letter`,
      );
    return {
      name,
      type: type === 'number' || type === 'boolean' || type === 'json' ? type : 'string',
      nullable: nullable === 'true',
      at: element.at,
    };
  },
  blank: at => ({ name: '', type: 'string', nullable: false, at }),
};

/** A setting of the language of which only one value can be carried out so far. */
function onlyYet<T>(part: Part<T>, available: T): Part<T> {
  return {
    read: (element, reading) => {
      let good = true;
      const report: Reading['report'] = (...problem) => {
        good = false;
        reading.report(...problem);
      };
      const found = part.read(element, { ...reading, report });
      if (good && found !== available)
        reading.report(
          element.at,
          `<${element.name}> can only be ${available} so far; ${found} is not available yet`,
        );
      return available;
    },
    blank: () => available,
  };
}

const contextManagement: Part<undefined> = {
  read: (element, reading) => {
    takeAttributes(element, {}, reading.report);
    const slots = {
      inherit_context: optional(onlyYet(choice('none', 'subset', 'full'), 'none')),
      accumulate_data: optional(onlyYet(boolean, false)),
      accumulation_format: optional(choice('notes_only', 'full_output')),
      clear_memory: optional(boolean),
      rebuild_memory: optional(onlyYet(boolean, false)),
    };
    takeChildren(element, slots, reading);
    return undefined;
  },
  blank: () => undefined,
};

/**
 * The parts of every task. Nothing inherits context, restructures a program or continues on more than the last
 * evaluation so far, so the elements that ask for just that need no trace in the tree.
 */
export const commonSlots = {
  description: optional(text),
  inputs: optional(inputs),
  context_management: optional(contextManagement),
  disable_reparsing: optional(boolean),
  manual_xml: optional(boolean),
  continuation_policy: optional(choice('latest-only')),
  output_slot: notYet,
  input_source: notYet,
};

/** A name without substitution, such as a model's. */
export const plainName: Part<string> = value('', words =>
  /^[^\s{}]{1,200}$/.test(words) ? words : { expected: 'a name without white space' },
);

/** One kind of task. */
export interface Kind {
  read: (element: Element, name: string | undefined, reading: Reading) => Task;
}

/** A kind of task by the children its element may have besides the common ones, and what is made of them. */
export function kind<S extends Slots>(
  slots: S,
  build: (parts: Taken<S>, common: CommonParts, element: Element, reading: Reading) => Task,
): Kind {
  const names = [...Object.keys(slots), ...Object.keys(commonSlots)];
  return {
    read: (element, name, reading) => {
      const found = childrenByName(element, names, reading);
      const { description, inputs: given } = take(element, found, commonSlots, reading);
      const common = { at: element.at, name, description, inputs: given ?? [] };
      return build(take(element, found, slots, reading), common, element, reading);
    },
  };
}
