// Programs as S-expressions at the command line: written from XML and back, and taken wherever a program is.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runCli } from '../run-cli.ts';
import { greets, taskFolder } from './fixture.ts';

const task = (cwd: string, ...args: string[]) => runCli(['task', ...args], { cwd });

/** `greeting`, in canonical form, but for what is found in the library. */
const asTask = `; by name
(task greeting :type sequential
  (inputs
    (input who))
  (steps
    (task greet
      (description "Greet {{who}}"))
    (task :ref count)))
`;

describe('convert', () => {
  test('writes each as the other, which comes back as it was', async () => {
    using folder = await taskFolder({ 'p.task': asTask });
    const xml = await task(folder.path, 'convert', 'p.task');
    expect(xml).toMatchObject({ code: 0, stderr: '' });
    expect(xml.stdout).toMatch(/^<!-- by name -->\n<task type="sequential" name="greeting">\n {2}<inputs>\n/);
    writeFileSync(folder.at('p.xml'), xml.stdout);
    expect(await task(folder.path, 'convert', 'p.xml')).toEqual({ code: 0, stdout: asTask, stderr: '' });
  });

  test('refuses what is wrong', async () => {
    using folder = await taskFolder({ 'p.task': '(task\n  (description "x)' });
    const broken = await task(folder.path, 'convert', 'p.task');
    expect(broken).toEqual({
      code: 1,
      stdout: '',
      stderr: 'p.task:2:16 the text that begins here is not closed with "\n',
    });
    const called = await task(folder.path, 'convert', 'none.xml');
    expect(called.code).toBe(2);
    expect(called.stderr).toContain('none.xml: not found\n');
  });
});

describe('a program in S-expressions', () => {
  const counting = '(task count (description "Count the letters.") (output letters :type number))';

  test('is checked and run, with templates of the folder in either surface', async () => {
    using folder = await taskFolder({
      'p.task': asTask,
      '.github/echelon/count.task': counting,
      's.json': greets,
    });
    expect(await task(folder.path, 'check', '.')).toMatchObject({ code: 0, stdout: '' });
    const ran = await task(folder.path, 'run', 'p.task', '--input', 'who=Ada', '--script', 's.json');
    expect(ran).toMatchObject({ code: 0, stdout: 'Eight\nletters: 8\n' });
  });

  test('is formatted, as it is asked for and in the surface it has', async () => {
    using folder = await taskFolder({ 'a/p.task': asTask.replaceAll('\n', ' ').replace('; by name', '') });
    expect(await task(folder.path, 'format', '--check', 'a')).toMatchObject({
      code: 1,
      stdout: 'a/p.task\n',
    });
    expect(await task(folder.path, 'format', 'a')).toMatchObject({ code: 0, stdout: 'a/p.task\n' });
    expect(`; by name\n${readFileSync(folder.at('a/p.task'), 'utf8')}`).toBe(asTask);
  });
});
