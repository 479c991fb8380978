// `echelon task js`: JavaScript that a person runs, in the sandbox that models' JavaScript is run in.
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { endAll, runCli, startCli } from '../run-cli.ts';
import { taskFolder } from './fixture.ts';

afterEach(endAll);

const js = (input: string | Uint8Array, ...args: string[]) => runCli(['task', 'js', '-', ...args], { input });

test.each<{ what: string; code: string; exit: number; stdout: string; stderr: string }>([
  {
    what: 'a value is JSON on stdout',
    code: 'return { a: [1, "x"] }',
    exit: 0,
    stdout: '{"a":[1,"x"]}\n',
    stderr: '',
  },
  { what: 'none', code: 'const a = 1', exit: 0, stdout: 'undefined\n', stderr: '' },
  {
    what: 'console lines are on stderr, in their order',
    code: 'console.log("one", 1); console.error("two\\nthree"); return await Promise.resolve(2)',
    exit: 0,
    stdout: '2\n',
    stderr: 'log: one 1\nerror: two\nthree\n',
  },
  {
    what: 'more lines than a record keeps are printed all',
    code: 'for (let i = 0; i < 80; i++) console.log(i); return "y".repeat(20000).length',
    exit: 0,
    stdout: '20000\n',
    stderr: Array.from({ length: 80 }, (_, i) => `log: ${i}\n`).join(''),
  },
  {
    what: 'a long value is whole',
    code: 'return "y".repeat(20000)',
    exit: 0,
    stdout: `"${'y'.repeat(20_000)}"\n`,
    stderr: '',
  },
  {
    what: 'what fails keeps its output',
    code: 'console.log("before");\nreturn nothing.x',
    exit: 1,
    stdout: '',
    stderr: 'log: before\nUNDEFINED_REFERENCE: ReferenceError: nothing is not defined (line 2',
  },
  {
    what: 'what came too late is on stderr',
    code: 'setTimeout(() => {}, 1e6); return 1',
    exit: 0,
    stdout: '1\n',
    stderr:
      '1 timer had not fired when the code returned, and what was to follow, writes too, was not done\n',
  },
])('$what', async ({ code, exit, stdout, stderr }) => {
  const ran = await js(code);
  expect(ran.code, ran.stderr).toBe(exit);
  expect(ran.stdout).toBe(stdout);
  if (exit === 0) expect(ran.stderr).toBe(stderr);
  else expect(ran.stderr).toContain(stderr);
});

test('of a file, and --json is the record: a person started it, and it was tried once', async () => {
  using folder = await taskFolder({
    'a.js': 'console.log("hi"); return 7',
    'b.js': 'throw new Error("network timeout")',
  });
  const cwd = folder.path;
  expect(await runCli(['task', 'js', 'a.js'], { cwd })).toEqual({
    code: 0,
    stdout: '7\n',
    stderr: 'log: hi\n',
  });
  const ran = await runCli(['task', 'js', 'a.js', '--json'], { cwd });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(ran.stdout)).toMatchObject({
    state: 'completed',
    startedBy: 'person',
    policy: 'default',
    attempts: 1,
    value: '7',
    console: [{ level: 'log', text: 'hi' }],
  });
  // The policy would try a failed network again; a person's execution never is.
  const failed = await runCli(['task', 'js', 'b.js', '--json'], { cwd });
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.stdout)).toMatchObject({ state: 'failed', startedBy: 'person', attempts: 1 });
});

describe('time', () => {
  test('the policy of the folder limits it', async () => {
    using folder = await taskFolder({
      '.github/echelon.yml': 'reasoning:\n  policy: safe\n',
      'a.js': 'return 1',
    });
    const done = await runCli(['task', 'js', 'a.js', '--json'], { cwd: folder.path });
    expect(JSON.parse(done.stdout)).toMatchObject({ policy: 'safe', value: '1' });
  });

  test('Ctrl-C ends it', async () => {
    using folder = await taskFolder({
      'a.js': 'console.log("x"); await new Promise(() => setInterval(() => {}, 50))',
    });
    const running = startCli(['task', 'js', 'a.js', '--debug'], {
      cwd: folder.path,
      onLine: (line, kill) => {
        if (line.includes('"to":"executing"')) kill('SIGINT');
      },
    });
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
  });
});

test.each<{ args: string[]; says: string }>([
  { args: [], says: 'name the file of JavaScript to run, or - for standard input' },
  { args: ['a.js', 'b.js'], says: 'unexpected argument b.js' },
  { args: ['.'], says: '.: is a folder; name a file' },
  { args: ['latin.js'], says: 'latin.js: is not UTF-8 text (byte 8 (0xe9))' },
  { args: ['a.js', '--jsn'], says: 'unknown option --jsn; did you mean --json?' },
])('$args is called wrongly', async ({ args, says }) => {
  using folder = await taskFolder({ 'a.js': 'return 1' });
  writeFileSync(folder.at('latin.js'), Buffer.from('return "\xe9"', 'latin1'));
  const ran = await runCli(['task', 'js', ...args], { cwd: folder.path });
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toContain(says);
});

test('standard input that is not UTF-8 is refused', async () => {
  const ran = await js(Buffer.from([0x61, 0xff]));
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toContain('-: is not UTF-8 text (byte 1 (0xff))');
});
