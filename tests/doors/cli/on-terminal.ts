// The command line on a terminal of its own, made by script(1) of util-linux.
import { spawn, spawnSync } from 'node:child_process';
import { entry } from './run-cli.ts';

export const hasTerminals = spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0;

/** All that reached the terminal, and the exit code. `args` are words of a shell. `interruptAt`: Ctrl-C is pressed when this is to be read. */
export async function onTerminal(
  folder: string,
  args: string,
  {
    env = {},
    columns = 30,
    interruptAt,
  }: { env?: Record<string, string>; columns?: number; interruptAt?: string } = {},
) {
  const command = `stty cols ${columns} rows 20; exec '${process.execPath}' '${entry}' ${args}`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'xterm', ...env },
  });
  let all = '';
  let pressed = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    all += text;
    if (pressed || interruptAt === undefined || !all.includes(interruptAt)) return;
    pressed = true;
    child.stdin.write('\u0003');
  });
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  return { all, code };
}
