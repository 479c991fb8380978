// The author's code as the interpreter gets it, and where in it an error arose.

/** The file name of the author's code in the interpreter's stack traces. */
export const CODE_FILE = 'js_execute';

/** The program: its first line stands on the author's first line, so only that line's columns are moved. */
export const programPrefix = '(async function(){';
export const programSource = (code: string) => `${programPrefix}${code}\n})`;
/** What the program's function says its source is when the code is one function body, nothing less and nothing more. */
export const functionSource = (code: string) => programSource(code).slice(1, -1);

/**
 * The same code as a method's body, only compiled. Code that closes the program's brace to run something beside
 * it (`}); more(`) cannot go on here in the same way, so it does not compile.
 */
export const methodPrefix = '({async m(){';
export const methodSource = (code: string) => `${methodPrefix}${code}\n}})`;

export interface CodePosition {
  /** From 1, in the author's code. */
  line?: number;
  column?: number;
  /** The frames that lie in the author's code, innermost first. */
  stack?: string;
}

const FRAMES = 10;

/** Reads the interpreter's stack trace; `prefix` is what stood before the first line. The trace may be a lie. */
export function placeIn(trace: string, code: string, prefix: string): CodePosition {
  const lines = code.split('\n');
  const frames: { line: number; column: number; text: string }[] = [];
  for (const frame of trace.split('\n')) {
    if (frames.length === FRAMES) break;
    const found = /^ {4}at (?:(.{1,100}) \()?js_execute:(\d{1,7}):(\d{1,7})\)?$/.exec(frame);
    if (!found) continue;
    let line = Number(found[2]);
    let column = Number(found[3]);
    if (line === 1) {
      // The code's very first operation has the place of the program's function.
      column = Math.max(column - prefix.length, 1);
    } else if (line > lines.length) {
      // An unclosed bracket is noticed where the wrapper closes.
      line = lines.length;
      column = lines[line - 1]!.length + 1;
    }
    const name = found[1] === undefined || found[1] === '<anonymous>' ? '' : `${found[1]} `;
    frames.push({ line, column, text: `at ${name}(line ${line}, column ${column})` });
  }
  const [inner] = frames;
  if (inner === undefined) return {};
  return { line: inner.line, column: inner.column, stack: frames.map(frame => frame.text).join('\n') };
}
