// The elements and texts of a program's source, each with its place in it.
import type { Position } from './problem.ts';

export interface Text {
  readonly kind: 'text';
  readonly text: string;
  /** Of its first character that is no white space; where it has no other, of its begin. */
  readonly at: Position;
  /** Where the characters of `text` with these indexes stand, which come in ascending order. */
  places: (indexes: readonly number[]) => Position[];
}

export interface Attribute {
  readonly value: string;
  readonly at: Position;
}

/** As much of a Map as is read: attributes by name, in the order of the tag. */
export interface Attributes extends Iterable<[string, Attribute]> {
  readonly size: number;
  get(name: string): Attribute | undefined;
  has(name: string): boolean;
}

/**
 * An element. `at` may be a getter of a class, so `{ ...element }` has no `at`: a copy names each member,
 * `{ kind: 'element', name, at, attributes, children }`.
 */
export interface Element {
  readonly kind: 'element';
  readonly name: string;
  readonly at: Position;
  readonly attributes: Attributes;
  /** Without the white space between elements: it is left where there is other text beside it, or nothing else. */
  readonly children: readonly (Element | Text)[];
}

const blank = /^[ \t\n]*$/;

/** Whether it has nothing but the white space of XML: other white space is text. */
export const isBlank = (text: string): boolean => blank.test(text);

const TAB = 9;
const LINE_END = 10;
const SPACE = 32;

/** The offset of the first character that is no white space of XML; 0 where there is none. */
export function beginOf(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== SPACE && code !== LINE_END && code !== TAB) return at;
  }
  return 0;
}

/**
 * Where in `raw`, as it stands in the source, the characters of `text` with these ascending indexes stand. The two
 * differ by references such as `&lt;` and `&#123;`, each of which stands for one character.
 */
export function* rawOffsets(raw: string, text: string, indexes: readonly number[]): Generator<number> {
  if (raw.length === text.length) {
    yield* indexes;
    return;
  }
  const reference = /&(?:#(\d+)|#x([\da-fA-F]+)|\w+);/g;
  let read = 0; // of `text`
  let from = 0; // of `raw`, where `read` stands
  let next = reference.exec(raw);
  for (const index of indexes) {
    while (next && read + next.index - from < index) {
      const [whole, decimal, hex] = next;
      const point = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : 0;
      const size = point > 0xffff ? 2 : 1;
      if (read + next.index - from + size > index) break;
      read += next.index - from + size;
      from = next.index + whole.length;
      next = reference.exec(raw);
    }
    yield Math.min(from + index - read, next?.index ?? raw.length);
  }
}

/** Whether elements stand between `from` and `to` with nothing but white space, which a number stands for, too. */
export function holdsElements(
  nodes: readonly (Element | Text | number)[],
  from = 0,
  to = nodes.length,
): boolean {
  let elements = 0;
  for (let index = from; index < to; index++) {
    const node = nodes[index]!;
    if (typeof node === 'number') continue;
    if (node.kind === 'element') elements++;
    else if (!blank.test(node.text)) return false;
  }
  return elements > 0;
}
