// Looks, by parsing, for what the `safe` strategy refuses: loops without a way out, `eval`, `Function`.
// It is advice to an author, not the wall: code can loop through calls as well. The sandbox has neither `eval` nor
// `Function` (sandbox/guest.ts), and its limits hold for all code.
import { type AnyNode, getLineInfo, Parser, type Program } from 'acorn';
import { messageOf } from '@echelon/ground';
import type { ProgramError } from '../../sandbox/program-end.ts';

/**
 * Characters that are parsed. The parser runs on this process's own thread, where no limit ends it: of so many the
 * worst known shapes (tests/engine/reasoning/execution/unsafe.test.ts) take it less than 200 ms.
 */
const CHECKED_CHARS = 32 * 1024;

/** Returns the reason that `code`, the body of an async function, must not run: a finding, or a syntax error. */
export function unsafeIn(code: string): ProgramError | undefined {
  if (code.length > CHECKED_CHARS)
    return refused(`the code has ${code.length} characters; ${CHECKED_CHARS} are checked at most`);
  try {
    const [first] = findingsIn(parseShape(code)).sort((a, b) => a.at - b.at);
    if (first === undefined) return undefined;
    const { line, column } = getLineInfo(code, first.at);
    return { ...refused(first.message), line, column: column + 1 };
  } catch (thrown) {
    // Both the parser and the walk recurse. The parser says it as a syntax error, by this message alone.
    const isTooDeep = thrown instanceof RangeError || /^Not enough stack space/.test(messageOf(thrown));
    if (isTooDeep) return refused('the code is nested too deeply to be checked');
    if (thrown instanceof SyntaxError) return syntaxError(thrown);
    throw thrown;
  }
}

const refused = (message: string): ProgramError => ({ name: 'UnsafeCodeError', message });

/** The parser puts the place behind its message and into `loc`. */
function syntaxError({
  message,
  loc,
}: SyntaxError & { loc?: { line: number; column: number } }): ProgramError {
  const said = message.replace(/ \(\d+:\d+\)$/, '');
  return { name: 'SyntaxError', message: said, ...(loc && { line: loc.line, column: loc.column + 1 }) };
}

interface Finding {
  /** Offset in the code. */
  at: number;
  message: string;
}

/** Jumps that leave a part of the code: `break`, `continue`, `throw`, `end` of the function, `break x` to a label. */
type Jumps = Set<string>;

/** The jump that a node of the type is. */
const jumpOf: Readonly<Record<string, string>> = {
  BreakStatement: 'break',
  ContinueStatement: 'continue',
  ReturnStatement: 'end',
  YieldExpression: 'end',
  ThrowStatement: 'throw',
};

const isLoop = ({ type }: AnyNode): boolean => /^(?:For|While|DoWhile)/.test(type);

function findingsIn(program: AnyNode): Finding[] {
  const findings: Finding[] = [];
  jumpsOf(program, []);
  return findings;

  /** `labels`: those of the node. */
  function jumpsOf(node: AnyNode, labels: readonly string[]): Jumps {
    if (node.type === 'Identifier' && (node.name === 'eval' || node.name === 'Function'))
      findings.push({
        at: node.start,
        message: `${node.name} makes code out of text, which cannot be checked: write the code out`,
      });
    const left: Jumps = new Set();
    const own = node.type === 'LabeledStatement' ? [...labels, node.label.name] : [];
    for (const child of childrenOf(node)) {
      const isCaught = node.type === 'TryStatement' && node.handler !== null && child === node.block;
      for (const jump of jumpsOf(child, own)) if (!isCaught || jump !== 'throw') left.add(jump);
    }
    const jump = jumpOf[node.type];
    if (jump !== undefined) left.add('label' in node && node.label ? `${jump} ${node.label.name}` : jump);
    if (isLoop(node)) {
      for (const each of ['continue', ...labels.map(label => `continue ${label}`)]) left.delete(each);
      if (left.size === 0 && isEndless(node))
        findings.push({
          at: node.start,
          message: 'a loop without end has no way out: no break, return, throw or yield leaves it',
        });
    }
    if (isLoop(node) || node.type === 'SwitchStatement') left.delete('break');
    if (node.type === 'LabeledStatement') left.delete(`break ${node.label.name}`);
    return /Function|^StaticBlock$/.test(node.type) ? new Set() : left;
  }
}

function isEndless(loop: AnyNode): boolean {
  if (loop.type === 'ForStatement') return !loop.test || truth(loop.test) === true;
  return (loop.type === 'WhileStatement' || loop.type === 'DoWhileStatement') && truth(loop.test) === true;
}

/** Value of a condition written as a constant; undefined for any other condition. */
function truth(test: AnyNode): boolean | undefined {
  if (test.type === 'Literal') return Boolean(test.value ?? test.regex);
  if (test.type !== 'UnaryExpression' || test.operator !== '!') return undefined;
  const negated = truth(test.argument);
  return negated === undefined ? undefined : !negated;
}

/** Without what only names a member: an object may have one called `eval`. */
function childrenOf(node: AnyNode): AnyNode[] {
  const isNamed = 'computed' in node && !node.computed;
  const { key, property, ...rest } = node as AnyNode & { key?: unknown; property?: unknown };
  return Object.values(isNamed ? rest : node)
    .flat()
    .filter(isNode);
}

/** In the parser's tree whatever has a `type` is a node. */
const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Internals of the parser that its types do not declare (acorn/dist/acorn.mjs). */
interface Internals {
  scopeStack: Scope[];
}

/** Its flags never change, so what a walk through the scopes around it found holds for good. */
interface Scope {
  ofVariables?: unknown;
  ofThis?: unknown;
  canAwait?: boolean;
}

/**
 * The interpreter says itself what is wrong with a regular expression, which names are declared twice, which private
 * ones not at all, and what cannot be assigned to: a time limit holds there. Here each takes quadratic time, or worse.
 */
const ShapeParser = Parser.extend(Base => {
  const walks = Base.prototype as unknown as { currentVarScope(): unknown; currentThisScope(): unknown };
  const Shape = class extends Base {
    validateRegExpFlags(): void {}
    validateRegExpPattern(): void {}
    declareName(): void {}
    checkLValPattern(): void {}
    // Asked for every name; each walk is as long as the nesting is deep.
    currentVarScope(this: Internals): unknown {
      const scope = this.scopeStack.at(-1)!;
      return (scope.ofVariables ??= walks.currentVarScope.call(this));
    }
    currentThisScope(this: Internals): unknown {
      const scope = this.scopeStack.at(-1)!;
      return (scope.ofThis ??= walks.currentThisScope.call(this));
    }
    get canAwait(): boolean {
      const scope = (this as unknown as Internals).scopeStack.at(-1)!;
      return (scope.canAwait ??= Reflect.get(Base.prototype, 'canAwait', this));
    }
    // The code is the body of a function, though it is parsed as a script.
    get allowNewDotTarget(): boolean {
      return true;
    }
  };
  return Shape as unknown as typeof Parser;
});

/** Throws SyntaxError with `loc`, its place (columns from 0); also where the code is nested too deeply. */
function parseShape(code: string): Program {
  return ShapeParser.parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'script',
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    checkPrivateFields: false,
  });
}
