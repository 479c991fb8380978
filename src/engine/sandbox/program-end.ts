// How a program of the sandbox ended: its value, or what it failed by.
import { type CodePosition, placeIn, programPrefix } from './error-place.ts';

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

/** How a program ended. */
export type ProgramEnd =
  | {
      status: 'completed';
      value: string;
      valueKind: ValueKind;
      /** What came too late for the result, in words, a line each: rejections that nobody awaited, timers. */
      late?: string;
    }
  | { status: 'failed' | 'timeout'; error: ProgramError };

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

/** What an exception of the interpreter says that passed by every `catch` of the guest: out of memory, of time. */
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
