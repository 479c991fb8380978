// Values of functions, of the types that `<returns>` and `<parameter>` ask for.
import type { Json } from '@echelon/ground';
import type { OutputType } from './ast.ts';
import { type Bound, boundValue } from './environment.ts';
import { faithfulJson } from './envelope/faithful-json.ts';
import { unfenced } from './envelope/parts.ts';
import type { TaskResult } from './result.ts';

/** What the result is as that type; undefined: it is none. Text is read as JSON, in a code fence or not. */
export function returned(
  { content, value }: Pick<TaskResult, 'content' | 'value'>,
  type: Exclude<OutputType, 'string'>,
): Json | undefined {
  const given = value ?? faithfulJson(unfenced(content));
  return type === 'json' || typeof given === type ? given : undefined;
}

/** An argument as what a parameter of that type is bound to; undefined: it is none. Everything has a text. */
export function argument(given: Bound, type: OutputType | undefined): Bound | undefined {
  const { text: content, value } = given;
  if (type === undefined || typeof value === type) return given;
  if (type === 'string') return boundValue(content);
  if (type === 'json' && typeof value !== 'string') return given;
  const found = returned({ content }, type);
  return found === undefined ? undefined : boundValue(found);
}
