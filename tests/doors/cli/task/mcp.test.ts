// `--mcp`: the tools of servers that the operator names, on the command line.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { beganAt } from '../../../../packages/ground/workspace/process-tree.ts';
import { until } from '../../../until.ts';
import { endAll, root, runCli, startCli } from '../run-cli.ts';
import { script, taskFolder } from './fixture.ts';

afterEach(endAll);

const real = join(root, 'tests/doors/library/real-mcp-server.ts');
const hostile = join(root, 'tests/engine/runtime/mcp/hostile-server.ts');
const servers = (name: string, args: string[], env?: Record<string, string>) =>
  JSON.stringify({ mcpServers: { [name]: { command: process.execPath, args, ...(env && { env }) } } });
const program = (tool: string) =>
  `<task name="ask"><description>x</description><tools>${tool}</tools></task>\n`;
const calls = (name: string, input: object) =>
  script(
    { for: 'ask', tool_calls: [{ name, input: { ...input } }] },
    { for: 'ask', when: 'A-12: 4', text: 'Four.' },
  );
/** One that nobody has buried is over, too. */
const isAlive = (pid: number) => ![null, 'over'].includes(beganAt(pid));

test('a program is checked with them, and runs with them', async () => {
  using folder = await taskFolder({
    'p.xml': program('stock__count'),
    'wrong.xml': program('stock__cuont').replace('"ask"', '"wrong"'),
    'mcp.json': servers('stock', [real]),
    's.json': calls('stock__count', { part: 'A-12' }),
  });
  const given = ['--mcp', 'mcp.json'];
  const { path: cwd } = folder;
  expect(await runCli(['task', 'check', 'p.xml', 'wrong.xml', ...given], { cwd })).toEqual({
    code: 1,
    stdout: 'wrong.xml:1:55 unknown tool "stock__cuont"; did you mean "stock__count"?\n',
    stderr: expect.stringMatching(
      /^stock__count \(only reads\): A tool of the server stock, .*"How many of a part there are\."\nstock__order: .*\n$/,
    ),
  });
  expect(await runCli(['task', 'run', 'p.xml', '--script', 's.json', ...given], { cwd })).toEqual({
    ...{ code: 0, stdout: 'Four.\n', stderr: '' },
  });
  const entered = { cwd, input: program('stock__count') };
  expect(await runCli(['task', 'repl', '--script', 's.json', ...given], entered)).toMatchObject({
    ...{ code: 0, stdout: 'Four.\n' },
  });
});

test('what a folder says of servers is not read', async () => {
  using folder = await taskFolder({
    'p.xml': program('stock__count'),
    '.mcp.json': servers('stock', [real]),
    's.json': script(),
    'keyed/.github/echelon.yml': 'mcpServers: {}\n',
  });
  const { path: cwd } = folder;
  const run = ['task', 'run', 'p.xml', '--script', 's.json'];
  const { code, stderr } = await runCli(run, { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('unknown tool "stock__count"')]);
  const keyed = await runCli([...run, '--folder', 'keyed'], { cwd });
  expect([keyed.code, keyed.stderr]).toEqual([2, expect.stringContaining('mcpServers')]);
});

test.each([
  ['no file', undefined, 'not found'],
  ['no JSON', '{', 'JSON'],
  ['no servers', '{}', 'no object with the key mcpServers'],
  ['a server that cannot be', '{"mcpServers":{"a":{"url":"http://x"}}}', 'a.command: '],
])('a call with %s is wrong', async (_name, text, expected) => {
  using folder = await taskFolder({
    'p.xml': program('read_file'),
    's.json': script(),
    ...(text !== undefined && { 'mcp.json': text }),
  });
  const { code, stderr } = await runCli(['task', 'run', 'p.xml', '--script', 's.json', '--mcp', 'mcp.json'], {
    cwd: folder.path,
  });
  expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`--mcp mcp.json: .*${expected}`))]);
});

test.each([
  ['Ctrl-C, though it takes no notice', 'hangs', 'SIGINT'],
  ['a crash of ours', 'waits', 'SIGKILL'],
] as const)('a server under way is gone after %s', async (_name, what, signal) => {
  using folder = await taskFolder({ 'p.xml': program('bad__echo'), 's.json': calls('bad__echo', {}) });
  const pidFile = folder.at('pids');
  const mcp = folder.at('mcp.json');
  writeFileSync(mcp, servers('bad', [hostile, what], { PIDS: pidFile }));
  const running = startCli(['task', 'run', 'p.xml', '--script', 's.json', '--mcp', mcp], {
    cwd: folder.path,
  });
  await until('the call', () => existsSync(pidFile) || undefined, { more: () => running.ran.stderr });
  const pids = readFileSync(pidFile, 'utf8').split(' ').map(Number);
  expect(pids.map(isAlive)).not.toContain(false);
  running.kill(signal);
  const { code } = await running.ended;
  if (signal === 'SIGINT') expect([code, pids.map(isAlive)]).toEqual([130, [false, false]]);
  else await until('its end', () => !pids.some(isAlive) || undefined, { more: () => '' });
});
