// Milliseconds that a trivial program takes from the call to its result; a process of its own. Prints one line of JSON.
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { QuickJS } from 'quickjs-wasi';
import { openSandbox, type Sandbox } from '../../../src/engine/sandbox/sandbox.ts';
import { median } from '../measure.ts';

/**
 * `cold`: a sandbox that was not there before; the first one of a process also loads what later ones find loaded.
 * `warm`: a sandbox whose worker stands ready. `worker`: QuickJS alone in a worker of its own. `inside`: QuickJS
 * alone in this thread, which nothing could end.
 */
export type SandboxSubject = 'cold' | 'warm' | 'worker' | 'inside';

const code = '1 + 1';
const wanted = '2';
const interpreter = new URL(import.meta.resolve('quickjs-wasi/quickjs.wasm'));
const compileInterpreter = async () => WebAssembly.compile(await readFile(interpreter));
const workerFile = new URL('quickjs-worker.mjs', import.meta.url);

/** A way to run the program: what is timed, and what is done before and after each time. */
interface Way {
  before?(): Promise<void>;
  run(): Promise<string>;
  after?(): Promise<void>;
}

const ways: Record<SandboxSubject, () => Promise<Way>> = {
  async cold() {
    let sandbox: Sandbox | undefined;
    return {
      async run() {
        sandbox = openSandbox();
        return await valueIn(sandbox);
      },
      async after() {
        await sandbox?.close();
      },
    };
  },
  async warm() {
    const sandbox = openSandbox();
    return { before: () => sandbox.ready(), run: () => valueIn(sandbox) };
  },
  async worker() {
    const wasm = await compileInterpreter();
    let worker: Worker | undefined;
    return {
      async run() {
        const started = new Worker(workerFile, { workerData: { wasm, code } });
        worker = started;
        return await new Promise((resolve, reject) => {
          started.once('message', resolve);
          started.once('error', reject);
        });
      },
      async after() {
        await worker?.terminate();
      },
    };
  },
  async inside() {
    const wasm = await compileInterpreter();
    return {
      async run() {
        const vm = await QuickJS.create({ wasm });
        return vm.evalCode(code).toString();
      },
    };
  },
};

async function valueIn(sandbox: Sandbox): Promise<string> {
  const signal = new AbortController().signal;
  const outcome = await sandbox.run({
    code: `return ${code}`,
    limits: { timeMs: 15_000 },
    signal,
    stores: {},
  });
  if (outcome.status === 'completed') return outcome.value;
  throw new Error(`the program ended as ${outcome.status}: ${outcome.error.message}`);
}

async function measure({ before, run, after }: Way, times: number): Promise<number> {
  const found: number[] = [];
  for (let time = 0; time < times; time++) {
    await before?.();
    const begin = performance.now();
    const value = await run();
    found.push(performance.now() - begin);
    if (value !== wanted) throw new Error(`${code} came to ${value}`);
    await after?.();
  }
  return median(found);
}

const isSubject = (name: string): name is SandboxSubject => Object.hasOwn(ways, name);

const [, , name = '', times = ''] = process.argv;
if (!isSubject(name)) throw new Error(`a subject is one of ${Object.keys(ways).join(', ')}`);
console.log(JSON.stringify({ ms: await measure(await ways[name](), Number(times)) }));
process.exit();
