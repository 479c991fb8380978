// Runs the command line as a user does: a real process, its streams apart, and of the environment only what is given.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

export const root = join(import.meta.dirname, '../../..');
export const entry = join(root, 'src/doors/cli/echelon.js');

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Options {
  env?: Record<string, string>;
  cwd?: string;
  /** All of stdin; absent: there is none. */
  input?: string | Uint8Array;
  /** `onLine` sees each line of either stream as it comes, and may act on the process. */
  onLine?: (line: string, kill: (signal: NodeJS.Signals) => void) => void;
  /** Program and arguments that the command line is started by. */
  through?: readonly string[];
  /** The whole command in the place of Node and the entry of this working copy. */
  command?: readonly string[];
}

/** A process that goes on by itself. */
export interface Running {
  /** What it has written so far. */
  readonly ran: Readonly<Ran>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<Ran>;
  /** Resolves at the first text on stdout that fits; rejects, with all it wrote, when it ends before or takes 20 s. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Variables of the environment that tests run in which the command line would act on. */
const acting =
  /^(ANTHROPIC_|OPENAI_|ECHELON_|GHE_|INPUT_)|^(APP_ID|PRIVATE_KEY(_PATH)?|WEBHOOK_(SECRET|PROXY_URL)|HOST|PORT|LOG_LEVEL|NODE_ENV)$/;

const living = new Set<Running>();

/** Ends every process that is still there; for the end of each test, however it ends. */
export async function endAll(): Promise<void> {
  for (const each of living) each.kill('SIGKILL');
  await Promise.all([...living].map(each => each.ended));
}

export function startCli(args: string[], options: Options = {}): Running {
  const inherited = Object.entries(process.env).filter(([name]) => !acting.test(name));
  const command = options.command ?? [process.execPath, entry];
  const [program = '', ...rest] = [...(options.through ?? []), ...command, ...args];
  const child = spawn(program, rest, {
    cwd: options.cwd ?? root,
    env: { ...Object.fromEntries(inherited), ...options.env },
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
  // It may end before it has read all.
  child.stdin?.on('error', () => {}).end(options.input);
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    let begun = '';
    child[name].setEncoding('utf8');
    child[name].on('data', (text: string) => {
      ran[name] += text;
      const lines = (begun + text).split('\n');
      begun = lines.pop() ?? '';
      for (const line of lines) options.onLine?.(line, signal => child.kill(signal));
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => {
      ran.code = code;
      resolve(ran);
    });
  });
  const running: Running = {
    ran,
    ended,
    kill: signal => void child.kill(signal),
    says: pattern =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(ran.stdout);
          if (!found) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
        const over = () => reject(new Error(`it did not say ${pattern}:\n${ran.stdout}${ran.stderr}`));
        ended.then(over, reject);
        setTimeout(over, 20_000).unref();
      }),
  };
  living.add(running);
  ended.then(
    () => living.delete(running),
    () => living.delete(running),
  );
  return running;
}

export const runCli = (args: string[], options: Options = {}): Promise<Ran> => startCli(args, options).ended;
