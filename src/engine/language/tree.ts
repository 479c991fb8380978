// A program's source as a tree of elements and text.
import { cleanTree } from './clean-tree.ts';
import type { Element } from './element.ts';
import { type MendedTree, mendedTree } from './mended-tree.ts';
import { positions } from './positions.ts';
import type { Report } from './problem.ts';

export type { Attribute, Element, Text } from './element.ts';

/** Characters. A larger source is refused before it is looked at. */
export const SOURCE_LIMIT = 1_048_576;

/** As `readTree`; undefined where the source could not be read to its end. */
export function parseTree(source: string, file: string, report: Report): Element | undefined {
  const { root, unfinished } = readTree(source, file, report);
  return unfinished.length === 0 ? root : undefined;
}

/** The tree, as far as it can be made out; reports every way in which the source is not well-formed XML. */
export function readTree(source: string, file: string, report: Report): MendedTree {
  if (source.length > SOURCE_LIMIT) {
    const message = `the program has ${source.length} characters; at most ${SOURCE_LIMIT} are read`;
    report({ file, line: 1, column: 1 }, message);
    return { root: undefined, unfinished: [] };
  }
  const text = normalized(source);
  const position = positions(text, file);
  const root = cleanTree(text, position);
  return root ? { root, unfinished: [] } : mendedTree(text, position, report);
}

/** Without a byte order mark; every line ends with \n. */
export function normalized(source: string): string {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
