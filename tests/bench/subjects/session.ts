// Sessions with a model that answers at once; with `bare`, a loop that calls it and keeps what was said.
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import type { Model, ModelMessage, ModelReply } from '../../../src/engine/models/model.ts';
import type { SessionRequest } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import type { Kit, Prepared } from '../subject.ts';

export interface SessionScenario {
  /** Operations as tags in the reply's text, or as calls of tools. */
  form: 'tags' | 'calls';
  /** Each writes one entry into the memory, but for the last, which gives the final output. */
  iterations: number;
  bare: boolean;
}

const OUTPUT = 'The report is in the memory.';

export default function prepare({ form, iterations, bare }: SessionScenario, kit: Kit): Prepared {
  const run = bare ? loop : session;
  return {
    units: iterations,
    calls: iterations,
    async run() {
      const written = await run(instantModel(form, iterations, kit));
      if (written !== iterations - 1) throw new Error(`${written} entries were written`);
    },
  };
}

const request: SessionRequest = {
  key: 'bench',
  scope: 'bench',
  task: 'bench',
  model: 'model',
  system: { stable: 'You keep what you find.', changing: '' },
  prompt: 'Read the reports and keep what they say.',
  tools: [],
  abilities: ['js'],
  limits: { turns: 30, output_tokens: 4096, time_ms: 600_000, context_tokens: 200_000 },
  signal: new AbortController().signal,
};

/** Answers how many operations succeeded, without the final output. */
async function session(model: Model): Promise<number> {
  let operations = 0;
  const { text } = await runSession(request, {
    model,
    clock: systemClock,
    onEvent: event => {
      if (event.type !== 'iteration_complete') return;
      if (event.result.errors.length === 0) operations += event.result.operations;
    },
  });
  if (text !== OUTPUT) throw new Error(`the final output is ${JSON.stringify(text)}`);
  return operations - 1;
}

async function loop(model: Model): Promise<number> {
  const { prompt, limits, key, scope, task, system, signal } = request;
  const messages: ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: prompt }] }];
  for (let call = 1; ; call++) {
    const reply = await model.call({
      key: `${key}/${call}`,
      scope,
      task,
      model: request.model,
      system,
      messages: [...messages],
      tools: [],
      max_output_tokens: limits.output_tokens,
      signal,
    });
    messages.push({ role: 'assistant', content: [{ type: 'text', text: reply.text }] });
    if (isFinal(reply)) return call - 1;
    messages.push({ role: 'user', content: [{ type: 'text', text: 'ok' }] });
  }
}

function isFinal({ text, tool_calls }: ModelReply): boolean {
  return text.includes('{{<final_output>}}') || tool_calls.some(({ name }) => name === 'final_output');
}

function instantModel(form: SessionScenario['form'], iterations: number, kit: Kit): Model {
  let calls = 0;
  return {
    provider: 'instant',
    async call() {
      await kit.instant();
      calls++;
      const output: Called = { name: 'final_output', attributes: {}, body: { text: OUTPUT } };
      return reply(form, calls < iterations ? memoryWrite(calls) : output);
    },
  };
}

interface Called {
  name: string;
  attributes: Record<string, string>;
  /** Body of the tag, by the field that a call has it in. */
  body?: Record<string, string>;
}

function memoryWrite(number: number): Called {
  const content = `Report ${number} names three parts, and their sum is ${number * 3}.`;
  return {
    name: 'memory',
    attributes: { identifier: `report-${number}`, heading: `Report ${number}`, content },
  };
}

function reply(form: SessionScenario['form'], { name, attributes, body }: Called): ModelReply {
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0 };
  const said = 'I have read the next report, and I keep what it says.';
  if (form === 'calls') {
    const input = { ...attributes, ...body };
    return {
      text: said,
      tool_calls: [{ id: 'call', name, input }],
      usage,
      cost_usd: 0.01,
      stop: 'tool_calls',
    };
  }
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  const [content] = Object.values(body ?? {});
  const tag =
    content === undefined
      ? `{{<${name}${written.join('')} />}}`
      : `{{<${name}${written.join('')}>}}${content}{{</${name}>}}`;
  return { text: `${said}\n${tag}\n`, tool_calls: [], usage, cost_usd: 0.01, stop: 'end' };
}
