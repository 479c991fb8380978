// A local server that speaks the chat completions API and OpenAI's Responses API, and refuses what the real ones refuse.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { refuseWith } from './server.ts';

const id = z.string().regex(/^[\w-]{1,40}$/);
/** An object, as vLLM and llama.cpp want it: https://github.com/vllm-project/vllm/pull/48922 */
const fields = z.string().regex(/^\{.*\}$/s);
const call = z.strictObject({
  id,
  extra_content: z.looseObject({}).optional(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().regex(/^[\w-]{1,64}$/), arguments: fields }),
});
const text = z.string().min(1);
const dataUrl = z.string().regex(/^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/]+={0,2}$/);
const detail = z.literal('high');

/** https://platform.openai.com/docs/api-reference/chat/create, of what is sent here. */
const Body = z.strictObject({
  model: text,
  stream: z.literal(true),
  stream_options: z.strictObject({ include_usage: z.literal(true) }),
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  reasoning_effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
  temperature: z.number().min(0).max(2).optional(),
  response_format: z
    .strictObject({
      type: z.literal('json_schema'),
      json_schema: z.strictObject({ name: z.string().regex(/^[\w-]{1,64}$/), schema: z.looseObject({}) }),
    })
    .optional(),
  messages: z
    .array(
      z.discriminatedUnion('role', [
        z.strictObject({ role: z.literal('system'), content: text }),
        z.strictObject({
          role: z.literal('user'),
          content: text.or(
            z.array(
              z.union([
                z.strictObject({ type: z.literal('text'), text }),
                z.strictObject({
                  type: z.literal('image_url'),
                  image_url: z.strictObject({ url: dataUrl, detail }),
                }),
              ]),
            ),
          ),
        }),
        z.strictObject({
          role: z.literal('assistant'),
          content: text.nullable(),
          reasoning_content: z.string().optional(),
          reasoning: z.string().optional(),
          reasoning_details: z.array(z.looseObject({ type: z.string() })).optional(),
          tool_calls: z.array(call).min(1).optional(),
        }),
        z.strictObject({ role: z.literal('tool'), tool_call_id: text, content: z.string() }),
      ]),
    )
    .min(1),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          description: z.string(),
          parameters: z.looseObject({ type: z.literal('object') }),
        }),
      }),
    )
    .min(1)
    .optional(),
});
export type ChatBody = z.infer<typeof Body>;

/** https://developers.openai.com/api/reference/resources/responses/methods/create, of what is sent here. */
const ResponsesBody = z.strictObject({
  model: text,
  stream: z.literal(true),
  store: z.literal(false),
  include: z.tuple([z.literal('reasoning.encrypted_content')]),
  max_output_tokens: z.int().min(16),
  instructions: text.optional(),
  temperature: z.number().optional(),
  reasoning: z.strictObject({ effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']) }).optional(),
  text: z
    .strictObject({
      format: z.strictObject({ type: z.literal('json_schema'), name: text, schema: z.looseObject({}) }),
    })
    .optional(),
  tools: z
    .array(
      z.strictObject({
        ...{ type: z.literal('function'), strict: z.literal(false), name: text, description: z.string() },
        parameters: z.looseObject({ type: z.literal('object') }),
      }),
    )
    .optional(),
  input: z
    .array(
      z.union([
        z.strictObject({ role: z.enum(['user', 'assistant']), content: text }),
        z.strictObject({
          role: z.literal('user'),
          content: z.array(z.strictObject({ type: z.literal('input_image'), image_url: dataUrl, detail })),
        }),
        z.strictObject({ type: z.literal('function_call'), call_id: id, name: text, arguments: z.string() }),
        z.strictObject({ type: z.literal('function_call_output'), call_id: id, output: z.string() }),
        z.strictObject({
          ...{ type: z.literal('reasoning'), id: text, summary: z.array(z.unknown()) },
          encrypted_content: text,
        }),
      ]),
    )
    .min(1),
});

export interface ReceivedChat {
  path: string;
  headers: IncomingHttpHeaders;
  body: ChatBody;
  /** Of a request of the Responses API. */
  items: z.infer<typeof ResponsesBody>['input'];
}

export type ChatAnswer = ((response: ServerResponse) => void) & { thought?: Thought };

/** A model's reasoning before calls with these ids. */
interface Thought {
  ids: string[];
  reasoning: string;
}

/** Answers each good request as `answer` says, the n-th from 0; a bad one with 400 and what is wrong with it. */
export async function chatServer(answer: (body: ChatBody, n: number) => ChatAnswer | undefined) {
  const received: ReceivedChat[] = [];
  const refused: string[] = [];
  const thoughts: (Thought & { model: string })[] = [];
  const server = createServer(async (request, response) => {
    let raw = '';
    for await (const chunk of request.setEncoding('utf8')) raw += chunk;
    const asked = JSON.parse(raw);
    if (request.url?.endsWith('/responses')) {
      const { error } = ResponsesBody.safeParse(asked);
      if (error) refused.push(z.prettifyError(error));
      if (error) return refuseChat(400, { message: z.prettifyError(error) })(response);
      received.push({ path: request.url, headers: request.headers, body: asked, items: asked.input });
      return answer(asked, received.length - 1)?.(response);
    }
    const body = Body.safeParse(asked);
    const fault = body.success
      ? (faultOf(body.data) ?? thoughtFault(body.data, thoughts))
      : z.prettifyError(body.error);
    if (!body.success || fault !== undefined) {
      refused.push(fault ?? '');
      return refuseChat(400, { message: fault ?? '', type: 'invalid_request_error' })(response);
    }
    received.push({ path: request.url ?? '', headers: request.headers, body: body.data, items: [] });
    const given = answer(body.data, received.length - 1);
    if (given?.thought) thoughts.push({ ...given.thought, model: body.data.model });
    if (given) given(response);
    else response.writeHead(418).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    refused,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** Reason to refuse a conversation: a call without its answer, an answer without its call, two of a side in a row. */
function faultOf({ model, tools, ...body }: ChatBody): string | undefined {
  const { messages, max_tokens, max_completion_tokens } = body;
  if (tools && model.startsWith('gpt-'))
    return `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions.`;
  if (max_tokens !== undefined && max_completion_tokens !== undefined)
    return 'max_tokens and max_completion_tokens are not to be set together';
  let open = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const before = messages[at - 1];
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) return `messages.${at}: an answer without its call`;
      continue;
    }
    if (open.size > 0) return `messages.${at}: calls without answers: ${[...open].join(', ')}`;
    if (message.role === 'system' && at > 0) return `messages.${at}: system text after the beginning`;
    if (message.role === before?.role) return `messages.${at}: roles must alternate`;
    if (message.role === 'assistant') {
      if (message.content === null && !message.tool_calls) return `messages.${at}: nothing in it`;
      open = new Set(message.tool_calls?.map(({ id }) => id));
    }
  }
  return open.size > 0 ? 'the conversation ends with calls that are not answered' : undefined;
}

/** Reasoning before calls must come back with them, to the same model only. */
function thoughtFault(
  { model, messages }: ChatBody,
  thoughts: readonly (Thought & { model: string })[],
): string | undefined {
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    const ids = message.tool_calls?.map(({ id }) => id) ?? [];
    const before = thoughts.find(thought => ids.some(id => thought.ids.includes(id)));
    if (message.reasoning_content !== (before?.model === model ? before.reasoning : undefined))
      return `messages.${at}: the reasoning_content in the thinking mode must be passed back to the API`;
  }
  return undefined;
}

export const chatUsage = {
  prompt_tokens: 1000,
  completion_tokens: 40,
  prompt_tokens_details: { cached_tokens: 600 },
};

interface Said {
  text?: string;
  /** The model's reasoning; absent: the answer has none. */
  reasoning?: string | undefined;
  calls?: readonly { id?: string; name: string; input: string }[];
  stop?: string | null;
  usage?: object | null;
  /** Pieces as they are, before the others. */
  deltas?: object[];
}

/** A reply in small pieces, as servers stream it. */
export function chats({
  text: words = '',
  reasoning,
  calls = [],
  stop,
  usage = chatUsage,
  deltas: given = [],
}: Said): ChatAnswer {
  const pieces = (whole: string) => whole.match(/.{1,4}/gs) ?? [];
  const deltas = [
    { role: 'assistant', content: '' },
    ...given,
    ...(reasoning === undefined
      ? []
      : ['', ...pieces(reasoning)].map(reasoning_content => ({ content: null, reasoning_content }))),
    ...pieces(words).map(content => ({ content })),
    ...calls.flatMap(({ id, name, input }, index) => [
      {
        tool_calls: [
          { index, id: id ?? `call_${index}`, type: 'function', function: { name, arguments: '' } },
        ],
      },
      ...pieces(input).map(piece => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ];
  const ended = stop === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : stop;
  const answer = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (data: object) => response.write(`data: ${JSON.stringify(data)}\n\n`);
    for (const delta of deltas) send({ choices: [{ index: 0, delta, finish_reason: null }] });
    if (ended !== null) send({ choices: [{ index: 0, delta: {}, finish_reason: ended }] });
    if (usage) send({ choices: [], usage });
    response.end(ended === null ? '' : 'data: [DONE]\n\n');
  };
  const ids = calls.map(({ id }, index) => id ?? `call_${index}`);
  return reasoning === undefined ? answer : Object.assign(answer, { thought: { ids, reasoning } });
}

/** A response of the Responses API whose output is these items; `end`: of the last event. */
export function responds(items: object[], end: object = {}, type = 'response.completed'): ChatAnswer {
  const usage = { input_tokens: 1000, output_tokens: 40, input_tokens_details: { cached_tokens: 600 } };
  const events = items.flatMap((item, output_index) => [
    { type: 'response.output_item.added', output_index, item },
    ...('arguments' in item
      ? [{ type: 'response.function_call_arguments.delta', output_index, delta: item.arguments }]
      : []),
    { type: 'response.output_item.done', output_index, item },
  ]);
  return streams([
    { type: 'response.created', response: {} },
    ...events,
    { type, response: { usage, ...end } },
  ]);
}

export const message = (words: string) => ({
  type: 'message',
  content: [{ type: 'output_text', text: words, annotations: [] }],
});

/** Events as they are, and the end of the answer. */
export const streams =
  (events: (object | string)[]): ChatAnswer =>
  response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const each of events)
      response.write(`data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`);
    response.end();
  };

/** A reply that an error ends in its middle, as servers tell of one when the status is sent already. */
export const breaksOff = (error: object): ChatAnswer =>
  streams([{ choices: [{ index: 0, delta: { content: 'half' } }] }, { error }]);

export const refuseChat = (status: number, error: object, headers?: Record<string, string>): ChatAnswer =>
  refuseWith(status, { error }, headers);
