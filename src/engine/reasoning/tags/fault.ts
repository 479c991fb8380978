// What is wrong with a tag, and where.
import { didYouMean } from '../../../lib/nearest.ts';

/** Line and column count from 1; a column and an offset count UTF-16 units. Lines end with LF, CRLF or CR. */
export interface TagProblem {
  message: string;
  offset: number;
  line: number;
  column: number;
}

/** A problem before its line is known. */
export interface Fault {
  message: string;
  offset: number;
  /** A name that is not known, and those that are: the nearest one is added to the message. */
  unknown?: { name: string; known: Iterable<string> };
}

/** After so many unknown names no nearest one is looked for: that costs more than all the rest of scanning. */
const SUGGESTIONS = 100;

/** The faults with their places in `text`; they come in the order of their offsets. One pass over the text. */
export function placed(text: string, faults: readonly Fault[]): TagProblem[] {
  let line = 1;
  let start = 0;
  let at = 0;
  let suggestions = 0;
  return faults.map(({ message, offset, unknown }) => {
    for (; at < offset; at++) {
      const code = text.charCodeAt(at);
      if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) {
        line++;
        start = at + 1;
      }
    }
    const hint = unknown && suggestions++ < SUGGESTIONS ? didYouMean(unknown.name, unknown.known) : '';
    return { message: message + hint, offset, line, column: offset - start + 1 };
  });
}

const LF = 10;
const CR = 13;
