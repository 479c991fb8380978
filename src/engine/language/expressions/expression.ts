// What a read expression is: one closed union of plain data.
import type { Comparator } from './coercion.ts';
import type { FunctionName } from './functions.ts';

export type Expression =
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'name'; name: string }
  | { kind: 'access'; from: Expression; steps: readonly Access[] }
  | { kind: 'not'; operand: Expression }
  | { kind: 'compare'; first: Expression; rest: readonly Comparison[] }
  | { kind: 'logical'; operator: '&&' | '||'; operands: readonly Expression[] }
  | { kind: 'call'; function: FunctionName; args: readonly Expression[]; offset: number };

/** One step into a value: `.name`, `[index]`; or `.*`, which goes on with every element at once. */
export type Access = { kind: 'member'; key: Expression; offset: number } | { kind: 'all'; offset: number };

/** A chain is flat and read from the left, as `a < b < c` is: the depth of a tree stays that of its brackets. */
export interface Comparison {
  operator: Comparator;
  right: Expression;
  offset: number;
}
