// Any checked program with any replies ends with a result or a TaskError.
import fc from '../../properties.ts';
import { expect, test } from 'vitest';
import { tasksIn } from '../../../src/engine/language/ast.ts';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { printTask } from '../../../src/engine/language/print.ts';
import { formatProblem } from '../../../src/engine/language/problem.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import { TaskError } from '../../../src/engine/language/result.ts';
import type { Json } from '../../../packages/ground/lib/json.ts';
import { evaluating } from '../tasks/surroundings.ts';
import { choices, librarySources, randomProgram, randomReply } from './random-programs.ts';
import { placeless } from './placeless.ts';
import { refusedBySchema } from './schema.ts';

const { library } = createLibrary(librarySources);

/** The program of `source`, which has no error. */
function clean(source: string) {
  const { program, problems } = parseProgram(source, 'random.xml', library);
  if (!program) throw new Error(`${problems.map(formatProblem).join('\n')}\n${source}`);
  return program;
}

test('a random program is clean, for the checker and the schema', () => {
  const types = new Set<string>();
  fc.assert(
    fc.property(choices, choose => {
      const source = randomProgram(choose);
      for (const { type } of tasksIn(clean(source))) types.add(type);
      expect(refusedBySchema(source)).toBeUndefined();
    }),
    { numRuns: 300 },
  );
  expect([...types].sort()).toEqual([
    'atomic',
    'call',
    'cond',
    'director-evaluator',
    'function',
    'let',
    'map',
    'reduce',
    'script',
    'sequential',
  ]);
});

test('a clean program ends with a result or a TaskError', async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(choices, choices, async (choose, replies) => {
      const program = clean(randomProgram(choose));
      const values: Json[] = ['text', 7, ['a', { b: null }], { a: 1 }, '', null];
      const inputs = Object.fromEntries(program.inputs.map(({ name }) => [name, replies.of(values)]));
      const declared = [...tasksIn(program)].flatMap(each =>
        each.type === 'atomic' ? each.outputs.map(output => output.name) : [],
      );
      const script = async () => ({
        exit_code: replies.below(2),
        stdout: replies.of(['out', '', '["x"]']),
        stderr: 'err',
        timed_out: false,
      });
      const { result } = evaluating(program, inputs, () => randomReply(replies, declared), {
        library,
        script,
      });
      ends.add(
        await result.then(
          ({ status }) => status,
          (error: unknown) => {
            if (error instanceof TaskError) return error.code;
            throw error;
          },
        ),
      );
    }),
    { numRuns: 400 },
  );
  for (const end of ['COMPLETE', 'TASK_FAILURE', 'INVALID_OUTPUT']) expect(ends).toContain(end);
});

test('a printed program reads as the same program', () => {
  fc.assert(
    fc.property(choices, choose => {
      const program = clean(randomProgram(choose));
      expect(placeless(clean(printTask(program)))).toEqual(placeless(program));
    }),
    { numRuns: 300 },
  );
});
