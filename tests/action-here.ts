// The Action in the process of the tests: what its entry starts, without a Node of its own that loads and compiles it again.
// Each step has an environment and an output of its own, though several run side by side.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { onThisMachine } from '../packages/forge/runner/carry-out.ts';
import { lines, type ProcessToRun, runProcess } from '../packages/forge/runner/process.ts';
import { hosted, type Machine } from '../packages/forge/runner/runner-host.ts';
import { masker } from '../packages/ground/lib/mask.ts';
import { messageOf } from '../packages/ground/lib/message.ts';
import { checkMode } from '../src/doors/action/check-mode.ts';
import { engineer } from '../src/doors/action/engineer-mode.ts';
import { fetchMode } from '../src/doors/action/fetch-mode.ts';
import { runMode } from '../src/doors/action/run-mode.ts';
import { taskMode } from '../src/doors/action/task-mode.ts';
import { quietly } from '../src/doors/action/workflow-commands.ts';
import { providerKeys, secretsOf } from '../src/engine/models/provider-keys.ts';
import { withoutListeners } from './process-listeners.ts';

interface Own {
  env: Record<string, string | undefined>;
  stdout: Writable;
  console: Console;
  /** Milliseconds by which the step's clock is ahead. */
  ahead: number;
}
const steps = new AsyncLocalStorage<Own>();

/** Of the step that asks; of the whole process for all others. */
function splitByStep<Holder extends object>(holder: Holder, name: keyof Holder & keyof Own) {
  let value = holder[name];
  const get = () => steps.getStore()?.[name] ?? value;
  Object.defineProperty(holder, name, { configurable: true, get, set: next => void (value = next) });
}
splitByStep(process, 'env');
splitByStep(process, 'stdout');
splitByStep(globalThis, 'console');
const { now } = Date;
Date.now = () => now() + (steps.getStore()?.ahead ?? 0);

interface StepHere {
  env: Record<string, string | undefined>;
  write(text: string, stream: 'stdout' | 'stderr'): void;
  signal?: AbortSignal;
  ahead?: number;
}

/** Answers the exit code. Only an engineer ends at the signal: a mode that would just die needs a process of its own. */
export function actionHere({ env, write, signal, ahead = 0 }: StepHere): Promise<number> {
  const streamOf = (name: 'stdout' | 'stderr') =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        write(chunk.toString(), name);
        done();
      },
    });
  const [stdout, stderr] = [streamOf('stdout'), streamOf('stderr')];
  const own = { env: { ...env }, stdout, console: new Console(stdout, stderr), ahead };
  return steps.run(own, () =>
    act(env, signal ?? new AbortController().signal).catch((error: unknown) => {
      write(`${messageOf(error)}\n`, 'stderr');
      return 1;
    }),
  );
}

/** As src/doors/action/action.ts does. */
async function act(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  const { INPUT_MODE: mode, INPUT_JOB: folder = '' } = env;
  if (mode === 'run' || mode === 'deliver') return await runMode(mode, env);
  if (mode === 'check') return await checkMode(env);
  if (mode === 'task') return await withoutListeners(() => taskMode(env));
  if (mode === 'fetch') return await fetchMode(folder, env);
  const own = { pid: process.pid, signal, say: (line: string) => console.log(line) };
  return await quietly(masker(secretsOf(providerKeys(env))), () => engineer(folder, env, own));
}

/** A machine whose jobs have the product's steps here, and all else in processes. Nothing of it may be cancelled or killed. */
export function machineHere(path: string, env: NonNullable<Machine['env']>, ahead = 0) {
  const run = async (one: ProcessToRun) => {
    if (!/\/echelon-org\/echelon\/\w+\/action\/index\.mjs$/.test(one.argv.at(-1) ?? ''))
      return await runProcess(one);
    one.signal.throwIfAborted();
    const reader = lines(one.onLine);
    const code = await actionHere({ ...one, write: text => reader.add(Buffer.from(text)), ahead });
    reader.end();
    one.signal.throwIfAborted();
    return code;
  };
  return onThisMachine(path, { env, environment: { ...hosted, run } });
}
