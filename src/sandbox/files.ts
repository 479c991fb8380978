// Where the worker's file and the interpreter's WebAssembly lie. The worker is always the one file that is built of
// worker.ts (`npm run build`): a thread that has to strip types first starts twice as slowly.
import { readFile } from 'node:fs/promises';

const isSource = import.meta.url.endsWith('.ts');

export const workerFile = new URL(
  isSource ? '../../action/sandbox-worker.mjs' : './sandbox-worker.mjs',
  import.meta.url,
);

/** Compiles the interpreter; each worker makes its own instance of it. */
export async function compileInterpreter(): Promise<WebAssembly.Module> {
  const file = isSource ? import.meta.resolve('quickjs-wasi/quickjs.wasm') : './quickjs.wasm';
  return WebAssembly.compile(await readFile(new URL(file, import.meta.url)));
}
