// Programs and templates as they are read: a source of either surface as a tree of elements and text, and a report of every way in
// which it is not well-formed.
import { placesIn } from '@echelon/ground';
import type { Position, Report } from './problem.ts';
import { readSExpressions } from './surface/s-expression-reader.ts';
import { surfaceOf } from './surface/surface.ts';
import type { Tree } from './surface/tree-builder.ts';
import { readXml } from './surface/xml-reader.ts';

/** Characters. A larger source is refused before it is looked at. */
export const SOURCE_LIMIT = 1_048_576;

/** The tree, as far as it can be made out; reports every way in which the source is not well-formed. */
export function readTree(source: string, file: string, report: Report): Omit<Tree, 'isCut'> {
  if (source.length > SOURCE_LIMIT) {
    const message = `the program has ${source.length} characters; at most ${SOURCE_LIMIT} are read`;
    report({ file, line: 1, column: 1 }, message);
    return { root: undefined, unfinished: [] };
  }
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const place = placesIn(text);
  const position = (offset: number): Position => ({ file, ...place(offset) });
  const malformed: Report = (at, message, kind = 'syntax') => report(at, message, kind);
  const readSurface = { xml: readXml, task: readSExpressions }[surfaceOf(text, file)];
  const { root, unfinished, isCut } = readSurface(text, position, malformed);
  if (!root && !isCut) malformed(position(0), 'the program is empty: it needs a <task> element');
  return { root, unfinished };
}
