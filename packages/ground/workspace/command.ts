// Runs one shell command of a project or a model in a checkout: alone with an environment of an allowlist, within
// limits, in a sandbox where there is one, and with nothing left running afterwards.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AllowedHosts } from './allowed-hosts.ts';
import { type BoundedOutput, boundedOutput } from './bounded-output.ts';
import { bubblewrapArguments, placesInside, type Room, type Shown } from './bubblewrap.ts';
import { type CommandResult, endOf, maxFileBytes, type TimeLimit } from './command-end.ts';
import { type Egress, openEgress } from './egress.ts';
import { type Forward, forwarder } from './forward.ts';
import { gitCovers } from './git-config.ts';
import type { Isolation } from './isolation.ts';
import { commandMark, endGroup, jobMark, killMarked, runningGroups, signalGroup } from './process-tree.ts';
import { noNetworkEnv, proxyEnv } from './proxy-env.ts';
import { mirrorsIn, type Reach, reachInside } from './reach.ts';
import { sendFilter } from './system-call-filter.ts';
import { findToolchains } from './toolchains.ts';
import { upstreamOf } from './upstream-proxy.ts';

/** `tree`: where it runs. `home`: its HOME, for caches; kept by the caller between the commands of one checkout. */
export interface ShellCommand extends Room {
  /** For `bash -c`, or `sh -c` where there is no bash. */
  command: string;
  /** The PATH of the host, to find its toolchains. Nothing else of the host's environment is passed on. */
  hostPath: string;
  /** Added to the variables of the allowlist. Everything in it is visible to model-written code. */
  env: Record<string, string>;
  stdin?: string;
  /** Marks everything the command starts as this job's, so that the job can be ended from outside. */
  job?: string;
  time: TimeLimit;
  /** For stdout and for stderr, each. */
  maxOutputBytes: number;
  isolation: Isolation;
  /** Sockets outside of a sandbox that the command reaches by ports on its loopback. */
  forwards?: readonly Forward[];
  /** Hosts beyond the command's own loopback. A sandbox reaches them by a proxy; without one nothing keeps it from others. */
  hosts: AllowedHosts;
  /** By what the machine reaches the network; of use to the command where it has one. */
  reach?: Reach;
  /** Ends the command at once. */
  signal: AbortSignal;
  /** Told of each piece of output as it comes, for signs of life. */
  onOutput?: (piece: string) => void;
}

/** After the command ended, for output in flight; longer only if a stranger holds the pipe. */
const drainMs = 500;

/**
 * By its place: what a command may have left in PATH under that name is not what runs the next one. It outlives a lone
 * command, which bash would make way for: what a signal ends is told with an exit code, as by every shell.
 */
const inShell = `[ -x /bin/bash ] && exec /bin/bash -c 'eval "$1"; exit $?' bash "$1"; exec /bin/sh -c "$1"`;

/**
 * Limits that children inherit: files of 1 GiB, no core dumps, and 4096 processes (of the sandbox; without one, of
 * the user, which is why it is no lower; not applied to root). dash before 0.5.12 names the last one -p. Memory has no
 * limit (decision 0062), but where it runs out the kernel ends a command first, not Echelon or the runner.
 */
const limits = `{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; ulimit -f ${maxFileBytes / 512}; ulimit -c 0; (ulimit -u 4096) 2>/dev/null && ulimit -u 4096 || { (ulimit -p 4096) 2>/dev/null && ulimit -p 4096; }; ${inShell}`;

/**
 * Runs the command to its end, its time limit or the signal. Throws the signal's reason after everything was killed;
 * a failing command is a result. With `none`, a process that leaves its group *and* empties its environment is not
 * found and lives on, and the disk and other processes of the user are open to the command.
 */
export async function runCommand(what: ShellCommand): Promise<CommandResult> {
  what.signal.throwIfAborted();
  const mark = randomUUID();
  const launch = await launchOf(what, mark);
  try {
    what.signal.throwIfAborted();
    return await carryOut(what, launch, mark);
  } finally {
    await launch.clean();
  }
}

async function carryOut(
  what: ShellCommand,
  { argv, env, tree, sandboxed, egress }: Launch,
  mark: string,
): Promise<CommandResult> {
  const started = performance.now();
  const child = spawn(argv[0]!, argv.slice(1), {
    ...{ cwd: tree, env, detached: true },
    stdio: ['pipe', 'pipe', 'pipe', sandboxed ? 'pipe' : 'ignore'],
  }) as ChildProcessWithoutNullStreams;
  if (sandboxed) sendFilter(child);
  if (child.pid !== undefined) runningGroups.add(child.pid);
  const [stdout, stderr] = [boundedOutput(what.maxOutputBytes), boundedOutput(what.maxOutputBytes)];
  collect(child.stdout, stdout, what.onOutput);
  collect(child.stderr, stderr, what.onOutput);
  child.stdin.on('error', () => {}); // It may end without reading its input.
  child.stdin.end(what.stdin ?? '');

  let timedOut = false;
  // A sandbox dies at once: from outside only its first process can be told.
  const stop = () => endGroup(child, sandboxed && 0);
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, what.time.ms);
  what.signal.addEventListener('abort', stop, { once: true });
  try {
    const ended = await exitOf(child);
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    if (!sandboxed) await killMarked(commandMark, mark);
    await drained(child);
    what.signal.throwIfAborted();
    const result: CommandResult = {
      exit_code: ended.code,
      ...(ended.signal ? { signal: ended.signal } : {}),
      stdout: stdout.text(),
      // Lines for whoever reads the output: many clients tell the status of a refusal only.
      stderr:
        stderr.text() +
        (ended.code === 0 ? '' : (egress?.refused ?? []).map(each => `\n[sandbox] ${each}`).join('')),
      timed_out: timedOut,
      truncated: stdout.truncated || stderr.truncated,
      ...(stdout.truncated ? { stdout_cut: true as const } : {}),
      ...(egress && { refused: egress.refused }),
      duration_ms: Math.round(performance.now() - started),
    };
    const end = endOf(result, what);
    return end === undefined ? result : { ...result, end };
  } finally {
    clearTimeout(timer);
    if (child.pid !== undefined) runningGroups.delete(child.pid);
    what.signal.removeEventListener('abort', stop);
  }
}

interface Launch {
  argv: string[];
  env: Record<string, string>;
  tree: string;
  sandboxed?: true;
  egress?: Egress | undefined;
  /** Takes away what was made for this command alone. */
  clean(): Promise<void>;
}

/** Program and arguments that start the command, sandboxed if possible. `mark` identifies its processes. */
async function launchOf(what: ShellCommand, mark: string): Promise<Launch> {
  const tree = await realpath(what.tree);
  await mkdir(what.home, { recursive: true });
  const home = await realpath(what.home);
  const temporary = await temporaryFolder(home);
  const toolchains = findToolchains(what.hostPath);
  const sandbox = what.isolation.kind === 'bubblewrap' ? what.isolation : undefined;
  const room = { tree, home, ...(what.at !== undefined && { at: what.at }) };
  const reach = what.hosts.length > 0 ? (what.reach ?? {}) : {};
  const led = sandbox ? reachInside(reach) : { env: reach, shows: [] };
  const isOffline = sandbox !== undefined && what.hosts.length === 0;
  const env: Record<string, string> = {
    ...led.env,
    ...(isOffline && noNetworkEnv),
    PATH: toolchains.path,
    HOME: sandbox ? placesInside(room).home : home,
    TMPDIR: sandbox ? '/tmp' : temporary,
    LANG: 'C.UTF-8',
    CI: 'true',
    // Some tools colour what they write where CI is set: escape codes were two fifths of a test's output.
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    ...toolchains.env,
    ...what.env,
    [commandMark]: mark,
    ...(what.job !== undefined && { [jobMark]: what.job }),
  };
  const argvOf = (through: string[]) => [...through, '/bin/sh', '-c', limits, 'sh', what.command];
  if (!sandbox)
    return { argv: argvOf(forwarded(what.forwards ?? [], false).argv), env, tree, clean: async () => {} };
  // Beside the home, which a command may write.
  const ownGit = join(dirname(home), `git-${mark}`);
  const covers = await gitCovers(tree, ownGit);
  const egress =
    what.hosts.length > 0
      ? await openEgress({ hosts: what.hosts, trusted: mirrorsIn(reach), upstream: upstreamOf(reach) })
      : undefined;
  const proxy = egress ? [{ socket: egress.socket, env: proxyEnv }] : [];
  const through = forwarded([...(what.forwards ?? []), ...proxy], true);
  const shows = [...through.shows, ...led.shows];
  const confined = bubblewrapArguments({ ...room, temporary, toolchains, shows, covers });
  return {
    ...{ env, tree, egress, sandboxed: true as const },
    argv: [...sandbox.command, ...confined, ...argvOf(through.argv)],
    async clean() {
      await egress?.close();
      if (covers.length > 0) await rm(ownGit, { recursive: true, force: true });
    },
  };
}

/** Folder in a sandbox with node and the sockets. */
const FORWARDS_AT = '/run/echelon';

/** The command's first words where it is to reach sockets, and what a sandbox shows for that. */
function forwarded(forwards: readonly Forward[], sandboxed: boolean): { argv: string[]; shows: Shown[] } {
  if (forwards.length === 0) return { argv: [], shows: [] };
  const node = { from: process.execPath, to: `${FORWARDS_AT}/node` };
  const sockets = forwards.map(({ socket }, n) => ({ from: socket, to: `${FORWARDS_AT}/${n}` }));
  const at = ({ from, to }: Shown) => (sandboxed ? to : from);
  const plan = forwards.map(({ env }, n) => ({ env, socket: at(sockets[n] ?? node) }));
  return { argv: [at(node), '-e', forwarder, JSON.stringify(plan)], shows: [node, ...sockets] };
}

/**
 * The folder for /tmp, kept from one command to the next. It lies beside `home`, not in it: a command may write all
 * of its home, and a link that it left at the folder's place would be bound as if it were ours.
 */
async function temporaryFolder(home: string): Promise<string> {
  const folder = join(dirname(home), 'tmp');
  await mkdir(folder, { recursive: true });
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is not a folder of ours`);
  return folder;
}

function collect(stream: NodeJS.ReadableStream, into: BoundedOutput, tell?: (piece: string) => void): void {
  stream.on('data', (chunk: Buffer) => {
    into.add(chunk);
    tell?.(chunk.toString('utf8'));
  });
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

async function drained(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].flatMap(stream => (stream && !stream.closed ? [stream] : []));
  const closed = Promise.all(streams.map(stream => new Promise(resolve => stream.once('close', resolve))));
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([closed, new Promise(resolve => (timer = setTimeout(resolve, drainMs)))]);
  clearTimeout(timer);
  for (const stream of streams) stream.destroy();
}
