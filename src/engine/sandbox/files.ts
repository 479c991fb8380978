// Where the worker's file and the interpreter's WebAssembly lie: in the source, or beside the built Action.
import { readFile } from 'node:fs/promises';

const isSource = import.meta.url.endsWith('.ts');

export const workerFile = new URL(isSource ? './worker.ts' : './sandbox-worker.mjs', import.meta.url);

/** Compiles the interpreter; each worker makes its own instance of it. */
export async function compileInterpreter(): Promise<WebAssembly.Module> {
  const file = isSource ? import.meta.resolve('quickjs-wasi/quickjs.wasm') : './quickjs.wasm';
  return WebAssembly.compile(await readFile(new URL(file, import.meta.url)));
}
