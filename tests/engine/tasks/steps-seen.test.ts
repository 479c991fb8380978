// What is said of a program's sessions before it runs is what they are shown when it does.
import { expect, test } from 'vitest';
import { type Task, tasksIn } from '../../../src/engine/language/ast.ts';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import { stepsSeen } from '../../../src/engine/tasks/steps-seen.ts';
import type { Json } from '../../../src/lib/json.ts';
import fc from '../../properties.ts';
import {
  type Choices,
  choices,
  librarySources,
  randomProgram,
  randomReply,
} from '../language/random-programs.ts';
import { evaluating } from './surroundings.ts';

const { library } = createLibrary(librarySources.filter(({ file }) => file !== 'reparse.xml'));

/** Each session under a name of its own, so that its requests are known for its. */
function named(source: string): Task | undefined {
  const { program } = parseProgram(source, 'random.xml', library);
  for (const [at, task] of [...(program ? tasksIn(program) : [])].entries())
    if (task.type === 'atomic') task.name = `n${at}`;
  return program;
}

const first = '<task name="first"><description>first</description></task>';

/** Random programs as steps of a sequence that accumulates, or does not. */
function within(choose: Choices): string {
  const step = () =>
    randomProgram(choose, 3)
      .replace(/<input name="p\d"\/>/g, '')
      .replace('<inputs></inputs>', '');
  const context = choose.of([
    '',
    '<context_management><accumulate_data>true</accumulate_data></context_management>',
  ]);
  const steps = `<task type="sequential">${context}<steps>${first}${step()}${step()}</steps></task>`;
  return `<task type="let"><bind name="p1">v</bind><bind name="p2">v</bind><body>${steps}</body></task>`;
}

/** Where a session's context names a step. */
const headings = (prompt: string): string[] =>
  [...prompt.matchAll(/^> ## (.+)$/gm)].map(([, name = '']) => name);

test('the steps that a session is shown are those that are said', async () => {
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(choices, choices, async (choose, replies) => {
      const program = named(within(choose));
      // Two of them may have a name alike.
      fc.pre(program !== undefined);
      if (!program) return;
      const seen = new Map([...stepsSeen(program, library)].map(([task, steps]) => [task.name, steps]));
      const inputs = Object.fromEntries(program.inputs.map(({ name }): [string, Json] => [name, 'given']));
      const script = async () => ({ exit_code: 0, stdout: '["x"]', stderr: '', timed_out: false });
      const { result, requests } = evaluating(program, inputs, () => randomReply(replies, []), {
        library,
        script,
      });
      await result.catch(() => {});
      for (const { task, prompt, key } of requests.filter(
        each => !/\/(?:call|subtask-\d+|evaluation-\d+)\//.test(each.key),
      )) {
        const steps = seen.get(task);
        if (!steps) continue;
        expect([key, headings(prompt)]).toEqual([key, steps]);
        shown += steps.length;
      }
    }),
    { numRuns: 300 },
  );
  expect(shown).toBeGreaterThan(100);
});
