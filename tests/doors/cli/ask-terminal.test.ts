// Questions at the terminal: one line answers one question.
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openQuestions } from '../../../src/doors/cli/ask-terminal.ts';

const never = new AbortController().signal;

function terminal() {
  const [input, output] = [new PassThrough(), new PassThrough().setEncoding('utf8')];
  return { input, output, ask: openQuestions(input, output) };
}

test('two questions at once: the second is shown when the first has its line', async () => {
  const { input, output, ask } = terminal();
  const answers = Promise.all([ask('Left?', never), ask('Right?', never)]);
  expect(await once(output, 'data')).toEqual(['Left?\n> ']);
  input.write('BLUE\n');
  expect(await once(output, 'data')).toEqual(['Right?\n> ']);
  input.write('RED\n');
  expect(await answers).toEqual(['BLUE', 'RED']);
});

test('lines that came together answer one question each, now and later', async () => {
  const { input, ask } = terminal();
  input.write('one\ntwo\n');
  expect(await ask('1', never)).toBe('one');
  expect(await ask('2', never)).toBe('two');
  input.write('three\n');
  expect(await ask('3', never)).toBe('three');
});

test('the end of the input ends every question, the ones to come too', async () => {
  const { input, ask } = terminal();
  const questions = [ask('1', never), ask('2', never)];
  input.end();
  for (const each of [...questions, ask('3', never)]) await expect(each).rejects.toThrow('the input ended');
});

test('a question that is given up leaves its place to the next', async () => {
  const { input, output, ask } = terminal();
  const stop = new AbortController();
  const first = ask('1', stop.signal);
  const second = ask('2', never);
  await once(output, 'data');
  stop.abort(new Error('given up'));
  await expect(first).rejects.toThrow('given up');
  input.write('two\n');
  expect(await second).toBe('two');
});
