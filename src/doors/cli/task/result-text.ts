// What a task ended with, as text for people.
import type { Json } from '@echelon/ground';
import type { TaskResult } from '../../../engine/language/result.ts';

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
