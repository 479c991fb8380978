// `echelon task repl` as a process: entries from a pipe, and a person at a real terminal.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { endAll, entry, runCli } from '../../run-cli.ts';
import { script, taskFolder } from '../fixture.ts';

afterEach(endAll);

const replies = script(
  { for: 'slow', text: 'too late', delay_ms: 60_000 },
  { for: 'a', times: 2, text: 'a \u001b[31mred' },
);
const go = (name: string) => `<task name="${name}"><description>Go.</description></task>`;

test('entries from a pipe: answers on stdout, the rest on stderr, exit code 1 where one failed', async () => {
  using folder = await taskFolder({ 's.json': replies });
  const input = `${go('a')}\nstartsWith(a, word)\na.nope\n`;
  const args = ['task', 'repl', '--script', 's.json', '--input', 'word=A'];
  expect(await runCli(args, { cwd: folder.path, input })).toEqual({
    code: 1,
    stdout: 'a [31mred\ntrue\n',
    stderr: 'entry 3:1:1 "a" has no field "nope"\nentry 3 failed (line 3 of standard input)\n',
  });
});

test('with --json one line for each entry; exit code 0 where all were good', async () => {
  using folder = await taskFolder({ 's.json': replies });
  const { code, stdout } = await runCli(['task', 'repl', '--script', 's.json', '--json'], {
    cwd: folder.path,
    input: `${go('a')}\n\na`,
  });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { entry: 1, line: 1, ok: true, kind: 'result', result: { content: 'a \u001b[31mred' } },
    { entry: 2, line: 3, ok: true, kind: 'value', value: 'a \u001b[31mred' },
  ]);
  expect(code).toBe(0);
});

test('called wrongly, nothing is done', async () => {
  using folder = await taskFolder();
  const { code, stderr } = await runCli(['task', 'repl', 'more', '--script', 'none.json'], {
    cwd: folder.path,
    input: '',
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^unexpected argument more\n--script none\.json: .*not found/);
});

const hasScript = spawnSync('script', ['--version']).status === 0;
if (!hasScript) console.warn('skipped: a terminal, since there is no script(1) of util-linux');

test.skipIf(!hasScript)('a terminal: prompt, Tab, Ctrl-C while a session runs, Ctrl-D, history', async () => {
  using folder = await taskFolder({ 's.json': replies });
  const command = `'${process.execPath}' '${entry}' task repl --script s.json`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: folder.path,
    env: { PATH: process.env['PATH'], HOME: folder.path, TERM: 'xterm' },
  });
  let shown = '';
  const shows = async (pattern: RegExp) => {
    while (!pattern.test(stripVTControlCharacters(shown))) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const over = setTimeout(() => reject(new Error(`${pattern} was not shown: ${shown}`)), 20_000);
      child.stdout.once('data', chunk => resolve(String(chunk)));
      shown += await promise.finally(() => clearTimeout(over));
    }
    shown = '';
  };
  try {
    const closed = new Promise(resolve => child.once('close', resolve));
    await shows(/echelon> $/);
    child.stdin.write(':bin');
    await shows(/:bin$/);
    child.stdin.write('\t');
    await shows(/dings$/);
    child.stdin.write('\r');
    await shows(/nothing is bound yet\r\n(?:.|\s)*echelon> $/);
    child.stdin.write(`${go('slow').replace('<task', '<task subtype="odd"')}\r`);
    await shows(/warning/);
    child.stdin.write('\x03');
    await shows(/cancelled\r\n(?:.|\s)*echelon> $/);
    child.stdin.write(`${go('a')}\r`);
    await shows(/a \[31mred\r\n(?:.|\s)*echelon> $/);
    child.stdin.write('\x04');
    expect(await closed).toBe(0);
    const kept = readFileSync(folder.at('.local/state/echelon/task-repl-history'), 'utf8');
    expect(kept.split('\n')).toEqual([':bindings', expect.stringContaining('slow'), go('a'), '']);
  } finally {
    child.kill('SIGKILL');
  }
});
