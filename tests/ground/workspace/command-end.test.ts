// The sentence for how a command ended, and the exit code that a script task has of it.
import { expect, test } from 'vitest';
import { type CommandResult, endOf, outcomeOf } from '../../../packages/ground/workspace/command-end.ts';

const plain = { exit_code: 0, stdout: '', stderr: '', timed_out: false, truncated: false, duration_ms: 3000 };
const limits = { time: { ms: 2000, more: 'no more' }, maxOutputBytes: 100 };
const ended = (signal: NodeJS.Signals) => ({ exit_code: null, signal });
const none = 'no limit of ours was reached';
const memory = `${none}; a machine that runs out of memory does that`;

test.for<[name: string, result: Partial<CommandResult>, code: number, said: string | undefined]>([
  ['success', {}, 0, undefined],
  ['failure', { exit_code: 255 }, 255, undefined],
  [
    'a time limit',
    { ...ended('SIGKILL'), timed_out: true },
    137,
    'stopped after 3 s at its time limit of 2 s; no more',
  ],
  [
    'a time limit that it obeyed',
    { timed_out: true, exit_code: 143 },
    143,
    'stopped after 3 s at its time limit of 2 s; no more',
  ],
  ['killed', ended('SIGKILL'), 137, `ended by SIGKILL from outside after 3 s; ${memory}`],
  ['asked to end', ended('SIGTERM'), 143, `ended by SIGTERM from outside after 3 s; ${none}`],
  ['a crash', ended('SIGSEGV'), 139, `ended by SIGSEGV after 3 s; ${none}`],
  [
    'a program of it was killed',
    { exit_code: 137 },
    137,
    `exit code 137, as of a program that was ended by SIGKILL from outside after 3 s; ${memory}`,
  ],
  [
    'a file too large',
    ended('SIGXFSZ'),
    153,
    'ended after 3 s by a file of more than 1024 MB, the largest allowed',
  ],
  [
    'a file too large for a program of it',
    { exit_code: 153 },
    153,
    'exit code 153; ended after 3 s by a file of more than 1024 MB, the largest allowed',
  ],
  [
    'too much output',
    { truncated: true, exit_code: 1 },
    1,
    'exit code 1; the middle of its output is left out: 100 bytes are kept of each stream, the most there can be',
  ],
])('%s', ([, more, code, said]) => {
  const result = { ...plain, ...more };
  expect(endOf(result, limits)).toBe(said);
  expect(outcomeOf({ ...result, end: 'x' })).toEqual({
    exit_code: code,
    stdout: '',
    stderr: '',
    timed_out: result.timed_out,
    end: 'x',
  });
});
