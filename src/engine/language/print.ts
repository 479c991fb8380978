// A task as the source that it is read from.
import type { Binding, Candidates, Input, Limits, Output, Task, Value } from './ast.ts';
import { plainContext } from './blank.ts';
import { type Element, isBlank } from './element.ts';
import type { PrintContent, PrintNode } from './surface/print-node.ts';
import { printSExpression } from './surface/s-expression-printer.ts';
import type { Surface } from './surface/surface.ts';
import { printXml } from './surface/xml-printer.ts';
import { dedent, type TemplateText } from './text.ts';

/**
 * The source of `task`: `parseProgram` reads the same task from it, but for positions, and for `template`, since
 * what a `ref` took stands here in full.
 */
export function printTask(task: Task): string {
  return printXml(taskNode(task));
}

/**
 * A program's elements as they are laid out: two spaces a level, comments where they stand, `type` and `name` before other
 * attributes. `root` is in canonical form; every text that a program reads is the same in what is printed.
 */
export function printElements(root: Element, surface: Surface): string {
  const print = { xml: printXml, task: printSExpression }[surface];
  return `${print(elementNode(root))}\n`;
}

function elementNode({ name, attributes, children, comments }: Element): PrintNode {
  const given = [...attributes].map(([key, { value }]): [string, string] => [key, value]);
  const rank = ([key]: [string, string]) => (name === 'task' && key === 'type' ? 0 : key === 'name' ? 1 : 2);
  given.sort((a, b) => rank(a) - rank(b));
  const content = contentOf(children);
  if (typeof content !== 'string' || !comments)
    return { name, attributes: given, content, ...(comments && { comments }) };
  // Within a text a comment would be read as its layout.
  const all = [...comments.before, ...comments.atEnd];
  return { name, attributes: given, content, comments: { before: all, atEnd: [] } };
}

function contentOf(children: Element['children']): PrintContent {
  const words = children.map(child => (child.kind === 'text' ? child.text : '')).join('');
  const elements = children.filter(child => child.kind === 'element');
  if (isBlank(words)) return elements.map(elementNode);
  // White space that XML does not know is a text, if an empty one.
  if (elements.length === 0) return dedent(words) || words.charAt(words.search(/[^ \t\n]/));
  const content: (PrintNode | string)[] = [];
  for (const child of children) {
    const last = content.at(-1);
    if (child.kind === 'element') content.push(elementNode(child));
    else if (typeof last === 'string') content[content.length - 1] = last + child.text;
    else if (child.text !== '') content.push(child.text);
  }
  return content;
}

/** Nothing for what the task does not have. */
function node(
  name: string,
  content: PrintContent | undefined,
  attributes: Record<string, string | undefined> = {},
): PrintNode[] {
  if (content === undefined) return [];
  const given = Object.entries(attributes).filter((each): each is [string, string] => each[1] !== undefined);
  return [{ name, attributes: given, content }];
}

function taskNode(task: Task): PrintNode {
  const [own] = node('task', [...common(task), ...ownParts(task)], {
    type: task.type === 'atomic' ? undefined : task.type,
    name: task.name === '' ? undefined : task.name,
    subtype: task.type === 'atomic' && task.subtype !== 'standard' ? task.subtype : undefined,
    ref: task.type === 'call' ? task.ref.name : undefined,
  });
  return own!;
}

function common(task: Task): PrintNode[] {
  const { description, inputs, context, disableReparsing, limits, candidates, onFailure } = task;
  return [
    ...node('description', text(description)),
    ...filled('inputs', inputs.filter(({ asked }) => !asked).flatMap(inputNode)),
    ...filled('context_management', [
      ...node('inherit_context', context.inherit),
      ...node('accumulate_data', context.accumulate ? 'true' : undefined),
      ...node('accumulation_format', context.format === plainContext.format ? undefined : context.format),
      ...node('clear_memory', context.clear ? 'true' : undefined),
      ...node('rebuild_memory', context.rebuild ? 'true' : undefined),
    ]),
    ...node('disable_reparsing', disableReparsing ? 'true' : undefined),
    ...filled('limits', limitNodes(limits)),
    ...(candidates ? candidatesNode(candidates) : []),
    ...holding('on_failure', onFailure),
  ];
}

function ownParts(task: Task): PrintNode[] {
  switch (task.type) {
    case 'atomic':
      return [
        ...node('system', text(task.system)),
        ...node('instructions', text(task.instructions)),
        ...node('expected_output', text(task.expectedOutput)),
        ...node('criteria', text(task.criteria)),
        ...node('model', task.model),
        ...node('temperature', task.temperature === undefined ? undefined : `${task.temperature}`),
        ...node('effort', task.effort),
        ...task.outputs.flatMap(outputNode),
        ...node('tools', task.tools.length > 0 ? task.tools.join(', ') : undefined),
        ...node('output_slot', task.outputSlot),
        ...node('input_source', task.inputSource?.name),
      ];
    case 'sequential':
      return node('steps', task.steps.map(taskNode));
    case 'map':
      return [
        ...valueNode('over', task.over),
        ...holding('inner_task', task.inner),
        ...node('parallel', `${task.parallel}`),
      ];
    case 'reduce':
      return [
        ...(task.over ? valueNode('over', task.over) : []),
        ...valueNode('initial_value', task.initial),
        ...holding('inner_task', task.inner),
        ...holding('reduction_task', task.reduction),
      ];
    case 'script':
      return node('command', text(task.command));
    case 'director-evaluator':
      return [
        ...holding('director', task.director),
        ...holding('script', task.script),
        ...holding('evaluator', task.evaluator),
        ...node('max_rounds', text(task.maxRounds)),
      ];
    case 'function':
      return [
        ...filled(
          'parameters',
          task.parameters.flatMap(({ name, type }) => node('parameter', [], { name, type })),
        ),
        ...node('returns', task.returns && [], { type: task.returns }),
        ...holding('body', task.body),
      ];
    case 'call':
      return task.args.flatMap(arg => bindingNode('arg', arg));
    case 'cond':
      return [
        ...task.cases.flatMap(each => node('case', [taskNode(each.task)], { test: each.source })),
        ...holding('else', task.otherwise),
      ];
    case 'let':
      return [...task.binds.flatMap(bind => bindingNode('bind', bind)), ...holding('body', task.body)];
  }
}

/** Nothing where it would be empty. */
const filled = (name: string, content: PrintNode[]) => (content.length > 0 ? node(name, content) : []);

const holding = (name: string, task: Task | undefined) => node(name, task && [taskNode(task)]);

function inputNode({ name, value, stdin }: Input): PrintNode[] {
  const attributes = { name, stdin: stdin ? 'true' : undefined };
  return value.kind === 'parameter' ? node('input', [], attributes) : valueNode('input', value, attributes);
}

const bindingNode = (element: string, { name, value }: Binding) => valueNode(element, value, { name });

function valueNode(
  element: string,
  value: Value,
  attributes: Record<string, string | undefined> = {},
): PrintNode[] {
  if (value.kind === 'binding') return node(element, [], { ...attributes, from: value.from.name });
  return node(element, value.kind === 'text' ? text(value.text) : [taskNode(value.task)], attributes);
}

function limitNodes({ turns, contextTokens, outputTokens, timeMs, budgetUsd }: Limits): PrintNode[] {
  const limit = (name: string, value: number | undefined) =>
    node(name, value === undefined ? undefined : `${value}`);
  return [
    ...limit('turns', turns),
    ...limit('context_tokens', contextTokens),
    ...limit('output_tokens', outputTokens),
    ...limit('time_s', timeMs && timeMs / 1000),
    ...limit('budget', budgetUsd),
  ];
}

function candidatesNode({ count, models, temperatures, script, evaluator }: Candidates): PrintNode[] {
  const content = [
    ...models.flatMap(each => node('model', each)),
    ...temperatures.flatMap(each => node('temperature', `${each}`)),
    ...holding('script', script),
    ...holding('evaluator', evaluator),
  ];
  return node('candidates', content, { n: `${count}` });
}

function outputNode({ name, type, nullable, schema }: Output): PrintNode[] {
  const given = schema === undefined ? undefined : JSON.stringify(schema);
  return node('output', [], { name, type, nullable: nullable ? 'true' : undefined, schema: given });
}

/** The text with its placeholders, as it was written. */
export function templateText({ parts }: TemplateText): string {
  return parts.map(part => (typeof part === 'string' ? part : `{{${part.name}}}`)).join('');
}

const text = (template: TemplateText | undefined) => template && templateText(template);
