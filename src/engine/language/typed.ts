// The value that a function returns, of the type that its `<returns>` asks for.
import type { Json } from '../../lib/json.ts';
import type { OutputType } from './ast.ts';
import { faithfulJson } from './envelope/faithful-json.ts';
import { unfenced } from './envelope/parts.ts';
import type { TaskResult } from './result.ts';

/** What the result is as that type; undefined: it is none. Text is read as JSON, in a code fence or not. */
export function returned(
  { content, value }: TaskResult,
  type: Exclude<OutputType, 'string'>,
): Json | undefined {
  const given = value ?? faithfulJson(unfenced(content));
  return type === 'json' || typeof given === type ? given : undefined;
}
