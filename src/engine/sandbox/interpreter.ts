// One QuickJS interpreter: made ahead, used for one program, thrown away.
import { type JSValueHandle, QuickJS, EvalFlags } from 'quickjs-wasi';
import { nestingOf } from '@echelon/ground';
import { type Guest, guest } from './guest.ts';
import { guestTimers } from './guest-timers.ts';
import { guestValues } from './guest-values.ts';
import type { CallAnswer } from './host-tools.ts';
import { INPUT_CHARS, NESTING, type SandboxLimits } from './limits.ts';
import {
  CODE_FILE,
  functionSource,
  methodPrefix,
  methodSource,
  programSource,
  escaped,
  failure,
  type ProgramEnd,
  valueKind,
} from './program-end.ts';
import type { StoreAnswer } from './stores.ts';

/** Functions that the guest may call while it runs. */
export interface ProgramHost {
  print(level: string, text: string, chars: number): void;
  store(operation: string, store: string, id: string, json: string): StoreAnswer;
  /** Names of the tools that it may call. */
  tools: readonly string[];
  /** Has a tool called, whose answer `answered` gets; answers why it is not, or nothing. */
  ask(id: number, name: string, input: string): string | undefined;
}

const hostNames = ['print', 'store', 'ask', 'settle', 'fail'] as const;
const guestNames = [
  'begin',
  'settle',
  'fail',
  'rejected',
  'answer',
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
  /** Calls of tools that have no answer yet. */
  calls: number;
  answers: CallAnswer[];
  /** Ends the wait for time to pass. */
  wake?: () => void;
}

type CallGuest = (name: (typeof guestNames)[number], ...args: JSValueHandle[]) => JSValueHandle;

/** Loads the interpreter and the guest's part of the sandbox into it: all that can be done before the code is known. */
export async function prepareInterpreter(wasm: WebAssembly.Module, limits: SandboxLimits) {
  const running: Running = {
    code: '',
    stopAt: Number.POSITIVE_INFINITY,
    wasInterrupted: false,
    hasWaited: false,
    calls: 0,
    answers: [],
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
        const tools = vm.newString(JSON.stringify(host.tools));
        call('begin', vm.newNumber(limits.consoleChars), vm.newNumber(limits.resultChars), tools).dispose();
        const main = compile(vm, code);
        if ('status' in main) running.end = main;
        else await runProgram(vm, main, call, running);
      } catch (thrown) {
        running.end = escaped(code, thrown);
      }
      return endingOf(running, timeMs);
    },
    /** An answer to what the program asked of its host. */
    answered(answer: CallAnswer): void {
      running.answers.push(answer);
      running.wake?.();
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
    ask: ([id = '', name = '', input = '']) => {
      if (input.length > INPUT_CHARS)
        return `the input of ${name} has ${input.length} characters as JSON; ${INPUT_CHARS} at most`;
      const refusal = running.host?.ask(Number(id), name, input);
      if (refusal === undefined) running.calls += 1;
      return refusal ?? '';
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

/** Runs jobs and timers, and takes answers of the host, until the program's promise is settled, something failed, or the time is up. */
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
    if (due < 0 && running.calls === 0) {
      const message = 'the code awaits a promise that nothing is left to settle: no timer, no pending work';
      running.end = failure(running.code, 'Error', message);
      return;
    }
    const left = running.stopAt - performance.now();
    if (left <= 0) {
      running.wasInterrupted = true;
      running.hasWaited = true;
      return;
    }
    // Answers come in only while this thread does nothing, however many timers are due.
    const wait = due < 0 ? left : Math.min(due, left);
    if (wait > 0 || running.calls > 0) await timePasses(running, wait);
    for (const { id, ...answer } of running.answers.splice(0)) {
      running.calls -= 1;
      const isError = 'error' in answer;
      const text = vm.newString(isError ? answer.error : answer.text);
      call('answer', vm.newNumber(id), text, isError ? vm.true : vm.false).dispose();
      text.dispose();
    }
    if (due === 0) call('fire').dispose();
  }
}

/** Until the milliseconds are over or an answer is there. */
async function timePasses(running: Running, ms: number): Promise<void> {
  if (running.answers.length > 0) return;
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, Math.ceil(ms));
    running.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
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
