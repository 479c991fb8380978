// A value as a program writes it: `from="name"`, text with substitution, or a task that is evaluated first.
import type { Value } from '../ast.ts';
import type { Position } from '../problem.ts';
import { textOf } from '../scalars.ts';
import {
  nestedTask,
  optional,
  type Part,
  type Reading,
  takeAttributes,
  takeChildren,
} from '../element-schema.ts';
import { readable } from '../text.ts';
import { type Element, isBlank } from '../element.ts';

const taskSlot = { task: optional(nestedTask) };

/** The value of `element`, whose attribute `from` was taken; undefined: it has none. */
export function readValue(element: Element, from: string | undefined, reading: Reading): Value | undefined {
  const { children } = element;
  const empty = children.every(child => child.kind === 'text' && isBlank(child.text));
  if (from !== undefined) {
    const at = element.attributes.get('from')?.at ?? element.at;
    if (!empty)
      reading.report(
        element.at,
        `<${element.name}> has both the attribute from and content: one of them is enough`,
      );
    if (!readable.test(from)) reading.report(at, `from is a name, name.field or name[0], not "${from}"`);
    return { kind: 'binding', from: { name: from, at } };
  }
  if (empty) return undefined;
  if (!children.some(child => child.kind === 'element' && child.name === 'task'))
    return { kind: 'text', text: textOf(element, reading.report) };
  const { task: read } = takeChildren(element, taskSlot, reading);
  return read && { kind: 'task', task: read };
}

export function emptyText(at: Position): Value {
  return { kind: 'text', text: { parts: [], at } };
}

/** An element that holds one value, such as `<over>`; an empty `<initial_value>` is the empty text. */
export const valueElement: Part<Value> = {
  read: (element, reading) => {
    const { from } = takeAttributes(element, { from: 'optional' }, reading.report);
    const found = readValue(element, from, reading);
    if (!found && element.name !== 'initial_value')
      reading.report(element.at, `<${element.name}> is empty: write from="..." or content`);
    return found ?? emptyText(element.at);
  },
  blank: emptyText,
};
