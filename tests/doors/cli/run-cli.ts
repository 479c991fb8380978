// Runs the command line with streams and an environment of its own: in this process, or as a real one where signals, a
// terminal or another program around it are the point.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Console } from 'node:console';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import PQueue from 'p-queue';
import { main } from '../../../src/doors/cli/cli.ts';
import { withoutListeners } from '../../process-listeners.ts';

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
  /** A call that is refused, and serves or plays nothing: it needs no process of its own. */
  refused?: true;
  /** The whole command in the place of Node and the entry of this working copy. */
  command?: readonly string[];
}

/** A process that goes on by itself. */
export interface Running {
  /** Output so far. */
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

const environment = (own: Options['env']) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !acting.test(name))),
  ...own,
});

export function startCli(args: string[], options: Options = {}): Running {
  const command = options.command ?? [process.execPath, entry];
  const [program = '', ...rest] = [...(options.through ?? []), ...command, ...args];
  const child = spawn(program, rest, {
    cwd: options.cwd ?? root,
    env: environment(options.env),
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
        setTimeout(over, 50_000).unref();
      }),
  };
  living.add(running);
  ended.then(
    () => living.delete(running),
    () => living.delete(running),
  );
  return running;
}

/** State that a process has once and a call changes: one call at a time. */
const turns = new PQueue({ concurrency: 1 });

/** Those that wait for a signal or run the whole product, whose jobs end with their process. */
const ownProcess = new Set(['demo', 'serve']);

/** The whole of a call. It is made in this process where nothing of it needs one of its own. */
export function runCli(args: string[], options: Options = {}): Promise<Ran> {
  const isReal = options.through ?? options.command ?? options.onLine;
  if (isReal || (ownProcess.has(args[0] ?? '') && !options.refused)) return startCli(args, options).ended;
  return turns.add(() => calledHere(args, options));
}

async function calledHere(args: string[], { env, cwd = root, input }: Options): Promise<Ran> {
  const written = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const textOf = (name: keyof typeof written) => Buffer.concat(written[name]).toString('utf8');
  const sink = (name: keyof typeof written) =>
    new Writable({
      decodeStrings: true,
      write(chunk: Buffer, _encoding, done) {
        written[name].push(chunk);
        done();
      },
    });
  const before = { cwd: process.cwd(), env: { ...process.env }, console: globalThis.console };
  const own = {
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
  };
  const restores = Object.entries(own).map(([name, stream]) => {
    const real = Object.getOwnPropertyDescriptor(process, name)!;
    Object.defineProperty(process, name, { ...real, get: () => stream });
    return () => Object.defineProperty(process, name, real);
  });
  globalThis.console = new Console(own.stdout, own.stderr);
  setEnvironment(environment(env));
  process.chdir(cwd);
  try {
    const code = await withoutListeners(() => main(args));
    return { code, stdout: textOf('stdout'), stderr: textOf('stderr') };
  } finally {
    process.chdir(before.cwd);
    setEnvironment(before.env);
    globalThis.console = before.console;
    for (const restore of restores) restore();
  }
}

/** In place: the system's own calls read it, too. */
function setEnvironment(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in wanted)) delete process.env[name];
  Object.assign(process.env, wanted);
}
