// The worker thread of one execution: prepares an interpreter as soon as it starts, runs one request, says how it went.
import { parentPort, workerData } from 'node:worker_threads';
import { boundedConsole, type ConsoleLine, type OmittedOutput } from './console.ts';
import { type ProgramEnd, prepareInterpreter } from './interpreter.ts';
import type { SandboxLimits } from './limits.ts';
import { type MissingRead, openStores, type Stores, type StoreWrite } from './stores.ts';

export interface WorkerData {
  wasm: WebAssembly.Module;
  limits: SandboxLimits;
}

export interface WorkerRequest {
  code: string;
  timeMs: number;
  stores: Stores;
}

/** In this order: `started`, then console lines as they come, then `ended`. */
export type WorkerReply =
  | { type: 'ready' }
  | { type: 'started' }
  | { type: 'console'; line: ConsoleLine }
  | {
      type: 'ended';
      end: ProgramEnd;
      omitted: OmittedOutput;
      writes: StoreWrite[];
      missingReads: MissingRead[];
      ms: number;
    };

const port = parentPort;
if (port === null)
  throw new Error('src/engine/sandbox/worker.ts is started as a worker thread, by openSandbox');
// Frames of host errors name files of this machine.
Error.stackTraceLimit = 0;
const { wasm, limits }: WorkerData = workerData;
const reply = (message: WorkerReply) => port.postMessage(message);

const prepared = prepareInterpreter(wasm, limits);
port.once('message', (request: WorkerRequest) => void execute(request));
await prepared;
reply({ type: 'ready' });

async function execute({ code, timeMs, stores }: WorkerRequest): Promise<void> {
  const interpreter = await prepared;
  const view = openStores(stores);
  const output = boundedConsole(limits.consoleChars, line => reply({ type: 'console', line }));
  reply({ type: 'started' });
  const start = performance.now();
  const end = await interpreter.run(code, { print: output.print, store: view.call }, timeMs);
  reply({
    type: 'ended',
    end,
    omitted: output.omitted,
    writes: end.status === 'completed' ? view.writes() : [],
    missingReads: view.missing,
    ms: performance.now() - start,
  });
}
