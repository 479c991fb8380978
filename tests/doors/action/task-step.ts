// A step of `mode: task` with what a runner gives it, in `work` of a folder.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionHere } from '../../action-here.ts';
import type { TaskFolder } from '../cli/task/fixture.ts';

interface How {
  env?: Record<string, string>;
  /** Folder of the Action's files: they are started as a runner does, in the place of a call in this process. */
  action?: string;
}

/** Its exit code, what it printed on both streams, and the runner's files for outputs and summary as it leaves them. */
export async function taskStep(
  folder: TaskFolder,
  inputs: Record<string, string>,
  { env: more, action }: How = {},
) {
  const given = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  for (const name of ['output', 'summary']) writeFileSync(folder.at(name), '');
  const env = {
    PATH: process.env['PATH'] ?? '',
    INPUT_MODE: 'task',
    GITHUB_WORKSPACE: folder.at('work'),
    GITHUB_OUTPUT: folder.at('output'),
    GITHUB_STEP_SUMMARY: folder.at('summary'),
    ...Object.fromEntries(given),
    ...more,
  };
  let log = '';
  const write = (text: string) => void (log += text);
  const code = await (action ? started(action, folder.path, env, write) : actionHere({ env, write }));
  const [output, summary] = ['output', 'summary'].map(name => readFileSync(folder.at(name), 'utf8'));
  return { code, log, output: output ?? '', summary: summary ?? '' };
}

async function started(
  action: string,
  cwd: string,
  env: Record<string, string>,
  write: (text: string) => void,
): Promise<number | null> {
  const child = spawn(process.execPath, [join(action, 'index.mjs')], { cwd, env });
  for (const each of [child.stdout, child.stderr]) each.setEncoding('utf8').on('data', write);
  return await new Promise(resolve => child.once('close', resolve));
}
