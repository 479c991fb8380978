// Lays out a model request as a text that people review; the product renders it.
import type { Model, ModelRequest } from '../../src/engine/models/model.ts';

/** `model`, whose first request for each task is kept under the task's name. */
export function keepingFirst<M extends Model>(model: M, kept: Map<string, ModelRequest>): M {
  const call: Model['call'] = (request, onEvent) => {
    if (!kept.has(request.task)) kept.set(request.task, request);
    return model.call(request, onEvent);
  };
  return { ...model, call };
}

/** About four characters a token: the rule of thumb for English text. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4);

interface Part {
  name: string;
  text: string;
}

/** Parts that never change between calls come first, so that they can be cached. */
export const partsOf = (request: ModelRequest): Part[] => [
  { name: 'system, stable', text: request.system.stable },
  { name: 'system, changing', text: request.system.changing },
  { name: 'first message', text: openingOf(request) },
  { name: 'tools', text: request.tools.map(toolText).join('\n') },
];

/** The machine's versions are made alike. */
export const openingOf = ({ messages }: ModelRequest): string =>
  (messages[0]?.content.map(textOf).join('') ?? '').replace(
    /node [\d.]+, npm [\d.]+/g,
    'node 24.1.0, npm 11.3.0',
  );

/** All parts, each under a line that says how long it is. */
export function rendered(request: ModelRequest): string {
  const parts = partsOf(request).map(
    ({ name, text }) => `===== ${name}: ${tokensOf(text)} tokens =====\n${text}\n`,
  );
  return parts.join('\n');
}

function textOf(part: ModelRequest['messages'][number]['content'][number]): string {
  if (part.type !== 'text') throw new Error(`a first message holds text only, not ${part.type}`);
  return part.text;
}

const toolText = ({ name, description, input }: ModelRequest['tools'][number]): string =>
  `${name}: ${description}\n    ${JSON.stringify(input)}`;
