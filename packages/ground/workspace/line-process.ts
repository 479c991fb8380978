// A process that is talked with in lines: started with an environment of its own, ended with all that it started.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundedOutput } from './bounded-output.ts';
import { commandMark, killMarked, killRunningGroups, runningGroups, signalGroup } from './process-tree.ts';
import { codeOf } from '../lib/message.ts';

export interface LineProcessOptions {
  command: string;
  args: readonly string[];
  /** All that it gets; nothing of this process's environment is passed on. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Bytes of a line on stdout; a longer one ends the process. */
  maxLine: number;
  onLine: (line: string) => void;
}

export type LineProcess = ReturnType<typeof startLineProcess>;

/** For an end that was asked for, by closing stdin and then by SIGTERM, each (milliseconds). */
const graceMs = 1000;
/** After the end, for output in flight (milliseconds). */
const drainMs = 200;
/** Bytes of stderr that are kept, for a message. */
const maxStderr = 2048;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

let killsAtExit = false;

/** It does not keep this process alive, and does not outlive it where that ends by itself or is interrupted. */
export function startLineProcess(options: LineProcessOptions) {
  if (!killsAtExit) process.once('exit', killRunningGroups);
  killsAtExit = true;
  const mark = randomUUID();
  const child: Child = spawn(options.command, [...options.args], {
    ...{ cwd: options.cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] },
    env: { ...options.env, [commandMark]: mark },
  });
  const { pid } = child;
  if (pid !== undefined) runningGroups.add(pid);
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr])
    if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
  let why: string | undefined;
  const kill = (signal: NodeJS.Signals) => pid !== undefined && signalGroup(pid, signal);
  const fail = (reason: string) => {
    why ??= reason;
    kill('SIGKILL');
  };
  const stderr = boundedOutput(maxStderr);
  child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  child.stdin.on('error', () => {}); // It ended, which is told as its end.
  readLines(child.stdout, options, fail);
  const ended = endOf(child, async () => {
    kill('SIGKILL');
    await killMarked(commandMark, mark);
    await within(new Promise(resolve => child.once('close', resolve)), drainMs);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    if (pid !== undefined) runningGroups.delete(pid);
  }).then(how => {
    const last = stderr.text().trim();
    return `${why ?? how}${last === '' ? '' : `; its stderr ends with: ${last}`}`;
  });
  return {
    /** The kind of end in words, with the end of stderr. Never rejects. */
    ended,
    /** Ends it, and all that it started, at once; `why` becomes how it ended. */
    fail,
    send: (line: string): void => void child.stdin.write(`${line}\n`),
    /** Closes its stdin, then asks, then kills; resolves when nothing of it is left. */
    async end(): Promise<void> {
      why ??= 'was ended';
      // The caller waits for the process to end.
      child.ref();
      child.stdin.end();
      if (await within(ended, graceMs)) return;
      kill('SIGTERM');
      if (!(await within(ended, graceMs))) kill('SIGKILL');
      await ended;
    },
  };
}

/** Hands whole lines on, never keeping more than one may have. */
function readLines(
  stdout: Readable,
  { maxLine, onLine }: LineProcessOptions,
  fail: (why: string) => void,
): void {
  let parts: Buffer[] = [];
  let size = 0;
  let isOver = false;
  stdout.on('data', (chunk: Buffer) => {
    for (let from = 0; !isOver; ) {
      const end = chunk.indexOf(0x0a, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end);
      size += part.length;
      if (size > maxLine) {
        isOver = true;
        parts = [];
        return fail(`was ended: it wrote a line of more than ${maxLine >> 20} MB`);
      }
      parts.push(part);
      if (end < 0) return;
      const line = Buffer.concat(parts).toString('utf8');
      parts = [];
      size = 0;
      from = end + 1;
      if (line.trim() !== '') onLine(line);
    }
  });
}

async function endOf(child: Child, clean: () => Promise<void>): Promise<string> {
  const how = await new Promise<string>(resolve => {
    child.once('error', error => resolve(`cannot be started (${codeOf(error) ?? error.message})`));
    child.once('exit', (code, signal) =>
      resolve(signal ? `was ended by ${signal}` : `ended with exit code ${code}`),
    );
  });
  await clean();
  return how;
}

/** True if the work ended within these milliseconds; no timer is left then. */
async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  const stop = new AbortController();
  const late = sleep(ms, false, { signal: stop.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    stop.abort();
  }
}
