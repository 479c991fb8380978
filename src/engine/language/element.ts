// The elements and texts of a program's source, each with its place in it.
import type { Position } from './problem.ts';

export interface Text {
  readonly kind: 'text';
  readonly text: string;
  /** Of its first character that is no white space; where it has no other, of its begin. */
  readonly at: Position;
  /** Positions of the characters of `text` at these indexes, which must ascend. */
  places: (indexes: readonly number[]) => Position[];
}

export interface Attribute {
  readonly value: string;
  readonly at: Position;
}

export interface Element {
  readonly kind: 'element';
  readonly name: string;
  readonly at: Position;
  /** By name, in the order of the tag. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Without the white space between elements: it is left where there is other text beside it, or nothing else. */
  readonly children: readonly (Element | Text)[];
  /**
   * The words of the comments that stand right before it, and before its end, of the root also behind it, without their
   * layout; absent: there are none.
   */
  readonly comments?: { readonly before: readonly string[]; readonly atEnd: readonly string[] };
}

const blank = /^[ \t\n]*$/;

/** True if it contains only XML white space. Other white space is text. */
export const isBlank = (text: string): boolean => blank.test(text);
