// Bindings of earlier programs for the next one: in its check, and in its evaluation.
import { expect, test } from 'vitest';
import { parseProgram } from '../../../../../src/engine/language/program.ts';
import {
  type Preceding,
  nothingPreceding,
  without,
  withValue,
} from '../../../../../src/engine/language/environment.ts';
import { afterTask } from '../../../../../src/doors/cli/task/repl/state.ts';
import { evaluating, parsed } from '../../../../engine/tasks/surroundings.ts';

const count = parsed(
  '<task name="count"><description>x</description><output name="n" type="number"/></task>',
);

async function counted(): Promise<Preceding> {
  const result = await evaluating(count, {}, () => '{"content": "some", "outputs": {"n": 3}}').result;
  return afterTask(withValue(nothingPreceding, 'who', 'Ada'), count, result, ['count']);
}

const check = (source: string, preceding: Preceding) =>
  parseProgram(source, 'p.xml', undefined, 'asked for', preceding);
const task = (words: string) => `<task><description>${words}</description></task>`;

test('what is bound is no free name, and is said to be read', async () => {
  const { program, problems, reads } = check(task('{{who}}: {{count.n}} {{new}}'), await counted());
  expect(program?.inputs).toMatchObject([{ name: 'new', asked: true }]);
  expect(problems.map(({ message }) => message)).toEqual([
    'nothing binds "new": it is asked for as a parameter',
  ]);
  expect(reads).toEqual(['who', 'count']);
});

test('what is known of it is checked, the step before as well', async () => {
  const preceding = await counted();
  const { problems } = check(task('{{count.m}} {{who.age}}'), preceding);
  expect(problems.map(({ message }) => message)).toEqual([
    '"count" has no field "m"',
    '"who" has no field "age"',
  ]);
  const test = `<cond><case test="output.n &lt; 'x'">${task('x')}</case></cond>`;
  expect(check(test, preceding).problems[0]?.message).toMatch(/can never be true/);
  expect(check(test, nothingPreceding).problems[0]?.message).toMatch(/there is none/);
});

test('a template sees nothing of it', async () => {
  const { createLibrary } = await import('../../../../../src/engine/language/library.ts');
  const { library } = createLibrary([
    { file: 'lib.xml', text: task('{{who}}').replace('<task', '<task name="t"') },
  ]);
  const { problems } = parseProgram('<task ref="t"/>', 'p.xml', library, 'asked for', await counted());
  expect(problems).toMatchObject([{ file: 'lib.xml', severity: 'error', message: 'nothing binds "who"' }]);
});

test('texts, tests and parameters read what it is, unless they are given', async () => {
  const preceding = await counted();
  const source = `<task type="cond"><inputs><input name="who"/></inputs>
    <case test="output.n == 3 &amp;&amp; count.n == 3">${task('{{who}} {{count}} {{count.n}}')}</case></task>`;
  const { program } = check(source, preceding);
  for (const [inputs, prompt] of [
    [{}, 'Ada some 3'],
    [{ who: 'Bo' }, 'Bo some 3'],
  ] as const) {
    const { requests, result } = evaluating(program ?? '', inputs, () => 'done', { preceding });
    await result;
    expect(requests.map(each => each.prompt)).toEqual([prompt]);
  }
});

test('what is unbound again is missing', async () => {
  const preceding = without(await counted(), 'who');
  const { program } = check(
    '<task><inputs><input name="who"/></inputs><description>{{who}}</description></task>',
    preceding,
  );
  await expect(evaluating(program ?? '', {}, () => 'done', { preceding }).result).rejects.toMatchObject({
    detail: { code: 'TASK_FAILURE', reason: 'missing_input' },
  });
});
