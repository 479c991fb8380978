// The same expressions by GitHub's own library, as the measure.
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import type { Json } from '../../../../src/lib/json.ts';

type Data = InstanceType<
  | typeof data.Array
  | typeof data.BooleanData
  | typeof data.Dictionary
  | typeof data.Null
  | typeof data.NumberData
  | typeof data.StringData
>;

/** The value of `text`; every word in it that is not bound is null. Throws what the library throws. */
export function byGitHub(text: string, bindings: { readonly [name: string]: Json }): Json {
  // The library reads what stands between the brackets.
  const inner = /^\s*\$\{\{([\s\S]*)\}\}\s*$/.exec(text)?.[1] ?? text;
  const tree = new Parser(new Lexer(inner).lex().tokens, inner.match(/[A-Za-z_][\w-]*/g) ?? [], []).parse();
  if (tree === undefined) throw new Error('there is no expression');
  return toJson(new Evaluator(tree, new Bound(bindings)).evaluate());
}

/** Names as they are written, as the caller of an expression binds them; the library's own do not regard case. */
class Bound extends data.Dictionary {
  readonly #bindings: Map<string, Data>;

  constructor(bindings: { readonly [name: string]: Json }) {
    super();
    this.#bindings = new Map(Object.entries(bindings).map(([name, value]) => [name, toData(value)]));
  }

  override get(name: string): Data {
    return this.#bindings.get(name) ?? new data.Null();
  }
}

const toData = (value: Json): Data => JSON.parse(JSON.stringify(value), data.reviver);

function toJson(value: unknown): Json {
  if (value instanceof data.Array) return value.values().map(toJson);
  if (value instanceof data.Dictionary)
    return Object.fromEntries(value.pairs().map(({ key, value: inner }) => [key, toJson(inner)]));
  if (value instanceof data.Null) return null;
  if (
    value instanceof data.StringData ||
    value instanceof data.NumberData ||
    value instanceof data.BooleanData
  )
    return value.value;
  throw new TypeError(`the library gave ${String(value)}`);
}
