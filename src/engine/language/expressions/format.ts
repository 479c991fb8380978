// The function `format`: a text with `{0}`, `{1}`, ... replaced by the arguments behind it.
import type { Json } from '../../../lib/json.ts';
import { toText } from './coercion.ts';
import { BoundedText, type Effort } from './effort.ts';
import { ExpressionError } from './error.ts';

/** `{{` and `}}` stand for the brace. Between number and `}` a format may stand; it is passed over, as GitHub does. */
export function format(args: readonly Json[], effort: Effort, at: number): string {
  const [pattern = '', ...values] = args.map(toText);
  const text = new BoundedText('format', effort, at);
  const braces = /[{}]/g;
  const digits = /\d+/y;
  let index = 0;
  for (let found = braces.exec(pattern); found; found = braces.exec(pattern)) {
    const { index: brace, 0: character } = found;
    text.add(pattern.slice(index, brace));
    index = brace + 1;
    if (pattern[index] === character) {
      text.add(character);
      index++;
    } else {
      digits.lastIndex = index;
      const number = character === '{' ? digits.exec(pattern)?.[0] : undefined;
      const close = number === undefined ? -1 : pattern.indexOf('}', index);
      if (number === undefined || close < 0) throw strayBrace(character, brace, at);
      const value = values[Number(number)];
      if (value === undefined) throw missing(number, values.length, at);
      text.add(value);
      index = close + 1;
    }
    braces.lastIndex = index;
  }
  text.add(pattern.slice(index));
  return text.whole();
}

const strayBrace = (brace: string, index: number, at: number) =>
  new ExpressionError(
    `format: the "${brace}" at character ${index + 1} of the text belongs to no placeholder such as {0}; write "${brace}${brace}" for the brace itself`,
    at,
  );

const missing = (number: string, given: number, at: number) =>
  new ExpressionError(
    `format: there is no argument for {${number.slice(0, 20)}}: ${given} ${given === 1 ? 'stands' : 'stand'} behind the text, counted from 0`,
    at,
  );
