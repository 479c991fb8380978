// Output of commands: a result, for which a failed write is an error, and prompts.
import { codeOf, type Json } from '@echelon/ground';
import type { TaskResult } from '../../engine/texts.ts';
import type { Model, ModelPart, ModelRequest } from '../../engine/models.ts';
import { forTerminal, oneLine } from '../progress.ts';

/** The message says why. */
export class OutputFailure extends Error {}

/**
 * Writes `text` and a line end, and waits until it is written. Throws OutputFailure where it cannot be (a full disk);
 * a reader that is gone (`| head`) has read what it wanted.
 */
export async function print(text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Without a listener the stream's own event would end the process before the callback speaks.
  if (!process.stdout.listeners('error').includes(spokenOf)) process.stdout.on('error', spokenOf);
  process.stdout.write(`${text}\n`, error => {
    if (!error || codeOf(error) === 'EPIPE') resolve();
    else
      reject(new OutputFailure(`the result cannot be written to stdout: ${error.message}`, { cause: error }));
  });
  await promise;
}

function spokenOf(): void {}

/** The content, then the outputs a line each: texts as they are, anything else as JSON. */
export function resultText({ content, outputs }: TaskResult): string {
  const lines = isSaid(outputs)
    ? []
    : Object.entries(outputs).map(
        ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
  return [...(content !== '' || lines.length === 0 ? [content] : []), ...lines].join('\n');
}

/** Outputs that nobody declared: those of a script and of a map, whose content says the same. */
function isSaid(outputs: TaskResult['outputs']): boolean {
  const names = Object.keys(outputs).sort().join();
  if (names === 'exit_code,stderr,stdout') return true;
  const { results } = outputs;
  const isElement = (each: Json) => each !== null && typeof each === 'object' && 'content' in each;
  return names === 'results' && Array.isArray(results) && results.every(isElement);
}

/** `model`, with what it is sent told before each call. */
export function showingPrompts(model: Model, tell: (text: string) => void): Model {
  return {
    ...model,
    call(request, onEvent) {
      tell(promptText(request));
      return model.call(request, onEvent);
    },
  };
}

/** All of a session's first prompt, of a later one what came after the model's last reply; lines that can be told apart. */
export function promptText({ task, model, system, messages }: ModelRequest): string {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const texts = [
    ...(last < 0 ? [system.stable, system.changing] : []),
    ...messages.slice(last + 1).flatMap(({ content }) => content.map(partText)),
  ];
  const lines = texts.filter(text => text !== '').flatMap(text => forTerminal(text).split('\n'));
  return [oneLine(`prompt of ${task}, to ${model}:`), ...lines.map(line => `  | ${line}`)].join('\n');
}

function partText(part: ModelPart): string {
  if (part.type === 'text') return part.text;
  return part.type === 'tool_result' ? `result: ${part.content}` : '';
}
