// Whether a text is a value of a type, as a function's `<returns>` asks for.
import type { OutputType } from './ast.ts';

/** `number` and `json` are read as JSON; a boolean is exactly `true` or `false`. */
export function fits(text: string, type: OutputType): boolean {
  if (type === 'string') return true;
  const words = text.trim();
  if (type === 'boolean') return words === 'true' || words === 'false';
  try {
    const value: unknown = JSON.parse(words);
    return type === 'json' || typeof value === 'number';
  } catch {
    // The answer to the question: it is no JSON.
    return false;
  }
}
