// Locks: held by the living, taken over from the dead, and never two holders.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InUse, lock } from '../../src/workspace/lock.ts';
import { temporary } from './fixture.ts';

const module = join(import.meta.dirname, '../../src/workspace/lock.ts');

test('one at a time, and nothing is left behind', async () => {
  await using folder = await temporary();
  const held = join(folder.path, 'l');
  const unlock = lock(held, 'it');
  expect(() => lock(held, 'it')).toThrow(InUse);
  expect(() => lock(held, 'it')).toThrow(`it is in use by process ${process.pid}; `);
  unlock();
  lock(held, 'it')();
  expect(readdirSync(folder.path)).toEqual([]);
});

const { pid: dead } = spawnSync(process.execPath, ['--version']);
test.each([
  { of: 'a dead process', text: JSON.stringify({ pid: dead, began: '1' }) },
  { of: 'a process whose number another has now', text: JSON.stringify({ pid: process.pid, began: '1' }) },
  { of: 'nobody', text: 'torn' },
])('the lock of $of is taken over', async ({ text }) => {
  await using folder = await temporary();
  const held = join(folder.path, 'l');
  writeFileSync(held, text);
  const unlock = lock(held, 'it');
  expect(() => lock(held, 'it')).toThrow(InUse);
  unlock();
  expect(readdirSync(folder.path)).toEqual([]);
});

test('of many that take over a stale lock at once, one has it', { timeout: 30_000 }, async () => {
  await using folder = await temporary();
  const held = join(folder.path, 'l');
  writeFileSync(held, '{"pid":1,"began":"0"}');
  const code = `
    const { lock } = await import(${JSON.stringify(module)});
    process.stdin.once('data', () => {
      try { lock(process.argv[1], 'it'); console.log('mine'); } catch (error) { console.log(error.name); }
    });
    process.stdin.once('end', () => process.exit());
    console.log('ready');`;
  const children = Array.from({ length: 6 }, () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code, held]);
    child.stdout.setEncoding('utf8');
    const says = () => new Promise<string>(resolve => child.stdout.once('data', resolve));
    return { child, says, ready: says() };
  });
  await Promise.all(children.map(({ ready }) => ready));
  const said = children.map(({ says }) => says());
  for (const { child } of children) child.stdin.write('now\n');
  expect((await Promise.all(said)).map(each => each.trim()).sort()).toEqual([
    ...Array.from({ length: 5 }, () => 'InUse'),
    'mine',
  ]);
  await Promise.all(
    children.map(({ child }) => {
      const over = new Promise(resolve => child.once('close', resolve));
      child.stdin.end();
      return over;
    }),
  );
});
