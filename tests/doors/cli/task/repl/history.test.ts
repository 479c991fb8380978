// The history of the REPL: kept from one time to the next, for its owner only, and no more than is needed.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openHistory } from '../../../../../src/doors/cli/task/repl/history.ts';
import { taskFolder } from '../fixture.ts';

const silent = () => {};

test('lines are there the next time, the newest first, in a file of their owner', async () => {
  using folder = await taskFolder();
  const state = join(folder.path, 'state/echelon');
  const first = openHistory(state, silent);
  for (const line of ['one', ' ', 'two']) first.add(line);
  expect(openHistory(state, silent).lines).toEqual(['two', 'one']);
  expect(statSync(join(state, 'task-repl-history')).mode & 0o777).toBe(0o600);
  expect(statSync(state).mode & 0o777).toBe(0o700);
});

test('a file that others could read is made private, and shortened to the newest lines', async () => {
  using folder = await taskFolder();
  const file = folder.at('task-repl-history');
  writeFileSync(file, Array.from({ length: 1200 }, (_, n) => `line ${n}\n`).join(''));
  chmodSync(file, 0o644);
  const { lines } = openHistory(folder.path, silent);
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([1000, 'line 1199', 'line 200']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(1001);
});

test('what keeps it from being kept is told once, and nothing is thrown', async () => {
  using folder = await taskFolder();
  mkdirSync(folder.at('task-repl-history'));
  const told: string[] = [];
  const history = openHistory(folder.path, problem => told.push(problem));
  history.add('one');
  expect(history.lines).toEqual([]);
  expect(told).toEqual([`the history is not kept: ${folder.at('task-repl-history')} (EISDIR)`]);
});
