// The functions `toJSON` and `fromJSON`, with bounds on depth and length.
import type { Json } from '../../../lib/json.ts';
import { nestingOf } from '../../../lib/json-scan.ts';
import { isList, isPrimitive, toText } from './coercion.ts';
import { BoundedText, type Effort, longestText } from './effort.ts';
import { ExpressionError, shown } from './error.ts';

/** Lists and objects one inside the other; the indentation of a deeper text would cost its square. */
const deepest = 100;

/** The value as JSON, indented by two spaces. */
export function toJson([value = null]: readonly Json[], effort: Effort, at: number): string {
  const text = new BoundedText('toJSON', effort, at);
  write(value, '\n');
  return text.whole();

  function write(part: Json, indent: string): void {
    if (typeof part === 'string') refuseLong(part, 'toJSON', at);
    if (isPrimitive(part)) {
      text.add(JSON.stringify(part));
      return;
    }
    if (indent.length > 2 * deepest) throw tooDeep('toJSON', at);
    const [open, close] = isList(part) ? '[]' : '{}';
    const inner = `${indent}  `;
    let isFirst = true;
    const begin = () => {
      text.add(`${isFirst ? open : ','}${inner}`);
      isFirst = false;
    };
    if (isList(part))
      for (const each of part) {
        begin();
        write(each, inner);
      }
    else
      for (const key of Object.keys(part)) {
        begin();
        refuseLong(key, 'toJSON', at);
        text.add(`${JSON.stringify(key)}: `);
        write(part[key]!, inner);
      }
    text.add(isFirst ? `${open}${close}` : `${indent}${close}`);
  }
}

/** The value that a JSON text stands for. */
export function fromJson([value = null]: readonly Json[], effort: Effort, at: number): Json {
  const text = toText(value);
  refuseLong(text, 'fromJSON', at);
  effort.spend(text.length, at);
  if (text.trim() === '') throw new ExpressionError('fromJSON: the text is empty', at);
  if (nestingOf(text) > deepest) throw tooDeep('fromJSON', at);
  try {
    const parsed: Json = JSON.parse(text);
    return parsed;
  } catch (cause) {
    throw new ExpressionError(`fromJSON: the text is not JSON: ${shown(text)}`, at, { cause });
  }
}

function refuseLong(text: string, maker: string, at: number): void {
  if (text.length > longestText)
    throw new ExpressionError(`${maker}: the text is longer than ${longestText} characters`, at);
}

const tooDeep = (maker: string, at: number) =>
  new ExpressionError(`${maker}: the value is nested deeper than ${deepest}`, at);
