// The value of an expression over the names that the program binds.
import type { Json } from '../../../lib/json.ts';
import { compares, truthy } from './coercion.ts';
import { costOf, Effort } from './effort.ts';
import type { Access, Comparison, Expression } from './expression.ts';
import { apply } from './functions.ts';
import { all, Filtered, member } from './members.ts';

/**
 * The value; a name that `lookup` does not know is null, as an unknown member is. `lookup` is told whether a member is
 * read of the name, or an element or the whole. Each name is looked up once at most, for each of the two.
 * Throws ExpressionError where a function cannot do what it is asked (`fromJSON` of what is not JSON, `format` with a
 * missing argument), where it would build more than 1 MB of text, and where the whole would go over more than 16
 * million characters and elements. What `lookup` throws goes through.
 */
export function evaluateExpression(
  expression: Expression,
  lookup: (name: string, isForMember: boolean) => Json | undefined,
): Json {
  const effort = new Effort();
  const bound = new Map<string, Json>();
  const value = evaluate(expression);
  // The list that `*` gave is a plain one for those outside.
  return value instanceof Filtered ? Array.from(value) : value;

  function evaluate(part: Expression): Json {
    switch (part.kind) {
      case 'literal':
        return part.value;
      case 'name':
        return named(part.name);
      case 'access':
        return part.steps.reduce(take, beginning(part));
      case 'not':
        return !truthy(evaluate(part.operand));
      case 'compare':
        return part.rest.reduce(compare, evaluate(part.first));
      case 'logical':
        return logical(part.operands, part.operator === '||');
      case 'call':
        return apply(part.function, part.args.map(evaluate), effort, part.offset);
    }
  }

  function named(name: string, isForMember = false): Json {
    const key = isForMember ? `${name}.` : name;
    let found = bound.get(key);
    if (found === undefined) bound.set(key, (found = lookup(name, isForMember) ?? null));
    return found;
  }

  /** What the first step is taken into. */
  function beginning({ from, steps: [first] }: Extract<Expression, { kind: 'access' }>): Json {
    if (from.kind !== 'name') return evaluate(from);
    const key = first?.kind === 'member' && first.key.kind === 'literal' ? first.key.value : undefined;
    return named(from.name, typeof key === 'string');
  }

  function take(from: Json, step: Access): Json {
    return step.kind === 'all'
      ? all(from, effort, step.offset)
      : member(from, evaluate(step.key), effort, step.offset);
  }

  function compare(left: Json, { operator, right, offset }: Comparison): Json {
    const other = evaluate(right);
    effort.spend(costOf(left) + costOf(other), offset);
    return compares(left, operator, other);
  }

  /** The first operand that decides, `||` by being true and `&&` by being false; else the last. */
  function logical(operands: readonly Expression[], decidesTrue: boolean): Json {
    let value: Json = null;
    for (const operand of operands) {
      value = evaluate(operand);
      if (truthy(value) === decidesTrue) break;
    }
    return value;
  }
}
