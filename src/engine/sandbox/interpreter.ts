// One QuickJS interpreter: made ahead, used for one program, thrown away.
import { type JSValueHandle, QuickJS, EvalFlags } from 'quickjs-wasi';
import { type Guest, guest } from './guest.ts';
import { guestTimers } from './guest-timers.ts';
import { guestValues } from './guest-values.ts';
import { nestingOf } from '../../lib/json-scan.ts';
import { NESTING, type SandboxLimits } from './limits.ts';
import {
  CODE_FILE,
  functionSource,
  methodPrefix,
  methodSource,
  type CodePosition,
  placeIn,
  programPrefix,
  programSource,
} from './error-place.ts';
import type { StoreAnswer } from './stores.ts';

export interface ProgramError extends CodePosition {
  name: string;
  message: string;
  /** The thrown error's own `code`, where it has one. */
  code?: string;
  /** The language's own class that it is of, where that has another name. */
  base?: string;
  /** The time passed while the code waited for a timer, not while it computed. */
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

/** What the guest may call while it runs. */
export interface ProgramHost {
  print(level: string, text: string, chars: number): void;
  store(operation: string, store: string, id: string, json: string): StoreAnswer;
}

const hostNames = ['print', 'store', 'settle', 'fail'] as const;
const guestNames = [
  'begin',
  'settle',
  'fail',
  'rejected',
  'late',
  'due',
  'fire',
] as const satisfies (keyof Guest)[];

/** The one program of an interpreter, and how far it has come. */
interface Running {
  code: string;
  host?: ProgramHost;
  /** Of performance.now. */
  stopAt: number;
  wasInterrupted: boolean;
  hasWaited: boolean;
  end?: ProgramEnd;
}

type CallGuest = (name: (typeof guestNames)[number], ...args: JSValueHandle[]) => JSValueHandle;

/** Loads the interpreter and the guest's part of the sandbox into it: all that can be done before the code is known. */
export async function prepareInterpreter(wasm: WebAssembly.Module, limits: SandboxLimits) {
  const running: Running = {
    code: '',
    stopAt: Number.POSITIVE_INFINITY,
    wasInterrupted: false,
    hasWaited: false,
  };
  const vm: QuickJS = await QuickJS.create({
    wasm,
    memoryLimit: limits.memoryBytes,
    maxStackSize: limits.stackBytes,
    interruptHandler: () => (running.wasInterrupted ||= performance.now() >= running.stopAt),
    timezoneOffset: 0,
    onUnhandledRejection: (promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean) => {
      try {
        call('rejected', promise, reason, isHandled ? vm.true : vm.false).dispose();
      } catch {
        // Out of memory or of time, which ends the program by itself; an error here would pass through the engine.
      }
    },
    // The engine's own messages would go to this process's output.
    wasi: () => ({ fd_write: () => 8 }),
  });
  const call: CallGuest = loadGuest(vm, running);
  return {
    /** Runs `code` as an async function's body, once; never throws. */
    async run(code: string, host: ProgramHost, timeMs: number): Promise<ProgramEnd> {
      Object.assign(running, { code, host, stopAt: performance.now() + timeMs });
      try {
        call('begin', vm.newNumber(limits.consoleChars), vm.newNumber(limits.resultChars)).dispose();
        const main = compile(vm, code);
        if ('status' in main) running.end = main;
        else await runProgram(vm, main, call, running);
      } catch (thrown) {
        running.end = escaped(code, thrown);
      }
      return endingOf(running, timeMs);
    },
  };
}

/** Puts the guest's part into the interpreter, and gives it what it may call. */
function loadGuest(vm: QuickJS, running: Running): CallGuest {
  const calls = hostCalls(running);
  const hostObject = vm.newObject();
  for (const name of hostNames)
    hostObject.setProp(
      name,
      vm.newFunction(name, (...handles) => {
        try {
          return vm.newString(calls[name](handles.map(primitiveText)));
        } catch {
          // A host Error would carry this process's paths into the guest.
          throw 'the sandbox could not do this';
        }
      }),
    );
  const source = `host => (${guest})(host, (${guestValues})(), (${guestTimers})())`;
  const parts = vm.callFunction(vm.evalCode(`(${source})`, 'sandbox'), vm.undefined, hostObject);
  const entries = Object.fromEntries(guestNames.map(name => [name, parts.getProp(name)]));
  return (name, ...args) => vm.callFunction(entries[name]!, vm.undefined, ...args);
}

function hostCalls(running: Running): Record<(typeof hostNames)[number], (args: string[]) => string> {
  return {
    print: ([level = '', text = '', chars = '']) => {
      running.host?.print(level, text, Number(chars));
      return '';
    },
    store: ([operation = '', store = '', id = '', json = '']) => {
      const answer = running.host?.store(operation, store, id, json);
      if (answer === undefined) return '!TypeError:there is no store';
      return 'json' in answer ? `=${answer.json}` : `!${answer.error}:${answer.message}`;
    },
    settle: ([kind = '', text = '', chars = '']) => {
      if (running.end !== undefined) return '';
      const found = valueKind(kind, text, Number(chars));
      const isDeep = found === 'json' && nestingOf(text) > NESTING;
      running.end = isDeep
        ? failure(running.code, 'RangeError', `the returned value is nested more than ${NESTING} levels deep`)
        : { status: 'completed', value: text, valueKind: found };
      return '';
    },
    fail: ([name = '', message = '', trace = '', code = '', base = '']) => {
      running.end ??= failure(running.code, name || 'Error', message, { trace, code, base });
      return '';
    },
  };
}

/** `prefix`: what stood in front of `program` where it failed. */
function failure(
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
function escaped(program: string, thrown: unknown, prefix = programPrefix): ProgramEnd {
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError)
    return failure(program, 'InternalError', `the interpreter gave up: ${message}`, { prefix });
  const trace = String(stack ?? '');
  return failure(program, String(name).slice(0, 100), String(message).slice(0, 4000), { trace, prefix });
}

/** The program as a function, or why it is none. */
function compile(vm: QuickJS, code: string): JSValueHandle | ProgramEnd {
  try {
    vm.evalCode(methodSource(code), CODE_FILE, EvalFlags.COMPILE_ONLY).dispose();
  } catch (thrown) {
    return escaped(code, thrown, methodPrefix);
  }
  const unbalanced = failure(code, 'SyntaxError', 'the code closes a bracket that it did not open');
  try {
    const program = vm.evalCode(programSource(code), CODE_FILE);
    return program.toString() === functionSource(code) ? program : unbalanced;
  } catch (thrown) {
    const failed = escaped(code, thrown);
    // A function's expression alone cannot fail to evaluate: anything else stood beside it.
    const isEngine = failed.status !== 'completed' && /^(?:Syntax|Internal)Error$/.test(failed.error.name);
    return isEngine ? failed : unbalanced;
  }
}

/** Calls `main` and reports what its promise came to. */
async function runProgram(
  vm: QuickJS,
  main: JSValueHandle,
  call: CallGuest,
  running: Running,
): Promise<void> {
  const promise = vm.callFunction(main, vm.undefined);
  vm.markPromiseHandled(promise);
  await runToEnd(vm, promise, call, running);
  if (running.end !== undefined || running.wasInterrupted || promise.promiseState === 0) return;
  const settled = await vm.resolvePromise(promise);
  if ('value' in settled) call('settle', settled.value).dispose();
  else call('fail', settled.error).dispose();
  const { end } = running as Running;
  if (end?.status !== 'completed') return;
  const late = call('late').consume(primitiveText);
  if (late !== '') end.late = late.slice(0, LATE_CHARS).trimEnd();
}

/** Characters of what came too late that are told. */
const LATE_CHARS = 4000;

/** Runs jobs and timers until the program's promise is settled, something failed, or the time is up. */
async function runToEnd(
  vm: QuickJS,
  promise: JSValueHandle,
  call: CallGuest,
  running: Running,
): Promise<void> {
  while (!running.wasInterrupted && running.end === undefined) {
    vm.executePendingJobs();
    if (running.wasInterrupted || running.end !== undefined || promise.promiseState !== 0) return;
    const due = call('due').consume(handle => handle.toNumber());
    if (due < 0) {
      const message = 'the code awaits a promise that nothing is left to settle: no timer, no pending work';
      running.end = failure(running.code, 'Error', message);
      return;
    }
    const left = running.stopAt - performance.now();
    if (left <= 0) {
      running.wasInterrupted = true;
      running.hasWaited = true;
    } else if (due === 0) call('fire').dispose();
    else await new Promise(resolve => setTimeout(resolve, Math.ceil(Math.min(due, left))));
  }
}

function endingOf({ code, end, wasInterrupted, hasWaited }: Running, timeMs: number): ProgramEnd {
  // Also when something caught the interrupt. Where it came is not told: the interpreter marks places at calls
  // only, so a loop's would be wrong.
  if (wasInterrupted) {
    const message = `the code ran longer than its ${timeMs} ms`;
    return {
      status: 'timeout',
      error: { name: 'TimeoutError', message, ...(hasWaited && { waited: true }) },
    };
  }
  return end ?? failure(code, 'InternalError', 'the interpreter gave no result');
}

/** Reads strings and numbers only: reading anything else as text would run the guest's code. */
function primitiveText(handle: JSValueHandle): string {
  if (handle.isString) return handle.toString();
  return handle.isNumber ? String(handle.toNumber()) : '';
}

const namedKinds: readonly string[] = ['undefined', 'function', 'symbol', 'bigint'] satisfies ValueKind[];
const isNamedKind = (kind: string): kind is ValueKind => namedKinds.includes(kind);

/** The guest's word for what it returned, except where it says JSON: then it has to be. */
function valueKind(kind: string, text: string, chars: number): ValueKind {
  if (isNamedKind(kind)) return kind;
  if (chars > text.length) return 'cut';
  JSON.parse(text);
  return 'json';
}
