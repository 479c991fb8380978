// The one sentence for how a command ended that did not simply exit: at which limit, after how long, or from outside.
import { constants } from 'node:os';

/** snake_case: reports carry it as it is. */
export interface CommandResult {
  /** Null when a signal ended it. */
  exit_code: number | null;
  signal?: NodeJS.Signals;
  stdout: string;
  stderr: string;
  timed_out: boolean;
  /** True if the middle of an output is left out. */
  truncated: boolean;
  /** True if that output is stdout. */
  stdout_cut?: true;
  duration_ms: number;
  /** A sentence for each host that the sandbox's proxy refused. Absent: it had no proxy. */
  refused?: readonly string[];
  /** The kind of end in words, if the exit code does not say it. */
  end?: string;
}

/** Time limit of a command. */
export interface TimeLimit {
  ms: number;
  /** The setting that allows more, and its maximum, as the end of a sentence. */
  more: string;
}

/** Files that a command writes may have so many bytes (command.ts sets it, in blocks of 512). */
export const maxFileBytes = 2 ** 30;

/** Signals that a program brings on itself. */
const ownFaults = new Set<NodeJS.Signals>([
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGPIPE',
  'SIGSEGV',
  'SIGTRAP',
]);

/** A shell adds this to the number of the signal that ended its program. */
const SIGNALLED = 128;

/**
 * Undefined where the exit code says all. That a limit on processes struck cannot be known: the command is told by the
 * system, and says of it what it likes.
 */
export function endOf(
  result: Omit<CommandResult, 'end'>,
  limits: { time: TimeLimit; maxOutputBytes: number },
): string | undefined {
  const { exit_code, signal, timed_out, truncated, duration_ms } = result;
  const after = `after ${seconds(duration_ms)}`;
  const by = signal ?? signalOf(exit_code);
  const exit = exit_code === null ? undefined : `exit code ${exit_code}`;
  const said: (string | undefined)[] = [];
  if (timed_out)
    said.push(`stopped ${after} at its time limit of ${seconds(limits.time.ms)}`, limits.time.more);
  else if (by === 'SIGXFSZ')
    said.push(exit, `ended ${after} by a file of more than ${maxFileBytes >> 20} MB, the largest allowed`);
  else if (by !== undefined) {
    const whose = exit === undefined ? `ended by ${by}` : `${exit}, as of a program that was ended by ${by}`;
    const from = ownFaults.has(by) ? '' : ' from outside';
    const memory = by === 'SIGKILL' ? '; a machine that runs out of memory does that' : '';
    said.push(`${whose}${from} ${after}`, `no limit of ours was reached${memory}`);
  }
  if (truncated) {
    if (said.length === 0) said.push(exit);
    said.push(
      `the middle of its output is left out: ${limits.maxOutputBytes} bytes are kept of each stream, the most there can be`,
    );
  }
  return said.length > 0 ? said.filter(Boolean).join('; ') : undefined;
}

/** As a script task reports it: where a signal ended it, with the exit code that a shell would give. */
export function outcomeOf({ exit_code, signal, stdout, stderr, timed_out, stdout_cut, end }: CommandResult) {
  const code = exit_code ?? SIGNALLED + constants.signals[signal ?? 'SIGKILL'];
  const more = { ...(stdout_cut && { stdout_cut }), ...(end !== undefined && { end }) };
  return { exit_code: code, stdout, stderr, timed_out, ...more };
}

/** The signal that an exit code stands for with which a program ends only if it was not its own doing. */
function signalOf(exitCode: number | null): NodeJS.Signals | undefined {
  const fatal = ['SIGXFSZ', 'SIGKILL'] as const;
  return fatal.find(name => exitCode === SIGNALLED + constants.signals[name]);
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
