// One QuickJS interpreter: made ahead, used for one program, thrown away.
import { type JSValueHandle, QuickJS, EvalFlags } from 'quickjs-wasi';
import { type Guest, guest } from './guest.ts';
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
  | { status: 'completed'; value: string; valueKind: ValueKind }
  | { status: 'failed' | 'timeout'; error: ProgramError };

/** What the guest may call while it runs. */
export interface ProgramHost {
  print(level: string, text: string, chars: number): void;
  store(operation: string, store: string, id: string, json: string): StoreAnswer;
}

const hostNames = ['print', 'store', 'settle', 'fail'] as const;
const guestNames = ['begin', 'settle', 'fail', 'due', 'fire'] as const satisfies (keyof Guest)[];

/** Loads the interpreter and the guest's part of the sandbox into it: all that can be done before the code is known. */
export async function prepareInterpreter(wasm: WebAssembly.Module, limits: SandboxLimits) {
  let stopAt = Number.POSITIVE_INFINITY;
  let wasInterrupted = false;
  let hasWaited = false;
  let host: ProgramHost | undefined;
  let end: ProgramEnd | undefined;
  let code = '';

  const vm = await QuickJS.create({
    wasm,
    memoryLimit: limits.memoryBytes,
    maxStackSize: limits.stackBytes,
    interruptHandler: () => {
      if (performance.now() < stopAt) return false;
      wasInterrupted = true;
      return true;
    },
    timezoneOffset: 0,
    // The engine's own messages would go to this process's output.
    wasi: () => ({ fd_write: () => 8 }),
  });

  const calls: Record<(typeof hostNames)[number], (args: string[]) => string> = {
    print: ([level = '', text = '', chars = '']) => {
      host?.print(level, text, Number(chars));
      return '';
    },
    store: ([operation = '', store = '', id = '', json = '']) => {
      const answer = host?.store(operation, store, id, json);
      if (answer === undefined) return '!TypeError:there is no store';
      return 'json' in answer ? `=${answer.json}` : `!${answer.error}:${answer.message}`;
    },
    settle: ([kind = '', text = '', chars = '']) => {
      if (end !== undefined) return '';
      const found = valueKind(kind, text, Number(chars));
      const isDeep = found === 'json' && nestingOf(text) > NESTING;
      const message = `the returned value is nested more than ${NESTING} levels deep`;
      end = isDeep
        ? failure('RangeError', message, '', programPrefix)
        : { status: 'completed', value: text, valueKind: found };
      return '';
    },
    fail: ([name = '', message = '', trace = '', errorCode = '', base = '']) => {
      end ??= failure(name || 'Error', message, trace, programPrefix, errorCode, base);
      return '';
    },
  };

  const failure = (
    name: string,
    message: string,
    trace: string,
    prefix: string,
    errorCode = '',
    base = name,
  ): ProgramEnd => ({
    status: 'failed',
    error: {
      name,
      message,
      ...(errorCode && { code: errorCode }),
      ...(base && base !== name && { base }),
      ...placeIn(trace, code, prefix),
    },
  });

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
  const parts = vm.callFunction(vm.evalCode(`(${guest.toString()})`, 'sandbox'), vm.undefined, hostObject);
  const entries = Object.fromEntries(guestNames.map(name => [name, parts.getProp(name)]));
  const call = (name: (typeof guestNames)[number], ...args: JSValueHandle[]) =>
    vm.callFunction(entries[name]!, vm.undefined, ...args);

  /** What an exception of the interpreter says that passed by every `catch` of the guest: out of memory, of time. */
  const escaped = (thrown: unknown, prefix = programPrefix): ProgramEnd => {
    const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
    const isEngine = thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError;
    if (isEngine) return failure('InternalError', `the interpreter gave up: ${message}`, '', prefix);
    return failure(String(name).slice(0, 100), String(message).slice(0, 4000), String(stack ?? ''), prefix);
  };

  function compile(): JSValueHandle | ProgramEnd {
    try {
      vm.evalCode(methodSource(code), CODE_FILE, EvalFlags.COMPILE_ONLY).dispose();
    } catch (thrown) {
      return escaped(thrown, methodPrefix);
    }
    const unbalanced = failure(
      'SyntaxError',
      'the code closes a bracket that it did not open',
      '',
      programPrefix,
    );
    try {
      const program = vm.evalCode(programSource(code), CODE_FILE);
      return program.toString() === functionSource(code) ? program : unbalanced;
    } catch (thrown) {
      const failed = escaped(thrown);
      // A function's expression alone cannot fail to evaluate: anything else stood beside it.
      const isEngine = failed.status !== 'completed' && /^(?:Syntax|Internal)Error$/.test(failed.error.name);
      return isEngine ? failed : unbalanced;
    }
  }

  /** Runs jobs and timers until the program's promise is settled, something failed, or the time is up. */
  async function runToEnd(promise: JSValueHandle): Promise<void> {
    while (!wasInterrupted && end === undefined) {
      vm.executePendingJobs();
      if (wasInterrupted || end !== undefined || promise.promiseState !== 0) return;
      const due = call('due').consume(handle => handle.toNumber());
      if (due < 0) {
        const message = 'the code awaits a promise that nothing is left to settle: no timer, no pending work';
        end = failure('Error', message, '', programPrefix);
        return;
      }
      const left = stopAt - performance.now();
      if (left <= 0) {
        wasInterrupted = true;
        hasWaited = true;
      } else if (due === 0) call('fire').dispose();
      else await new Promise(resolve => setTimeout(resolve, Math.ceil(Math.min(due, left))));
    }
  }

  /** Runs `program` as an async function's body, once; never throws. */
  async function run(program: string, to: ProgramHost, timeMs: number): Promise<ProgramEnd> {
    code = program;
    host = to;
    stopAt = performance.now() + timeMs;
    try {
      call('begin', vm.newNumber(limits.consoleChars), vm.newNumber(limits.resultChars)).dispose();
      const main = compile();
      if ('status' in main) {
        end = main;
        return ending(timeMs);
      }
      const promise = vm.callFunction(main, vm.undefined);
      vm.markPromiseHandled(promise);
      await runToEnd(promise);
      if (end === undefined && !wasInterrupted && promise.promiseState !== 0) {
        const settled = await vm.resolvePromise(promise);
        if ('value' in settled) call('settle', settled.value).dispose();
        else call('fail', settled.error).dispose();
      }
    } catch (thrown) {
      end = escaped(thrown);
    }
    return ending(timeMs);
  }

  function ending(timeMs: number): ProgramEnd {
    // Also when something caught the interrupt. Where it came is not told: the interpreter marks places at calls
    // only, so a loop's would be wrong.
    if (wasInterrupted) {
      const message = `the code ran longer than its ${timeMs} ms`;
      return {
        status: 'timeout',
        error: { name: 'TimeoutError', message, ...(hasWaited && { waited: true }) },
      };
    }
    return end ?? failure('InternalError', 'the interpreter gave no result', '', programPrefix);
  }

  return { run };
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
