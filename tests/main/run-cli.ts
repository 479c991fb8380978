// Runs the command line as a user does: a real process, its streams apart.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
export const entry = join(root, 'src/main/echelon.js');

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** `onLine` sees each line of either stream as it comes, and may act on the process. */
export function runCli(
  args: string[],
  options: {
    env?: Record<string, string>;
    cwd?: string;
    onLine?: (line: string, kill: (signal: NodeJS.Signals) => void) => void;
  } = {},
): Promise<Ran> {
  const { ANTHROPIC_API_KEY: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: options.cwd ?? root,
    env: { ...inherited, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    let rest = '';
    child[name].setEncoding('utf8');
    child[name].on('data', (text: string) => {
      ran[name] += text;
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) options.onLine?.(line, signal => child.kill(signal));
    });
  }
  return new Promise(resolve => {
    child.on('close', code => resolve({ ...ran, code }));
  });
}
