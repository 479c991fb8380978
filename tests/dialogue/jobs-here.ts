// Jobs of a dialogue in the process of the tests: the same program, without a Node of its own that loads it again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { engineer } from '../../src/doors/action/engineer-mode.ts';
import {
  appendTo,
  jobFiles,
  type startProcess,
  writeWhole,
} from '../../packages/ground/workspace/job-process.ts';

export type StartJob = typeof startProcess;

/** Starts jobs here. `killed`: how many engineers did not end by themselves. `settled` resolves when none does anything any more. */
export function jobsHere() {
  const running = new Set<Promise<unknown>>();
  let killed = 0;
  const start: StartJob = async (folder, { spec, env, onEnd }) => {
    await writeWhole(folder, jobFiles.spec, spec);
    // A stand-in process that is found and killed by the job's process id.
    const standIn = spawn('sleep', ['infinity'], { detached: true, stdio: 'ignore', env: {} });
    await once(standIn, 'spawn');
    const stop = new AbortController();
    let [isOver, log] = [false, Promise.resolve()];
    const own = {
      pid: standIn.pid ?? 0,
      signal: stop.signal,
      say: (line: string) => void (log = log.then(() => appendTo(folder, jobFiles.log, `${line}\n`))),
    };
    standIn.once('exit', () => {
      // Tests alone leave nothing behind that counts.
      if (!isOver && !('kind' in JSON.parse(spec))) killed += 1;
      stop.abort(new Error('it was killed'));
      onEnd();
    });
    const done = engineer(folder, env, own)
      .catch(error => own.say(String(error)))
      .then(() => log.catch(() => {}))
      .finally(() => {
        isOver = true;
        standIn.kill('SIGKILL');
        running.delete(done);
      });
    running.add(done);
  };
  return { start, killed: () => killed, settled: () => Promise.all(running) };
}
