import type { Library } from '../../../../src/engine/language/library.ts';
import { formatProblem } from '../../../../src/engine/language/problem.ts';
import { parseProgram } from '../../../../src/engine/language/program.ts';
import { TaskError } from '../../../../src/engine/language/result.ts';
import type { Model, ModelReply, ModelRequest } from '../../../../src/engine/models/model.ts';
import { costOf } from '../../../../src/engine/models/prices.ts';
import type { ModelRow } from '../../../../src/engine/models/table.ts';
import { evaluationOf, lazySandbox } from '../../../../src/engine/runtime/evaluation.ts';
import type { RunParts } from '../../../../src/engine/runtime/worst-case.ts';
import { reasoning } from '../../runtime/reasoning.ts';
import { evaluate } from '../../../../src/engine/tasks/evaluate.ts';
import type { Json } from '../../../../src/lib/json.ts';

export const price = { input: 1, output: 10, cache_read: 0.1, cache_write: 2 };
export const row: ModelRow = {
  ...{ provider: 'anthropic', window: 10_000, output: 500, tools: 'functions', temperature: true },
  ...{ efforts: ['high'], schema: false, price },
};
const rows = { m: row, dear: { ...row, price: { ...price, output: 20 } } };

export function read(source: string, library: Library) {
  const { program, flows, problems } = parseProgram(source, 'p.xml', library, 'asked for');
  if (!program) throw new Error(`${problems.map(formatProblem).join('\n')}\n${source}`);
  return { program, flows };
}

export const parts = (library: Library, more: Partial<RunParts> = {}): RunParts => ({
  ...{ library, modelRows: rows, settings: { rounds: '3', test_command: 'true' }, reasoning },
  ...{ models: name => name ?? 'm', behind: () => [], remembers: false },
  signal: new AbortController().signal,
  ...more,
});

/** What a run comes to whose model answers so; its calls all cost what a call of their sizes can cost at most. */
export async function ran(
  source: string,
  inputs: Record<string, Json>,
  library: Library,
  answer: (request: ModelRequest, n: number) => Partial<ModelReply>,
  more: Parameters<typeof parts>[1] = {},
) {
  const { program } = read(source, library);
  const sums = { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };
  const model: Model = {
    provider: 'test',
    call(request) {
      const usage = {
        input_tokens: 0,
        output_tokens: request.max_output_tokens,
        cache_read_tokens: 0,
        cache_write_tokens: 8_000,
      };
      const cost_usd = costOf(usage, rows[request.model as keyof typeof rows].price);
      const reply = {
        text: '',
        tool_calls: [],
        stop: 'end' as const,
        ...answer(request, sums.calls),
        usage,
        cost_usd,
      };
      sums.calls += 1;
      sums.input_tokens += 8_000;
      sums.output_tokens += request.max_output_tokens;
      sums.cost_usd += cost_usd;
      return Promise.resolve(reply);
    },
  };
  const script = async () => ({ exit_code: sums.calls % 2, stdout: '["x"]', stderr: '', timed_out: false });
  const options = evaluationOf({ ...parts(library, more), model, script, sandbox: lazySandbox() });
  const end = await evaluate(program, inputs, options).then(
    ({ status }) => status,
    (error: unknown) => {
      if (error instanceof TaskError) return error.code;
      throw error;
    },
  );
  return { ...sums, end };
}

/** Uses all the turns of each session: every reply does something, the last gives a final output. */
export const late = (request: ModelRequest, n: number): Partial<ModelReply> => {
  const told = JSON.stringify(request.messages.at(-1)?.content);
  if (!told.includes('This is your last turn')) return busy(request, n);
  return { text: JSON.stringify({ status: 'COMPLETE', content: 'c', outputs: { success: false } }) };
};

/** As `late`, but gives none. */
export const busy = (_: ModelRequest, n: number): Partial<ModelReply> => ({
  text: `{{<goal identifier="g${n}" heading="H" content="c" />}}`,
});

export const one = '<description>do it</description><tools>js</tools>';
export const atomic = (inside = '', attributes = '') => `<task${attributes}>${one}${inside}</task>`;
export const turns = (n: number) => `<limits><turns>${n}</turns></limits>`;

export const steps = (...each: string[]) => `<task type="sequential"><steps>${each.join('')}</steps></task>`;
export const verdict =
  '<output name="success" type="boolean"/><output name="feedback" type="string" nullable="true"/>';
export const judged = (more = turns(2)) => `<evaluator>${one}${more}${verdict}</evaluator>`;
export const loop = (rounds: number | string, evaluator: string) =>
  `<task type="director-evaluator"><director>${one}${turns(3)}</director>${evaluator}<max_rounds>${rounds}</max_rounds></task>`;
export const fn = (name: string, body: string, parameters = '') =>
  `<task type="function" name="${name}">${parameters}<body>${body}</body></task>`;
export const map = (over: string, inner: string, more = '') =>
  `<task type="map">${over}<inner_task>${inner}</inner_task>${more}</task>`;
