// The history of the REPL: kept from one time to the next, for its owner only, and no more than is needed.
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHistory } from '../../../../../src/doors/cli/task/repl/terminal.ts';
import { taskFolder } from '../fixture.ts';

const told: string[] = [];
const tell = (problem: string) => void told.push(problem);

test('lines are there the next time, the newest 1000, the last one first, in a file of their owner', async () => {
  using folder = await taskFolder();
  const [state, file] = [folder.at('state/echelon'), folder.at('state/echelon/task-repl-history')];
  for (const line of ['one', ' ', 'two']) openHistory(state, tell).add(line);
  expect(openHistory(state, tell).lines).toEqual(['two', 'one']);
  expect([statSync(state).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  writeFileSync(file, Array.from({ length: 1200 }, (_, n) => `line ${n}\n`).join(''));
  chmodSync(file, 0o644);
  const { lines } = openHistory(state, tell);
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([1000, 'line 1199', 'line 200']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(1001);
});

test('what keeps it from being kept is told once, and nothing is thrown', async () => {
  using folder = await taskFolder({ 'task-repl-history/a': '' });
  const history = openHistory(folder.path, tell);
  history.add('one');
  expect(history.lines).toEqual([]);
  expect(told).toEqual([`the history is not kept: ${folder.at('task-repl-history')} (EISDIR)`]);
});
