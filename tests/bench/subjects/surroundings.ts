// Evaluates programs with a session that answers at once, at the seam between `tasks/` and `reasoning/`.
import type { Task } from '../../../src/engine/language/ast.ts';
import { formatProblem } from '../../../src/engine/language/problem.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import type { SessionOutcome } from '../../../src/engine/reasoning/request.ts';
import { evaluate, type EvaluateOptions } from '../../../src/engine/tasks/evaluate.ts';

/** Throws with the problems of a source that has some. */
export function programOf(source: string): Task {
  const { program, problems } = parseProgram(source, 'generated.xml');
  if (program) return program;
  throw new Error(problems.slice(0, 3).map(formatProblem).join('; '));
}

/** Evaluates `program`; every session is one call of `work`, whose text is its reply. */
export async function evaluateAtOnce(
  program: Task,
  work: () => Promise<string>,
  more: Partial<EvaluateOptions> = {},
): Promise<void> {
  const result = await evaluate(
    program,
    {},
    {
      session: async () => outcome(await work()),
      tools: [],
      settings: {},
      models: name => name ?? 'model',
      key: 'bench',
      scope: 'bench',
      clock: { now: () => 0, sleep: async () => {} },
      signal: new AbortController().signal,
      ...more,
    },
  );
  if (result.status !== 'COMPLETE') throw new Error(`the program ended as ${result.status}`);
}

function outcome(text: string): SessionOutcome {
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0 };
  return { text, messages: [], turns: 1, usage, cost_usd: 0.01, stop: 'end', tools: [] };
}
