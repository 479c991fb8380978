// The person's own programs, git and gh, as they would start them: with their configuration and their login.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface Ran {
  /** Undefined: there is no such program. */
  code: number | null | undefined;
  out: string;
  /** The last line that it wrote to standard error. */
  why: string;
}

/** Runs a program in `cwd`; never throws. `input` goes to its standard input, where a secret is seen by nobody else. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, input }: { cwd: string; input?: string },
): Promise<Ran> {
  const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  // Who ends before reading says why by its code.
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  const ended = new Promise<number | null | undefined>(resolve => {
    child.on('error', () => resolve(undefined));
    child.on('close', resolve);
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out: out.trim(), why: err.trim().split('\n').at(-1) ?? '' };
}
