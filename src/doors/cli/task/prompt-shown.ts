// The prompts that a model is sent, for people who look closely.
import type { Model, ModelPart, ModelRequest } from '../../../engine/models/model.ts';
import { forTerminal, oneLine } from '../../progress.ts';

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
