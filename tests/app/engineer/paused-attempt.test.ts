// What an attempt leaves while it waits for an answer: read back whole, shortened, refused, or not at all.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leavePaused, readPaused } from '../../../src/app/engineer/paused-attempt.ts';
import { begin } from '../../../src/engine/reasoning/session-lifecycle.ts';
import type { SessionState } from '../../../src/engine/reasoning/state.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'echelon-paused-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const state: SessionState = {
  ...begin('Do it.'),
  status: 'paused',
  pending: { question: 'How?', parts: [] },
};
const paused = {
  session: 'issue-2/attempt-1/director-1',
  state,
  answered: { 'issue-2/attempt-1/scout-1': { state, answer: 'Like this.' } },
  steps: {},
  rounds: 0,
  changes: false,
};

test('what was left is read back', async () => {
  const steps = {
    'x/script-1': { result: { exit_code: 1, stdout: 'o'.repeat(5000), stderr: '' }, tests: null },
  };
  expect(await leavePaused(folder, { ...paused, steps, rounds: 1, changes: true })).toBe(true);
  expect(await readPaused(folder)).toEqual({ version: 1, ...paused, steps, rounds: 1, changes: true });
});

test('outputs of scripts go first where all would be too much', async () => {
  const output = { stdout: 'o'.repeat(600_000), stderr: 'e'.repeat(600_000) };
  const steps = { 'x/script-1': { result: output, note: 'n'.repeat(5000) } };
  expect(await leavePaused(folder, { ...paused, steps })).toBe(true);
  expect((await readPaused(folder))?.steps).toEqual({
    'x/script-1': {
      result: { stdout: 'o'.repeat(4000), stderr: 'e'.repeat(4000) },
      note: 'n'.repeat(5000),
    },
  });
});

test('a session that asked beside it waits without an answer, and goes where all would be too much', async () => {
  const beside = (prompt: string) => ({
    ...paused.answered,
    'issue-2/attempt-1/scout-2': { state: { ...state, messages: begin(prompt).messages } },
  });
  await leavePaused(folder, { ...paused, answered: beside('Look.') });
  expect((await readPaused(folder))?.answered).toEqual(beside('Look.'));
  expect(await leavePaused(folder, { ...paused, answered: beside('x'.repeat(1 << 20)) })).toBe(true);
  expect((await readPaused(folder))?.answered).toEqual(paused.answered);
});

test('a session of more than 1 MB is not left', async () => {
  const large = { ...state, messages: begin('x'.repeat(1 << 20)).messages };
  expect(await leavePaused(folder, { ...paused, state: large })).toBe(false);
  expect(await readPaused(folder)).toBeUndefined();
});

const whole = { version: 1, ...paused };
test.for<[name: string, value: unknown]>([
  ['nothing', undefined],
  ['no JSON', '{'],
  ['another version', { ...whole, version: 2 }],
  ['a session that does not wait', { ...whole, state: { ...state, status: 'active' } }],
  ['a session without its question', { ...whole, state: begin('Do it.') }],
  ['a session without messages', { ...whole, state: { ...state, messages: [] } }],
  ['a session with a time that is none', { ...whole, state: { ...state, activeMs: -1 } }],
  ['an answer to no session', { ...whole, answered: { x: { state: {}, answer: 'Yes.' } } }],
  ['steps that are none', { ...whole, steps: [] }],
  ['more than belongs there', { ...whole, extra: 1 }],
  ['more than 1 MB', { ...whole, session: 'x'.repeat(1 << 20) }],
])('%s: nothing to go on with', async ([, value]) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text !== undefined) await writeFile(join(folder, 'session.json'), text);
  expect(await readPaused(folder)).toBeUndefined();
});

test('a link in the place of the file is not followed', async () => {
  await leavePaused(folder, paused);
  const other = join(folder, 'other');
  await mkdir(other);
  await symlink(join(folder, 'session.json'), join(other, 'session.json'));
  expect(await readPaused(other)).toBeUndefined();
});
