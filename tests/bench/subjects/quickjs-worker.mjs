// The least that runs a program in a thread of its own: no limits, no console, nothing to read or write.
import { parentPort, workerData } from 'node:worker_threads';
import { QuickJS } from 'quickjs-wasi';

const { wasm, code } = workerData;
const vm = await QuickJS.create({ wasm });
parentPort.postMessage(vm.evalCode(code).toString());
