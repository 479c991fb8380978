// Declarations of a TypeScript file, read without running it: its names, its texts, and its tests with their titles.
import { parseAst } from 'rolldown/parseAst';
import { Visitor } from 'rolldown/utils';

/** A node of the syntax tree, as far as this file looks into it. */
interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

export interface DeclaredTest {
  /** Titles of the groups around it and its own, joined by ` > `; templates of titles as they are written. */
  path: string;
  /** Reason that it never runs, or that others do not: `skip`, `todo`, `only`, `fails`; undefined for one that runs. */
  fault?: string;
}

/** Everything that has a name here, at any depth: functions, classes, constants, methods. */
export function namesIn(source: string): Set<string> {
  const names = new Set<string>();
  const add = (node: unknown) => {
    const { name } = (node ?? {}) as { name?: unknown };
    if (typeof name === 'string') names.add(name);
  };
  new Visitor({
    FunctionDeclaration: ({ id }) => add(id),
    ClassDeclaration: ({ id }) => add(id),
    VariableDeclarator: ({ id }) => add(id),
    MethodDefinition: ({ key }) => add(key),
    Property: ({ key, value }) => {
      if (/Function/.test(value.type)) add(key);
    },
  }).visit(parseAst(source, { lang: 'ts' }));
  return names;
}

/** Every text and key that stands in the source: the rows of its tables among them. */
export function textsIn(source: string): Set<string> {
  const texts = new Set<string>();
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string') texts.add(value);
    },
    TemplateElement: ({ value }) => {
      texts.add(value.cooked ?? value.raw);
    },
    Property: ({ key }) => {
      if (key.type === 'Identifier') texts.add(key.name);
    },
  }).visit(parseAst(source, { lang: 'ts' }));
  return texts;
}

const modifiers = /^(each|for|concurrent|sequential|skipIf|runIf|extend|skip|todo|only|fails)$/;
/** These take arguments of their own; the title is given to what they return. */
const taking = /^(each|for|skipIf|runIf|extend)$/;

/** The tests of a source, in their order. */
export function testsIn(source: string): DeclaredTest[] {
  const tests: DeclaredTest[] = [];
  const aliases = new Map<string, Chain>();
  const groups: { node: unknown; title: string; fault: string | undefined }[] = [];
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      const chain = init && chainOf(init as unknown as Node, aliases);
      if (id.type === 'Identifier' && chain) aliases.set(id.name, chain);
    },
    CallExpression: call => {
      const node = call as unknown as Node;
      const chain = takesNoTitle(node) ? undefined : chainOf(node['callee'] as Node, aliases);
      if (!chain) return;
      const [title, ...rest] = node['arguments'] as Node[];
      if (!title) return;
      const outer = groups.at(-1);
      const fault = outer?.fault ?? chain.fault ?? faultOf(rest);
      const path = [...groups.map(each => each.title), titleOf(title, source)].join(' > ');
      if (chain.root === 'describe') groups.push({ node: call, title: titleOf(title, source), fault });
      else tests.push({ path, ...(fault !== undefined && { fault }) });
    },
    'CallExpression:exit': call => {
      if (groups.at(-1)?.node === call) groups.pop();
    },
  }).visit(parseAst(source, { lang: 'ts' }));
  return tests;
}

interface Chain {
  root: string;
  fault?: string;
}

/** The chain at the start of `test.skipIf(x).each(y)`; undefined if it declares no test. */
function chainOf(node: Node, aliases: ReadonlyMap<string, Chain>): Chain | undefined {
  if (node.type === 'Identifier') {
    const name = String(node['name']);
    if (/^(test|it|describe)$/.test(name)) return { root: name };
    return aliases.get(name);
  }
  if (node.type === 'CallExpression') return takesNoTitle(node) ? chainOf(callee(node), aliases) : undefined;
  if (node.type === 'TaggedTemplateExpression') return chainOf(node['tag'] as Node, aliases);
  if (node.type !== 'MemberExpression') return undefined;
  const chain = chainOf(node['object'] as Node, aliases);
  const modifier = String((node['property'] as Node)['name']);
  if (!chain || !modifiers.test(modifier)) return undefined;
  return /^(skip|todo|only|fails)$/.test(modifier) ? { ...chain, fault: modifier } : chain;
}

const callee = (call: Node) => call['callee'] as Node;

/** True for `skipIf(...)` and similar calls, whose result takes the title. */
function takesNoTitle(call: Node): boolean {
  const { type, property } = callee(call);
  return type === 'MemberExpression' && taking.test(String((property as Node)['name']));
}

/** Reason in the arguments after the title: options that switch the test off, or a missing body. */
function faultOf(rest: readonly Node[]): string | undefined {
  if (!rest.some(({ type }) => /Function|Identifier|Call|Member/.test(type))) return 'todo';
  const options = rest.filter(({ type }) => type === 'ObjectExpression');
  return options
    .flatMap(each => each['properties'] as Node[])
    .map(each => String((each['key'] as Node | undefined)?.['name']))
    .find(name => /^(skip|todo|only|fails)$/.test(name));
}

/** A template's value at the end, which gives the reason for skipping on some machines, is left out. */
const titleOf = (title: Node, source: string) =>
  title.type === 'Literal'
    ? String(title['value'])
    : source
        .slice(title.start, title.end)
        .replace(/^`|`$/g, '')
        .replace(/(?<=.)\$\{[^}]*\}$/, '');
