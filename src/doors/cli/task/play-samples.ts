// Shows the requests of a program's sessions: evaluates it with samples in place of models, tools and commands.
import { isObject, type Json, systemClock } from '@echelon/ground';
import { innerTasks, type Output, type Task, TaskError } from '../../../engine/texts.ts';
import { guarded, type Model, type ModelRequest } from '../../../engine/models.ts';
import { evaluate, evaluationOf, lazySandbox, misfits, nameOf } from '../../../engine/engine.ts';
import { type Around, boundTools, UNBOUNDED } from '../../../engine/parts.ts';

export interface PlayedSamples {
  /** In the order in which they were asked; tasks side by side in any. */
  requests: ModelRequest[];
  /** Reason that the samples did not lead to the program's end, if they did not. */
  ended?: string;
}

/** More calls than these are not looked at: a program may ask ten thousand times over a sample. */
const MOST_CALLS = 200;

const usage = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };

/**
 * Of tests and loops the way is shown that samples lead: a declared boolean is true, so a director-evaluator ends with its
 * first round. What is missing of `inputs` is a sample too. No network, file or command is used.
 */
export async function playSamples(
  program: Task,
  inputs: Readonly<Record<string, Json>>,
  around: Around,
): Promise<PlayedSamples> {
  const requests: ModelRequest[] = [];
  const outputs = outputsByTask(program);
  const model: Model = {
    provider: 'sample',
    async call(request) {
      if (requests.length >= MOST_CALLS) throw new Error(`more than ${MOST_CALLS} calls`);
      requests.push({ ...request, messages: request.messages.map(message => ({ ...message })) });
      const text = replyFor(request, outputs.get(request.task) ?? []);
      return { text, tool_calls: [], usage, cost_usd: 0, stop: 'end' };
    },
  };
  const sandbox = lazySandbox();
  const given = { ...inputs };
  for (const name of missingIn(program, given)) given[name] = sample(name);
  try {
    const options = evaluationOf({
      ...around,
      model: guarded(model, { clock: systemClock }).within({ most: UNBOUNDED }),
      sandbox,
      tools: boundTools(name => async () => sample(name)),
      script: async () => ({ exit_code: 0, stdout: sample('output'), stderr: '', timed_out: false }),
      ask: async () => sample('answer'),
    });
    await evaluate(program, given, options);
    return { requests };
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    return { requests, ended: error.message };
  } finally {
    await sandbox.close();
  }
}

/** Marked as what it is. */
const sample = (of: string) => `[sample of ${of}]`;

function missingIn(program: Task, given: Readonly<Record<string, Json>>): string[] {
  if (misfits(program, given).length === 0) return [];
  return program.inputs.flatMap(({ name, value }) =>
    value.kind === 'parameter' && !Object.hasOwn(given, name) ? [name] : [],
  );
}

function outputsByTask(task: Task, found = new Map<string, readonly Output[]>()) {
  if (task.type === 'atomic') found.set(nameOf(task), task.outputs);
  for (const inner of innerTasks(task)) outputsByTask(inner, found);
  return found;
}

function replyFor({ task, schema }: ModelRequest, declared: readonly Output[]): string {
  const content = sample(task);
  const outputs: Record<string, Json> = Object.fromEntries(
    declared.map(({ name, type, schema: own }) => [name, exampleOf(own ?? { type }, name)]),
  );
  if (declared.length > 0) return JSON.stringify({ status: 'COMPLETE', outputs });
  return schema === undefined ? content : JSON.stringify(exampleOf(schema, task));
}

/** The smallest value that fits, as far as the schema says it plainly. */
function exampleOf(schema: Json, name: string): Json {
  if (!isObject(schema)) return sample(name);
  const { type, enum: choices, const: only, anyOf, properties, items } = schema;
  if (only !== undefined) return only;
  if (Array.isArray(choices)) return choices[0] ?? null;
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] ?? {}, name);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'array':
    case 'list':
      return [items === undefined ? sample(name) : exampleOf(items, name)];
    case 'object':
      return Object.fromEntries(
        Object.entries(isObject(properties) ? properties : {}).map(([key, each]) => [
          key,
          exampleOf(each, key),
        ]),
      );
    default:
      return sample(name);
  }
}
