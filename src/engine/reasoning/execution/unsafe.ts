// Looks, by parsing, for what the `safe` strategy refuses: loops without a way out, `eval`, `Function`.
// It is advice to an author, not the wall: code can still reach `Function` through an object's `constructor` or a
// name put together at run time, and can loop through calls. The sandbox's limits hold for those as for all code.
import type { AnyNode } from 'acorn';
import { messageOf } from '../../../lib/message.ts';
import type { ProgramError } from '../../sandbox/program-end.ts';
import { parseShape, placeOf } from './parse-code.ts';

/**
 * Characters that are parsed. The parser runs on this process's own thread, where no limit ends it: of so many the
 * worst known shapes (tests/engine/reasoning/execution/unsafe.test.ts) take it less than 200 ms.
 */
const CHECKED_CHARS = 32 * 1024;

interface Finding {
  /** Offset in the code. */
  at: number;
  message: string;
}

/** Why the body `code` of an async function is not to be run: the first finding, or that it does not parse. */
export function unsafeIn(code: string): ProgramError | undefined {
  if (code.length > CHECKED_CHARS)
    return refused(`the code has ${code.length} characters; ${CHECKED_CHARS} are checked at most`);
  try {
    const program = parseShape(code);
    const findings: Finding[] = [];
    look(program, undefined, findings);
    const [first] = findings.sort((a, b) => a.at - b.at);
    if (first === undefined) return undefined;
    return { ...refused(first.message), ...placeOf(code, first.at) };
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

/** What stands around a node within its function, innermost first: what a jump can leave. */
interface Around {
  kind: 'loop' | 'switch' | 'label' | 'try';
  labels: readonly string[];
  /** Something in it leaves it. */
  isLeft: boolean;
  outer: Around | undefined;
}

function look(node: AnyNode, around: Around | undefined, findings: Finding[], labels: string[] = []): void {
  const inside = (kind: Around['kind']): Around => ({ kind, labels, isLeft: false, outer: around });
  switch (node.type) {
    case 'Identifier':
      if (isMaker(node.name)) findings.push(maker(node.start, node.name));
      return;
    case 'MemberExpression': {
      const name = nameOf(node.property, node.computed);
      const isGlobal =
        node.object.type === 'ThisExpression' ||
        (node.object.type === 'Identifier' && node.object.name === 'globalThis');
      if (isGlobal && isMaker(name)) findings.push(maker(node.start, name));
      look(node.object, around, findings);
      if (node.computed) look(node.property, around, findings);
      return;
    }
    case 'Property':
      // The key alone is a name like any other: an object may have a member `eval`.
      if (node.computed) look(node.key, around, findings);
      look(node.value, around, findings);
      return;
    case 'ObjectPattern':
      // `{ eval: run } = globalThis`.
      for (const each of node.properties) {
        if (each.type === 'Property' && !each.shorthand) findKey(each.key, each.computed, findings);
        look(each, around, findings);
      }
      return;
    case 'MethodDefinition':
    case 'PropertyDefinition':
      if (node.computed) look(node.key, around, findings);
      if (node.value) look(node.value, undefined, findings);
      return;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'StaticBlock':
      for (const child of childrenOf(node)) look(child, undefined, findings);
      return;
    case 'LabeledStatement':
      if (/^(?:For|While|DoWhile|Labeled)/.test(node.body.type))
        look(node.body, around, findings, [...labels, node.label.name]);
      else look(node.body, { ...inside('label'), labels: [...labels, node.label.name] }, findings);
      return;
    case 'BreakStatement':
      leave(around, node.label?.name, true);
      return;
    case 'ContinueStatement':
      if (node.label) leave(around, node.label.name, false);
      return;
    case 'ReturnStatement':
    case 'YieldExpression':
      leaveAll(around);
      break;
    case 'ThrowStatement':
      leaveAll(around, each => each.kind === 'try');
      break;
    case 'TryStatement':
      look(node.block, node.handler ? inside('try') : around, findings);
      if (node.handler) look(node.handler, around, findings);
      if (node.finalizer) look(node.finalizer, around, findings);
      return;
    case 'SwitchStatement':
      look(node.discriminant, around, findings);
      for (const each of node.cases) look(each, inside('switch'), findings);
      return;
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement': {
      const loop = inside('loop');
      for (const child of childrenOf(node)) look(child, loop, findings);
      if (!loop.isLeft && isEndless(node))
        findings.push({
          at: node.start,
          message: 'a loop without end has no way out: no break, return, throw or yield leaves it',
        });
      return;
    }
  }
  for (const child of childrenOf(node)) look(child, around, findings);
}

/** Marks what a jump to `label` leaves; without one to the nearest loop or switch, which only a break leaves. */
function leave(around: Around | undefined, label: string | undefined, isBreak: boolean): void {
  for (let each = around; each; each = each.outer) {
    const isTarget =
      label === undefined ? each.kind === 'loop' || each.kind === 'switch' : each.labels.includes(label);
    if (!isTarget || isBreak) each.isLeft = true;
    if (isTarget) return;
  }
}

function leaveAll(around: Around | undefined, stopsAt: (each: Around) => boolean = () => false): void {
  for (let each = around; each && !stopsAt(each); each = each.outer) each.isLeft = true;
}

function isEndless(loop: AnyNode): boolean {
  if (loop.type === 'ForStatement') return !loop.test || truth(loop.test) === true;
  return (loop.type === 'WhileStatement' || loop.type === 'DoWhileStatement') && truth(loop.test) === true;
}

/** Whether a condition written as a constant holds; nothing for any other condition. */
function truth(test: AnyNode): boolean | undefined {
  if (test.type === 'Literal') return Boolean(test.value ?? test.regex);
  if (test.type !== 'UnaryExpression' || test.operator !== '!') return undefined;
  const negated = truth(test.argument);
  return negated === undefined ? undefined : !negated;
}

const isMaker = (name: string | undefined): name is 'eval' | 'Function' =>
  name === 'eval' || name === 'Function';

const maker = (at: number, name: string): Finding => ({
  at,
  message: `${name} makes code out of text, which cannot be checked: write the code out`,
});

/** The property that is named, where the text says it. */
function nameOf(key: AnyNode, computed: boolean): string | undefined {
  if (key.type === 'Identifier') return computed ? undefined : key.name;
  if (key.type === 'Literal') return String(key.value);
  return key.type === 'TemplateLiteral' && key.expressions.length === 0
    ? (key.quasis[0]?.value.cooked ?? undefined)
    : undefined;
}

function findKey(key: AnyNode, computed: boolean, findings: Finding[]): void {
  const name = nameOf(key, computed);
  if (isMaker(name)) findings.push(maker(key.start, name));
}

function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node).flat().filter(isNode);
}

/** In the parser's tree whatever has a `type` is a node. */
const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
