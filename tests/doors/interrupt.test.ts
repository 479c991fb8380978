// Leftovers after signals where no sandbox ends commands with the process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporary, writeFiles } from '../ground/workspace/fixture.ts';

const source = (path: string) => JSON.stringify(join(import.meta.dirname, '../..', path));
/** One command that no gentle signal ends; the process says when it runs. */
const program = `
import { interruption } from ${source('src/doors/interrupt.ts')};
import { runCommand } from ${source('packages/ground/workspace/command.ts')};
const [tree, home] = process.argv.slice(2);
const signal = interruption();
signal.addEventListener('abort', () => console.log('aborted'));
await runCommand({
  command: "trap '' TERM HUP INT; echo $$ > pid; echo runs; while :; do sleep 1; done",
  tree, home, hostPath: '/usr/bin:/bin', env: {}, time: { ms: 30000, more: 'no more' }, maxOutputBytes: 1000,
  isolation: { kind: 'none' }, hosts: [], signal, onOutput: piece => console.log(piece),
});
`;

test.for<[name: string, signals: NodeJS.Signals[], ended: NodeJS.Signals | null]>([
  ['Ctrl-C', ['SIGINT'], null],
  ['Ctrl-C twice', ['SIGINT', 'SIGINT'], 'SIGINT'],
  ['the terminal closing, told twice', ['SIGHUP', 'SIGHUP'], null],
])('%s: no command is left', async ([, signals, ended]) => {
  await using folder = await temporary();
  const at = (name: string) => join(folder.path, name);
  await writeFiles(folder.path, { 'p.mjs': program, 'tree/x': '' });
  const child = spawn(process.execPath, [at('p.mjs'), at('tree'), at('home')], { stdio: 'pipe' });
  const closed = once(child, 'close');
  const lines: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    lines.push(text);
    const aborted = lines.join('').includes('aborted');
    if (aborted && signals[1] && lines.length > 0) child.kill(signals[1]);
    else if (!aborted && lines.join('').includes('runs')) child.kill(signals[0]);
  });
  expect((await closed)[1]).toBe(ended);
  const group = readFileSync(at('tree/pid'), 'utf8').trim();
  await expect.poll(() => alive(group), { timeout: 3000, interval: 20 }).toEqual([]);
});

/** Processes of the group that are no zombies. */
function alive(group: string): string[] {
  return readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid) || !existsSync(`/proc/${pid}/stat`)) return false;
    try {
      const [state, , of] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      return of === group && state !== 'Z' && state !== 'X';
    } catch {
      return false;
    }
  });
}
