// The worker thread of one execution: prepares an interpreter as soon as it starts, runs one request, says how it went.
import { parentPort, workerData } from 'node:worker_threads';
import { type ProgramHost, prepareInterpreter } from './interpreter.ts';
import type { ProgramEnd } from './program-end.ts';
import type { CallAnswer } from './host-tools.ts';
import { CONSOLE_LINES, type SandboxLimits, TOOL_CALLS } from './limits.ts';
import { type MissingRead, openStores, type StoreContents, type StoreWrite } from './stores.ts';

export interface WorkerData {
  wasm: WebAssembly.Module;
  limits: SandboxLimits;
}

export interface WorkerRequest {
  code: string;
  timeMs: number;
  stores: StoreContents;
  /** Names of tools that the code may call, and the number of calls. */
  tools: { names: readonly string[]; calls: number };
}

type ConsoleLevel = 'log' | 'info' | 'warn' | 'error' | 'debug';

export interface ConsoleLine {
  level: ConsoleLevel;
  text: string;
}

/** Amount left out by the bounds; a line that was cut counts among the lines. */
export interface OmittedOutput {
  lines: number;
  chars: number;
}

/** In this order: `started`, then console lines and calls as they come, then `ended`. */
export type WorkerReply =
  | { type: 'ready' }
  | { type: 'started' }
  | { type: 'console'; line: ConsoleLine }
  | { type: 'call'; id: number; name: string; input: string }
  | {
      type: 'ended';
      end: ProgramEnd;
      omitted: OmittedOutput;
      writes: StoreWrite[];
      missingReads: MissingRead[];
      ms: number;
    };

const levels: readonly string[] = ['log', 'info', 'warn', 'error', 'debug'] satisfies ConsoleLevel[];
const isLevel = (level: string): level is ConsoleLevel => levels.includes(level);

const port = parentPort;
if (port === null)
  throw new Error('src/engine/sandbox/worker.ts is started as a worker thread, by openSandbox');
// Frames of host errors name files of this machine.
Error.stackTraceLimit = 0;
const { wasm, limits }: WorkerData = workerData;
const reply = (message: WorkerReply) => port.postMessage(message);

const prepared = prepareInterpreter(wasm, limits);
port.on('message', async (message: WorkerRequest | CallAnswer) => {
  const interpreter = await prepared;
  if (!('code' in message)) return interpreter.answered(message);
  const { code, timeMs, stores, tools } = message;
  const view = openStores(stores);
  const output = boundedConsole(limits.consoleChars, line => reply({ type: 'console', line }));
  let { calls } = tools;
  const host: ProgramHost = {
    print: output.print,
    store: view.call,
    tools: tools.names,
    ask(id, name, input) {
      if (calls === 0) return `code may call tools ${TOOL_CALLS} times in one execution`;
      calls -= 1;
      reply({ type: 'call', id, name, input });
      return undefined;
    },
  };
  reply({ type: 'started' });
  const start = performance.now();
  const end = await interpreter.run(code, host, timeMs);
  reply({
    type: 'ended',
    end,
    omitted: output.omitted,
    writes: end.status === 'completed' ? view.writes() : [],
    missingReads: view.missing,
    ms: performance.now() - start,
  });
});
await prepared;
reply({ type: 'ready' });

/** Hands each line that fits to `keep` and counts the rest. */
function boundedConsole(maxChars: number, keep: (line: ConsoleLine) => void) {
  const omitted: OmittedOutput = { lines: 0, chars: 0 };
  let lines = 0;
  let room = maxChars;
  return {
    omitted,
    /** `chars` is the line's whole length: the guest cuts a line before it hands it out. */
    print(level: string, text: string, chars: number): void {
      const kept = lines < CONSOLE_LINES ? text.slice(0, room).toWellFormed() : '';
      const whole = Math.max(chars, text.length);
      if (kept.length < whole || lines >= CONSOLE_LINES) {
        omitted.lines += 1;
        omitted.chars += whole - kept.length;
      }
      if (lines >= CONSOLE_LINES || (kept === '' && whole > 0)) return;
      lines += 1;
      room -= kept.length;
      keep({ level: isLevel(level) ? level : 'log', text: kept });
    },
  };
}
