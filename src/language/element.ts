// The elements and texts of a program's source, each with its place in it.
import type { Position } from './problem.ts';

export interface Text {
  readonly kind: 'text';
  readonly text: string;
  readonly at: Position;
  /** Where the nth `{{` of the text stands. */
  readonly braces: readonly Position[];
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

/** Its parts may be made when they are asked for: name each that is to be in a copy, spreading would lose it. */
export interface Element {
  readonly kind: 'element';
  readonly name: string;
  readonly at: Position;
  readonly attributes: Attributes;
  /** Without the white space between elements: it is left where there is other text beside it, or nothing else. */
  readonly children: readonly (Element | Text)[];
}

const blank = /^[ \t\n]*$/;

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
