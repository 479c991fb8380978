// Starts a program of others in a checkout: found on PATH, in the sandbox of all commands, with a home of its own.
import { accessSync, constants, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@echelon/ground';
import {
  clear,
  type CommandResult,
  findToolchains,
  placesInside,
  removeTree,
  runCommand,
  type ShellCommand,
} from '@echelon/ground/workspace';
import type { Model } from '../../models/model.ts';
import type { SessionEvent } from '../../reasoning/events.ts';
import type { SessionRequest } from '../../reasoning/request.ts';
import type { SessionSummary } from '../../reasoning/state.ts';
import { EngineMissing, type EngineName } from './engine.ts';
import { type EngineProgram, enginePrograms } from './programs.ts';

/** The checkout, how commands run in it, the model, and who is told. */
export interface EngineRoom
  extends Pick<
    ShellCommand,
    'tree' | 'at' | 'hostPath' | 'isolation' | 'hosts' | 'reach' | 'job' | 'onOutput'
  > {
  /** Of the checkout: in it the program gets a folder of its own, `engine`. */
  folder: string;
  model: Model;
  clock: Clock;
  onEvent(event: SessionEvent): void;
  onSummary(summary: SessionSummary): void;
}

/** Milliseconds in which a program has to say its version. */
const VERSION_MS = 60_000;
/** Bytes of its output that are kept, of stdout and of stderr each. */
const MAX_OUTPUT = 64 * 1024;

/** First line of the program's version output. Throws EngineMissing if it is not on PATH, or does not start. */
export async function versionOf(
  engine: EngineProgram,
  room: EngineRoom,
  signal: AbortSignal,
): Promise<string> {
  const program = engineOnPath(engine, room.hostPath);
  if (program === undefined) throw new EngineMissing(notOnPath(engine));
  const time = { ms: VERSION_MS, more: 'a version is said at once' };
  const command = `${quoted(program)} --version`;
  const { exit_code, end, stdout, stderr } = await inRoom(room, { command, env: {}, time, signal });
  const [line = ''] = stdout.trim().split('\n');
  if (exit_code === 0) return (/\d[\w.-]*/.exec(line)?.[0] ?? line).slice(0, 40);
  const why = end ?? `exit code ${exit_code}: ${stderr.trim().slice(-300)}`;
  throw new EngineMissing(`\`${engine.program}\` does not start where engineers work (${why})`);
}

/** Remedy for a missing program. */
export const notOnPath = ({ program, install }: EngineProgram) =>
  `\`${program}\` is not on PATH where engineers work (\`${install}\` puts it there)`;

/** Reason that none of these engines could work under this PATH; undefined: one could. */
export function whyNoEngine(names: readonly EngineName[], hostPath: string): string | undefined {
  const missing: string[] = [];
  for (const name of names) {
    if (name === 'native' || engineOnPath(enginePrograms[name], hostPath)) return undefined;
    missing.push(notOnPath(enginePrograms[name]));
  }
  return missing.join('; ');
}

/** Path of the program that commands would find under this PATH. */
export const engineOnPath = ({ program }: EngineProgram, hostPath: string): string | undefined =>
  findToolchains(hostPath)
    .path.split(':')
    .map(folder => join(folder, program))
    .find(isProgram);

/** Runs it to its end. `socket`, `token`: of the door at which it asks its model. */
export async function runEngine(
  engine: EngineProgram,
  room: EngineRoom,
  {
    request,
    socket,
    token,
    ...call
  }: { request: SessionRequest; socket: string; token: string; stdin: string; signal: AbortSignal },
): Promise<CommandResult> {
  const sandboxed = room.isolation.kind === 'bubblewrap';
  const own = { tree: room.tree, home: homeIn(room), ...(room.at !== undefined && { at: room.at }) };
  const { home } = sandboxed ? placesInside(own) : own;
  const forwards = [{ socket, env: { [engine.address]: 'http://127.0.0.1:{port}' } }];
  const program = engineOnPath(engine, room.hostPath) ?? engine.program;
  const argv = [program, ...engine.args(request, home)];
  const { first } = engine;
  const command = `${first ? `${first.command}; ` : ''}exec ${argv.map(quoted).join(' ')}`;
  const time = { ms: request.limits.time_ms, more: 'it is that of the whole attempt' };
  try {
    return await inRoom(room, { command, forwards, time, env: engine.env(token, request), ...call });
  } finally {
    if (first) await removeTree(join(room.tree, first.makes));
  }
}

const homeIn = ({ folder }: Pick<EngineRoom, 'folder'>) => join(folder, 'engine', 'home');

/** With an empty home, which no command of the checkout shares: what those leave in theirs is no setting of a program. */
async function inRoom(
  { folder, tree, at, hostPath, isolation, hosts, reach, job, onOutput }: EngineRoom,
  call: Pick<ShellCommand, 'command' | 'env' | 'time' | 'signal' | 'stdin' | 'forwards'>,
): Promise<CommandResult> {
  await clear(folder, ['engine'], call.signal);
  const home = homeIn({ folder });
  await mkdir(home, { recursive: true });
  return await runCommand({
    ...{ tree, home, hostPath, isolation, hosts, maxOutputBytes: MAX_OUTPUT },
    ...(at !== undefined && { at }),
    ...(reach && { reach }),
    ...(job !== undefined && { job }),
    ...(onOutput && { onOutput }),
    ...call,
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not for us.
    return false;
  }
}

/** As one word of the shell. */
const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
