// The functions of the expression language, in one table.
import type { Json } from '../../../lib/json.ts';
import { compares, folded, isList, isPrimitive, toText } from './coercion.ts';
import { BoundedText, costOf, type Effort } from './effort.ts';
import { ExpressionError } from './error.ts';
import { format } from './format.ts';
import { fromJson, toJson } from './json-text.ts';
import { includes } from './search.ts';

/** `at` is where the call stands, for errors. Throws ExpressionError. */
type Apply = (args: readonly Json[], effort: Effort, at: number) => Json;

interface Definition {
  least: number;
  most: number;
  apply: Apply;
}

const definitions = {
  contains: { least: 2, most: 2, apply: contains },
  startsWith: { least: 2, most: 2, apply: edge((text, part) => text.startsWith(part)) },
  endsWith: { least: 2, most: 2, apply: edge((text, part) => text.endsWith(part)) },
  // 255 arguments are GitHub's own limit.
  format: { least: 1, most: 255, apply: format },
  join: { least: 1, most: 2, apply: join },
  toJSON: { least: 1, most: 1, apply: toJson },
  fromJSON: { least: 1, most: 1, apply: fromJson },
  case: { least: 3, most: 255, apply: choose },
} satisfies Record<string, Definition>;

export type FunctionName = keyof typeof definitions;

export const functionNames = Object.keys(definitions) as readonly FunctionName[];

const byLowerCase = new Map(functionNames.map(name => [name.toLowerCase(), name]));

/** The function of this name, without regard to case. */
export const findFunction = (name: string): FunctionName | undefined => byLowerCase.get(name.toLowerCase());

/** What is wrong with the number of arguments; undefined when nothing is. */
export function arityOf(name: FunctionName, given: number): string | undefined {
  const { least, most }: Definition = definitions[name];
  if (given < least || given > most) {
    const range = least === most ? `${least}` : `${least} to ${most}`;
    return `${name} takes ${range} argument${range === '1' ? '' : 's'}, not ${given}`;
  }
  if (name === 'case' && given % 2 === 0)
    return `case takes pairs of a test and a value, then the value for all else: an odd number of arguments, not ${given}`;
  return undefined;
}

/** The value of a call whose arguments are evaluated. Throws ExpressionError. */
export function apply(name: FunctionName, args: readonly Json[], effort: Effort, at: number): Json {
  return definitions[name].apply(args, effort, at);
}

/** In a text, a part without regard to case; in a list, an element equal as `==` says. */
function contains([where = null, what = null]: readonly Json[], effort: Effort, at: number): boolean {
  if (isList(where)) {
    return where.some(each => {
      effort.spend(costOf(each) + costOf(what), at);
      return compares(what, '==', each);
    });
  }
  if (!isPrimitive(where) || !isPrimitive(what)) return false;
  effort.spend(costOf(where) + costOf(what), at);
  return includes(toText(where).toLowerCase(), toText(what).toLowerCase());
}

function edge(test: (text: string, part: string) => boolean): Apply {
  return ([text = null, part = null], effort, at) => {
    if (!isPrimitive(text) || !isPrimitive(part)) return false;
    effort.spend(costOf(text) + costOf(part), at);
    return test(folded(toText(text)), folded(toText(part)));
  };
}

/** The elements of a list as texts, with a comma or the given text between them; a single value as it is. */
function join([list = null, between = ',']: readonly Json[], effort: Effort, at: number): string {
  if (isPrimitive(list)) return toText(list);
  if (!isList(list)) return '';
  const separator = isPrimitive(between) ? toText(between) : ',';
  const text = new BoundedText('join', effort, at);
  list.forEach((each, index) => {
    if (index > 0) text.add(separator);
    text.add(toText(each));
  });
  return text.whole();
}

/** The value behind the first test that is true, else the last. */
function choose(args: readonly Json[], _effort: Effort, at: number): Json {
  for (let index = 0; index + 1 < args.length; index += 2) {
    const test = args[index];
    if (typeof test !== 'boolean')
      throw new ExpressionError(`case: argument ${index + 1} is a test and must be true or false`, at);
    if (test) return args[index + 1]!;
  }
  return args.at(-1)!;
}
