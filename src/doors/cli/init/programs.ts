// The person's own programs, git and gh, as they would start them: with their configuration and their login.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface Ran {
  /** Undefined: there is no such program. */
  code: number | null | undefined;
  out: string;
  /** Reason of the failure: standard error in one line, without progress, URLs and hints. */
  why: string;
}

/** Characters of a reason that are shown. */
const MAX_REASON = 500;

/** Git says its reason in a line before the last: `! [remote rejected] ... (refusing to allow ...)`. */
function reasonIn(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map(line => line.trim());
  const reasons = lines.filter(
    line =>
      line !== '' &&
      !/^(?:To |hint: |[A-Z][a-z]+ \w+: +\d+%|remote: (?:[A-Z][a-z]+ \w+: +\d+%.*)?$)/.test(line),
  );
  const whole = [...new Set(reasons)].join('; ');
  return whole.length > MAX_REASON ? `...${whole.slice(-MAX_REASON)}` : whole;
}

/** Runs a program in `cwd`; never throws. `input` goes to its standard input, where a secret is seen by nobody else. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, input }: { cwd: string; input?: string },
): Promise<Ran> {
  const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  // A program that exits before it reads its input reports the failure by its exit code.
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  const ended = new Promise<number | null | undefined>(resolve => {
    child.on('error', () => resolve(undefined));
    child.on('close', resolve);
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out: out.trim(), why: reasonIn(err) };
}
