// End of a program in the sandbox: its value, or its error with the position in the author's code.

export interface ProgramError extends CodePosition {
  name: string;
  message: string;
  /** The thrown error's own `code`, where it has one. */
  code?: string;
  /** The language's own class that it is of, where that has another name. */
  base?: string;
  /** The time passed while the code waited for a timer or a tool, not while it computed. */
  waited?: true;
}

export type ValueKind = 'json' | 'cut' | 'undefined' | 'function' | 'symbol' | 'bigint';

export interface Completed {
  status: 'completed';
  /** JSON (kind `json`), the beginning of a JSON text (`cut`), or `undefined`, `[function name]` and the like. */
  value: string;
  valueKind: ValueKind;
  /** Events too late for the result, in words, a line each: rejections that nobody awaited, timers. */
  late?: string;
}

/** End of a program. */
export type ProgramEnd = Completed | { status: 'failed' | 'timeout'; error: ProgramError };

/** `prefix`: what stood in front of `program` where it failed. */
export function failure(
  program: string,
  name: string,
  message: string,
  { trace = '', prefix = programPrefix, code = '', base = name } = {},
): ProgramEnd {
  return {
    status: 'failed',
    error: {
      ...{ name, message },
      ...(code && { code }),
      ...(base && base !== name && { base }),
      ...placeIn(trace, program, prefix),
    },
  };
}

/** Meaning of an interpreter exception that no `catch` of the guest could stop: out of memory or of time. */
export function escaped(program: string, thrown: unknown, prefix = programPrefix): ProgramEnd {
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError)
    return failure(program, 'InternalError', `the interpreter gave up: ${message}`, { prefix });
  const trace = String(stack ?? '');
  return failure(program, String(name).slice(0, 100), String(message).slice(0, 4000), { trace, prefix });
}

const namedKinds: readonly string[] = ['undefined', 'function', 'symbol', 'bigint'] satisfies ValueKind[];
const isNamedKind = (kind: string): kind is ValueKind => namedKinds.includes(kind);

/** The guest's word for what it returned, except where it says JSON: then it has to be. */
export function valueKind(kind: string, text: string, chars: number): ValueKind {
  if (isNamedKind(kind)) return kind;
  if (chars > text.length) return 'cut';
  JSON.parse(text);
  return 'json';
}

/** The file name of the author's code in the interpreter's stack traces. */
export const CODE_FILE = 'js_execute';

/** The program: its first line stands on the author's first line, so only that line's columns are moved. */
const programPrefix = '(async function(){';
export const programSource = (code: string) => `${programPrefix}${code}\n})`;
/** Source text of the program's function if the code is exactly one function body. */
export const functionSource = (code: string) => programSource(code).slice(1, -1);

/**
 * The same code as a method's body, only compiled. Code that closes the program's brace to run something beside
 * it (`}); more(`) cannot go on here in the same way, so it does not compile.
 */
export const methodPrefix = '({async m(){';
export const methodSource = (code: string) => `${methodPrefix}${code}\n}})`;

interface CodePosition {
  /** From 1, in the author's code. */
  line?: number;
  column?: number;
  /** The frames that lie in the author's code, innermost first. */
  stack?: string;
}

const FRAMES = 10;

/** Reads the interpreter's stack trace; `prefix` is what stood before the first line. The trace may be a lie. */
function placeIn(trace: string, code: string, prefix: string): CodePosition {
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
