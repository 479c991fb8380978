// Runs code that a model wrote: an interpreter of its own for each execution, in a worker thread of its own.
import { readFile } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BoundTools, CallAnswer } from './host-tools.ts';
import type { Completed, ProgramEnd } from './program-end.ts';
import { CODE_CHARS, defaultLimits } from './limits.ts';
import type { MissingRead, StoreContents, StoreWrite } from './stores.ts';
import type { ConsoleLine, OmittedOutput, WorkerData, WorkerReply, WorkerRequest } from './worker.ts';

export interface SandboxRequest {
  /** The body of an async function: `await` and `return` work. */
  code: string;
  /** Milliseconds from the first instruction to the result. */
  limits: { timeMs: number };
  signal: AbortSignal;
  /** Contents that the code may read; its writes come out in the outcome. */
  stores: StoreContents;
  /** Tools that it may call; absent: none. */
  tools?: BoundTools | undefined;
}

/** Data of a run, however it ended. */
export interface Ran {
  console: readonly ConsoleLine[];
  omittedOutput: OmittedOutput;
  missingReads: readonly MissingRead[];
  /** Milliseconds from the first instruction to the end. */
  ms: number;
}

/** Of a program that failed the writes are dropped. */
export type SandboxOutcome = Ran & ((Completed & { writes: StoreWrite[] }) | Exclude<ProgramEnd, Completed>);

export type Sandbox = ReturnType<typeof openSandbox>;

/** A worker, and when its interpreter is prepared (or it ended). */
type Started = ReturnType<typeof startWorker>;

/** Delay after which a thread is ended from outside: native code polls no interrupt. */
const LATE_MS = 100;
/** A worker starts in 30 to 80 ms; on a machine that needs this long nothing works. */
const START_MS = 30_000;
/** The worker's own heap, in MB, beside the interpreter's memory: stores, output, results. */
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** The worker's file and the interpreter's lie in the source, or beside the built Action. */
/** Of the Action, whose files lie side by side; else the source, or what the package has in its place. */
const isBundle = import.meta.url.endsWith('.mjs');
const workerFile = new URL(
  isBundle ? './sandbox-worker.mjs' : `./worker${extname(import.meta.url)}`,
  import.meta.url,
);

/** Compiles the interpreter; each worker makes its own instance of it. */
async function compileInterpreter(): Promise<WebAssembly.Module> {
  const file = isBundle ? './quickjs.wasm' : import.meta.resolve('quickjs-wasi/quickjs.wasm');
  return WebAssembly.compile(await readFile(new URL(file, import.meta.url)));
}

/** Workers that stand ready: one, since it starts while the one before it works. */
const SPARES = 1;

/**
 * From the first run (or `ready`) on a worker stands ready at any time; it keeps no process alive. A sandbox that nobody
 * uses costs nothing. `memoryBytes`: what each interpreter may hold at once.
 */
export function openSandbox({ memoryBytes = defaultLimits.memoryBytes } = {}) {
  const limits = { ...defaultLimits, memoryBytes };
  let compiled: ReturnType<typeof compileInterpreter> | undefined;
  const workers = new Set<Worker>();
  const closed = new AbortController();

  async function start(): Promise<Started> {
    const started = startWorker({ wasm: await (compiled ??= compileInterpreter()), limits });
    const { worker } = started;
    workers.add(worker);
    worker.once('exit', () => workers.delete(worker));
    if (closed.signal.aborted) await worker.terminate();
    return started;
  }

  const { spares, refill, take } = sparesOf(start, closed.signal);
  return {
    /**
     * Rejects with the signal's reason when it aborts, when the sandbox is closed, and with what a tool throws; never because
     * of the code.
     */
    async run({ code, limits: { timeMs }, signal, stores, tools }: SandboxRequest): Promise<SandboxOutcome> {
      const stop = AbortSignal.any([signal, closed.signal]);
      stop.throwIfAborted();
      if (code.length > CODE_CHARS) return tooLong(code);
      const { worker } = await take();
      try {
        return await execute(worker, { code, timeMs, stores }, stop, tools);
      } finally {
        void worker.terminate();
        // Only now: starting a worker takes the processor from the one that runs.
        refill();
      }
    },
    /** Resolves when the worker that is started ahead waits for code. */
    async ready(): Promise<void> {
      refill();
      const standing = await Promise.all(spares);
      for (const { worker } of standing) worker.ref();
      await Promise.all(standing.map(({ ready }) => ready));
      for (const { worker } of standing) worker.unref();
    },
    /** Ends the workers, those at work too. */
    async close(): Promise<void> {
      closed.abort(new Error('the sandbox was closed'));
      await Promise.all([...workers].map(worker => worker.terminate()));
    },
  };
}

/** Workers that stand ready. None is started any more when `closed` aborts. */
function sparesOf(start: () => Promise<Started>, closed: AbortSignal) {
  const spares = new Set<Promise<Started>>();
  return {
    spares,
    refill(): void {
      while (!closed.aborted && spares.size < SPARES) {
        const spare = start();
        spares.add(spare);
        const drop = () => void spares.delete(spare);
        // A spare that cannot start is left out; the next run starts its own and reports why that fails.
        spare.then(({ worker }) => worker.once('exit', drop), drop);
      }
    },
    take(): Promise<Started> {
      const [spare = start()] = spares;
      spares.delete(spare);
      return spare;
    },
  };
}

/**
 * Has a thread take from the folder where the process keeps what it compiles: Node leaves that to each thread, and one
 * that finds nothing there loads a whole compiler for the types of its source.
 */
function compiledBefore(): string[] {
  const folder = getCompileCacheDir();
  if (folder === undefined) return [];
  // Node adds the last part of the path, which is for its own version.
  const enable = `import { enableCompileCache as on } from 'node:module'; on(${JSON.stringify(dirname(folder))})`;
  return ['--import', `data:text/javascript,${encodeURIComponent(enable)}`];
}

/** It keeps no process alive. */
function startWorker(workerData: WorkerData) {
  const worker = new Worker(workerFile, {
    ...{ workerData, env: {}, argv: [], execArgv: compiledBefore(), resourceLimits },
    ...{ stdin: false, stdout: true, stderr: true },
  });
  worker.unref();
  // Without a listener the error of a spare would be one of the process; whoever runs code in it adds its own.
  worker.on('error', () => {});
  const ready = new Promise<void>(resolve => {
    worker.once('message', () => resolve());
    worker.once('exit', () => resolve());
  });
  return { worker, ready };
}

function tooLong(code: string): SandboxOutcome {
  const message = `the code has ${code.length} characters; ${CODE_CHARS} are taken. Put data into the vault instead`;
  return {
    status: 'failed',
    error: { name: 'RangeError', message },
    console: [],
    omittedOutput: { lines: 0, chars: 0 },
    missingReads: [],
    ms: 0,
  };
}

/** One request in one worker. Whatever the worker does, the answer comes within the limits. */
function execute(
  worker: Worker,
  request: Omit<WorkerRequest, 'tools'>,
  stop: AbortSignal,
  tools: BoundTools | undefined,
): Promise<SandboxOutcome> {
  const { timeMs } = request;
  const lines: ConsoleLine[] = [];
  let startedAt: number | undefined;
  const over = new AbortController();
  const unheard = AbortSignal.any([stop, over.signal]);
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      stop.removeEventListener('abort', abort);
      worker.removeAllListeners('message');
      over.abort();
      settle();
    };
    const done = (end: ProgramEnd, ran: Partial<Ran> & { writes?: StoreWrite[] }) => {
      const { writes = [], ...rest } = ran;
      const common: Ran = {
        console: lines,
        omittedOutput: { lines: 0, chars: 0 },
        missingReads: [],
        ms: startedAt === undefined ? 0 : performance.now() - startedAt,
        ...rest,
      };
      finish(() =>
        resolve(end.status === 'completed' ? { ...common, ...end, writes } : { ...common, ...end }),
      );
    };
    const fail = (status: 'failed' | 'timeout', name: string, message: string) =>
      done({ status, error: { name, message } }, {});
    const late = () =>
      fail('timeout', 'TimeoutError', `the code ran longer than its ${timeMs} ms and was ended`);
    const abort = () => finish(() => reject(stop.reason));
    const answer = async ({ id, name, input }: Extract<WorkerReply, { type: 'call' }>) => {
      try {
        if (!tools) throw new Error(`the code called ${name}, which it was not given`);
        const answered: CallAnswer = { id, ...(await tools.call(name, input, unheard)) };
        worker.postMessage(answered);
      } catch (error) {
        // The result of a call that nobody awaits any more is dropped.
        if (!over.signal.aborted) finish(() => reject(error));
      }
    };
    let timer = setTimeout(
      () => fail('failed', 'InternalError', `the sandbox did not start within ${START_MS / 1000} s`),
      START_MS,
    );

    stop.addEventListener('abort', abort, { once: true });
    worker.on('error', error => fail('failed', 'InternalError', `the sandbox broke down: ${error.message}`));
    worker.once('exit', () => fail('failed', 'InternalError', 'the sandbox ended before the code did'));
    worker.on('message', (reply: WorkerReply) => {
      switch (reply.type) {
        case 'ready':
          return;
        case 'started':
          clearTimeout(timer);
          startedAt = performance.now();
          timer = setTimeout(late, timeMs + LATE_MS);
          return;
        case 'console':
          lines.push(reply.line);
          return;
        case 'call':
          void answer(reply);
          return;
        case 'ended': {
          const { type: _, end, omitted, ...ran } = reply;
          done(end, { ...ran, omittedOutput: omitted });
        }
      }
    });
    if (stop.aborted) return abort();
    worker.ref();
    const given: WorkerRequest = {
      ...request,
      tools: { names: tools?.names ?? [], calls: tools?.left() ?? 0 },
    };
    worker.postMessage(given);
  });
}
