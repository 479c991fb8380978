// Processes of a job: each step's in a group of its own, marked, so that nothing of a job outlives it.
import { spawn } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { constants } from 'node:os';
import { type Clock, messageOf, race } from '@echelon/ground';
import { StringDecoder } from 'node:string_decoder';

/** Characters of a line that are held; what goes beyond is dropped, so that no part of it can pass for a new line. */
const longest = 128 * 1024;

interface Lines {
  add(chunk: Buffer): void;
  /** Hands on what stands after the last line end. */
  end(): void;
}

/** Calls `onLine` with each line without its end; a carriage return alone ends one too, as for GitHub's runner. */
export function lines(onLine: (line: string) => void): Lines {
  const decoder = new StringDecoder('utf8');
  let held = '';
  /** True if the text so far ended with a carriage return, whose line feed may still come. */
  let afterReturn = false;
  const take = (text: string) => {
    let from = 0;
    if (afterReturn && text.startsWith('\n')) from = 1;
    if (text !== '') afterReturn = text.endsWith('\r');
    for (const { index, 0: ending } of text.matchAll(/\r\n|\r|\n/g)) {
      if (index < from) continue;
      onLine(held + text.slice(from, Math.min(index, from + longest - held.length)));
      held = '';
      from = index + ending.length;
    }
    held += text.slice(from, from + Math.max(0, longest - held.length));
  };
  return {
    add: chunk => take(decoder.write(chunk)),
    end() {
      take(decoder.end());
      if (held !== '') onLine(held);
      held = '';
    },
  };
}

/** The variable that marks what a job started; GitHub's runner uses this one. */
export const trackingVariable = 'RUNNER_TRACKING_ID';

/** As GitHub's runner: after SIGINT, after SIGTERM, and for output in flight of a process that has ended (milliseconds). */
const afterInterrupt = 7500;
const afterTerminate = 2500;
const forOutput = 5000;

/**
 * Limits that children inherit: no core dumps, and 4096 processes (of the user, which is why it is no lower; the
 * system does not hold root to it). dash before 0.5.12 names the last one -p.
 */
const limits =
  'ulimit -c 0; (ulimit -u 4096) 2>/dev/null && ulimit -u 4096 || { (ulimit -p 4096) 2>/dev/null && ulimit -p 4096; }; exec "$@"';

export interface ProcessToRun {
  argv: readonly string[];
  folder: string;
  /** All of its environment. */
  env: Record<string, string>;
  onLine: (line: string) => void;
  /** Ends it: SIGINT, then SIGTERM, then SIGKILL for its group. */
  signal: AbortSignal;
  /** Ends its group at once. */
  kill: AbortSignal;
  clock: Clock;
}

/**
 * Runs a program to its end and gives its exit code, 128 and the number for a signal as a shell does. Throws the signal's
 * reason when that ended it. What it left running in the background goes on, until `killJob`.
 */
export async function runProcess({
  argv,
  folder,
  env,
  onLine,
  signal,
  kill: closing,
  clock,
}: ProcessToRun): Promise<number> {
  signal.throwIfAborted();
  const child = spawn('/bin/sh', ['-c', limits, 'sh', ...argv], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()));
  const readers = [child.stdout, child.stderr].map(stream => {
    const reader = lines(onLine);
    stream.on('data', (chunk: Buffer) => reader.add(chunk));
    return reader;
  });
  const over = new AbortController();
  const stop = () => void endGroup(child.pid, clock, over.signal);
  const killNow = () => child.pid !== undefined && kill(-child.pid, 'SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  closing.addEventListener('abort', killNow, { once: true });
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', error =>
        reject(new Error(`${argv[0]} cannot be started in ${folder}: ${messageOf(error)}`, { cause: error })),
      );
      child.once('exit', (exit, by) => resolve(exit ?? 128 + constants.signals[by ?? 'SIGKILL']));
    });
    over.abort();
    // A process in the background may hold its output open for ever.
    const drained = new AbortController();
    const late = clock.sleep(forOutput, drained.signal).catch(() => {});
    await Promise.race([closed, late]);
    drained.abort();
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    for (const reader of readers) reader.end();
    signal.throwIfAborted();
    return code;
  } finally {
    over.abort();
    signal.removeEventListener('abort', stop);
    closing.removeEventListener('abort', killNow);
  }
}

/** Asks the process to end, then tells it, then ends its whole group; `over` aborts when it has ended. */
async function endGroup(pid: number | undefined, clock: Clock, over: AbortSignal): Promise<void> {
  if (pid === undefined || over.aborted) return;
  const wait = (ms: number) => race(clock.sleep(ms, over), over);
  try {
    kill(pid, 'SIGINT');
    await wait(afterInterrupt);
    kill(pid, 'SIGTERM');
    await wait(afterTerminate);
  } catch {
    // It ended by itself.
    return;
  }
  kill(-pid, 'SIGKILL');
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}

/** Passes over the list of processes: one may fork while we look. */
const mostPasses = 50;

/**
 * Kills every process that carries the mark of a job in its environment, or works in its folder; answers how many it
 * found. Needs /proc. One that emptied its environment, left its group and works elsewhere is not found.
 */
export async function killJob(mark: string, folder: string): Promise<number> {
  const found = new Set<number>();
  for (let pass = 0; pass < mostPasses; pass++) {
    const pids = await processesOf(`${trackingVariable}=${mark}`, folder);
    if (pids.length === 0) break;
    for (const pid of pids) {
      found.add(pid);
      kill(pid, 'SIGKILL');
    }
  }
  return found.size;
}

async function processesOf(entry: string, folder: string): Promise<number[]> {
  // No /proc on this system: the groups were all there is.
  const names = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async name => {
      const pid = Number(name);
      if (pid === process.pid) return [];
      // Ended meanwhile, or another user's: not ours.
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      const place = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      const here = place === folder || place.startsWith(`${folder}/`);
      return here || environment.split('\0').includes(entry) ? [pid] : [];
    }),
  );
  return found.flat();
}
