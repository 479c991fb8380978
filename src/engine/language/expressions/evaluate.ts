// The value of an expression over the names that the program binds, by the evaluator of GitHub's library.
// The library bounds the text of an expression. It does not bound the values that a model or a repository gave it.
import { data, Evaluator, type Expr, wellKnownFunctions } from '@actions/expressions';
import { ContextAccess, type FunctionCall, IndexAccess, Literal } from '@actions/expressions/ast';
import type { ExpressionData } from '@actions/expressions/data/expressiondata';
import { type Json, messageOf, nestingOf } from '@echelon/ground';
import { deepest, sizeOf, toData, toJson, ExpressionError } from './data.ts';
import { writtenKey } from './names-in.ts';

/** Longest text that a function may build or read as JSON, in UTF-16 units: 1 MB. */
const longestText = 1024 * 1024;
/** Characters and elements that one evaluation may go over, so that a thousand cheap calls are not a dear one. */
const mostUnits = 16 * 1024 * 1024;

/** Characters that a search goes over in the time that all else takes for one. */
const searchedAtOnce = 256;

/** `isForMember`: a member is read of the name, not an element or the whole. */
type Lookup = (name: string, isForMember: boolean) => Json | undefined;

/**
 * The value; a name that `lookup` does not know is null, as an unknown member is. Each name is looked up once at most
 * for its members, and once for the whole.
 * Throws ExpressionError where a function cannot do what it is asked (`fromJSON` of what is not JSON, `format` with a
 * missing argument), where it would build more than 1 MB of text, and where the whole would go over more than 16
 * million characters and elements.
 */
export function evaluateExpression(expression: Expr, lookup: Lookup): Json {
  try {
    return toJson(new BoundedEvaluator(expression, lookup).evaluate());
  } catch (cause) {
    if (cause instanceof ExpressionError) throw cause;
    throw new ExpressionError(messageOf(cause).slice(0, 200), 0, { cause });
  }
}

class BoundedEvaluator extends Evaluator {
  readonly #lookup: Lookup;
  readonly #bound = new Map<string, ExpressionData>();
  #spent = 0;

  constructor(expression: Expr, lookup: Lookup) {
    super(expression, new data.Dictionary());
    this.#lookup = lookup;
  }

  protected override eval(part: Expr): ExpressionData {
    const value = super.eval(part);
    if (value instanceof data.StringData) this.#spend(value.value.length);
    else if (value instanceof data.Array || value instanceof data.Dictionary)
      this.#spend(value.values().length);
    this.#spend(1);
    return value;
  }

  override visitContextAccess({ name }: ContextAccess): ExpressionData {
    return this.#named(name.lexeme, false);
  }

  override visitIndexAccess(access: IndexAccess): ExpressionData {
    const { expr, index } = access;
    if (!(expr instanceof ContextAccess) || typeof writtenKey(access) !== 'string')
      return super.visitIndexAccess(access);
    const members = new Literal(this.#named(expr.name.lexeme, true), expr.name);
    return super.visitIndexAccess(new IndexAccess(members, index));
  }

  override visitFunctionCall({ functionName, args }: FunctionCall): ExpressionData {
    const { lexeme, range } = functionName;
    const name = lexeme.toLowerCase();
    const values = args.map(each => this.eval(each));
    try {
      this.#spend(costOf(name, values));
      const value = wellKnownFunctions[name]!.call(...values);
      if (value instanceof data.StringData) refuseLong(value.value.length);
      return value;
    } catch (cause) {
      if (cause instanceof ExpressionError) throw cause;
      const message = `${lexeme}: ${messageOf(cause).slice(0, 200)}`;
      throw new ExpressionError(message, range.start.column, { cause });
    }
  }

  #named(name: string, isForMember: boolean): ExpressionData {
    const key = isForMember ? `${name}.` : name;
    let found = this.#bound.get(key);
    if (!found) {
      found = toData(this.#lookup(name, isForMember) ?? null);
      this.#bound.set(key, found);
    }
    return found;
  }

  #spend(units: number): void {
    this.#spent += units;
    if (this.#spent > mostUnits)
      throw new ExpressionError('the expression goes over more text and elements than one test may', 0);
  }
}

/**
 * Characters and elements that a call goes over. The library's `contains` and `format` search a text again and again,
 * which takes the product of two lengths for texts made for the purpose.
 * Throws RangeError where the call would build too long a text, or read one.
 */
function costOf(name: string, values: readonly ExpressionData[]): number {
  const texts = values.map(each => (each.primitive ? each.coerceString() : ''));
  const [first = '', second = ''] = texts;
  const list = values[0] instanceof data.Array ? values[0].values().length : undefined;
  const size = values.reduce((sum, each) => sum + sizeOf(each), 0);
  switch (name) {
    case 'contains':
      return size + second.length * (list ?? first.length / searchedAtOnce);
    case 'format':
      refuseLong(lengthOfFormat(first, texts.slice(1)));
      return size + (first.split(/[{}]/).length * first.length) / searchedAtOnce;
    case 'join':
      refuseLong(size + (list ?? 0) * second.length);
      return size;
    case 'tojson':
      refuseLong(size);
      return size;
    case 'fromjson':
      refuseLong(first.length);
      if (nestingOf(first) > deepest) throw new RangeError(`the value is nested deeper than ${deepest}`);
      return size;
    default:
      return size;
  }
}

/** At most this long: `{0:x}` counts with its ending. */
function lengthOfFormat(pattern: string, texts: readonly string[]): number {
  let length = pattern.length;
  for (const [, index] of pattern.matchAll(/\{\{|\{(\d+)/g))
    if (index !== undefined) length += (texts[Number(index)]?.length ?? 0) - `{${index}}`.length;
  return length;
}

function refuseLong(length: number): void {
  if (length > longestText) throw new RangeError(`the text gets longer than ${longestText} characters`);
}
