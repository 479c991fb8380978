// Locks: one holder at a time, also among containers, and none that is dead.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InUse, lock } from '../../../packages/ground/workspace/lock.ts';
import { temporary } from './fixture.ts';

const module = join(import.meta.dirname, '../../../packages/ground/workspace/lock.ts');

const code = `
  const { lock } = await import(${JSON.stringify(module)});
  try { lock(process.argv[1], 'it'); console.log('mine'); setInterval(() => {}, 1000); } catch (error) { console.log(error.name); }`;

/** Another process that takes the lock and lives, or says why not; `through`: a command that starts it. */
function holding(path: string, through: string[] = []) {
  const [command = '', ...given] = [...through, process.execPath, '--input-type=module', '-e', code, path];
  const child = spawn(command, given, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.setEncoding('utf8');
  const said = new Promise<string>(resolve => child.stdout.once('data', resolve));
  return { process: child, says: async () => (await said).trim() };
}

const canUnshare =
  spawnSync('unshare', ['--user', '--map-root-user', '--pid', '--fork', 'true']).status === 0;

test('one at a time', async () => {
  await using folder = await temporary();
  const held = join(folder.path, 'l');
  const unlock = lock(held, 'it');
  expect(() => lock(held, 'it')).toThrow(InUse);
  expect(() => lock(held, 'it')).toThrow('it is in use by another process; ');
  unlock();
  lock(held, 'it')();
});

test('a process that was killed has given it up; its process id does not matter', async () => {
  await using folder = await temporary();
  const held = join(folder.path, 'l');
  const child = holding(held);
  expect(await child.says()).toBe('mine');
  expect(() => lock(held, 'it')).toThrow(InUse);
  const over = new Promise(resolve => child.process.once('close', resolve));
  child.process.kill('SIGKILL');
  await over;
  lock(held, 'it')();
});

test.skipIf(!canUnshare)(
  'a process in another container, which sees no process of ours, does not take it',
  async () => {
    await using folder = await temporary();
    const held = join(folder.path, 'l');
    const unlock = lock(held, 'it');
    const child = holding(held, ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child']);
    expect(await child.says()).toBe('InUse');
    unlock();
  },
);
