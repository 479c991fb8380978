// A task as the XML that it is read from.
import type { Binding, ContextManagement, Input, Limits, Output, Task, Value } from './ast.ts';
import { plainContext } from './blank.ts';
import { type Element, isBlank } from './element.ts';
import { dedent, type TemplateText } from './text.ts';

/**
 * The source of `task`: `parseProgram` reads the same task from it, but for positions, and for `template`, since
 * what a `ref` took stands here in full.
 */
export function printTask(task: Task): string {
  return printed(taskNode(task), '');
}

interface Node {
  name: string;
  comments?: Element['comments'];
  attributes: (readonly [name: string, value: string])[];
  /** Text is that of a template: without the indentation of the document. */
  content: Node[] | string;
}

type Content = Node['content'] | undefined;

/**
 * A program's elements as they are laid out: two spaces a level, comments where they stand. `root` is in canonical form;
 * every text that a program reads is the same in what is printed.
 */
export function printElements(root: Element): string {
  return `${printed(elementNode(root), '')}\n`;
}

function elementNode({ name, attributes, children, comments }: Element): Node {
  const given = [...attributes].map(([key, { value }]): [string, string] => [key, value]);
  const elements = children.filter(child => child.kind === 'element');
  const words = children.map(child => (child.kind === 'text' ? child.text : '')).join('');
  const content = elements.length > 0 || isBlank(words) ? elements.map(elementNode) : dedent(words);
  return { name, attributes: given, content, ...(comments && { comments }) };
}

/** Nothing for what the task does not have. */
function node(name: string, content: Content, attributes: Record<string, string | undefined> = {}): Node[] {
  if (content === undefined) return [];
  const given = Object.entries(attributes).filter((each): each is [string, string] => each[1] !== undefined);
  return [{ name, attributes: given, content }];
}

function taskNode(task: Task): Node {
  const [own] = node('task', [...common(task), ...ownParts(task)], {
    type: task.type === 'atomic' ? undefined : task.type,
    name: task.name === '' ? undefined : task.name,
    subtype: task.type === 'atomic' && task.subtype !== 'standard' ? task.subtype : undefined,
    ref: task.type === 'call' ? task.ref.name : undefined,
  });
  return own!;
}

function common({ description, inputs, context, disableReparsing, onFailure }: Task): Node[] {
  return [
    ...node('description', text(description)),
    ...filled('inputs', inputs.filter(({ asked }) => !asked).flatMap(inputNode)),
    ...filled('context_management', contextNodes(context)),
    ...node('disable_reparsing', disableReparsing ? 'true' : undefined),
    ...holding('on_failure', onFailure),
  ];
}

function ownParts(task: Task): Node[] {
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
        ...filled('limits', limitNodes(task.limits)),
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
          task.parameters.flatMap(({ name }) => node('parameter', [], { name })),
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
const filled = (name: string, content: Node[]) => (content.length > 0 ? node(name, content) : []);

const holding = (name: string, task: Task | undefined) => node(name, task && [taskNode(task)]);

function inputNode({ name, value, stdin }: Input): Node[] {
  const attributes = { name, stdin: stdin ? 'true' : undefined };
  return value.kind === 'parameter' ? node('input', [], attributes) : valueNode('input', value, attributes);
}

const bindingNode = (element: string, { name, value }: Binding) => valueNode(element, value, { name });

function valueNode(
  element: string,
  value: Value,
  attributes: Record<string, string | undefined> = {},
): Node[] {
  if (value.kind === 'binding') return node(element, [], { ...attributes, from: value.from.name });
  return node(element, value.kind === 'text' ? text(value.text) : [taskNode(value.task)], attributes);
}

function contextNodes({ inherit, accumulate, format, clear, rebuild }: ContextManagement): Node[] {
  return [
    ...node('inherit_context', inherit),
    ...node('accumulate_data', accumulate ? 'true' : undefined),
    ...node('accumulation_format', format === plainContext.format ? undefined : format),
    ...node('clear_memory', clear ? 'true' : undefined),
    ...node('rebuild_memory', rebuild ? 'true' : undefined),
  ];
}

function limitNodes({ turns, contextTokens, outputTokens, timeMs }: Limits): Node[] {
  const limit = (name: string, value: number | undefined) =>
    node(name, value === undefined ? undefined : `${value}`);
  return [
    ...limit('turns', turns),
    ...limit('context_tokens', contextTokens),
    ...limit('output_tokens', outputTokens),
    ...limit('time_s', timeMs && timeMs / 1000),
  ];
}

function outputNode({ name, type, nullable, schema }: Output): Node[] {
  const given = schema === undefined ? undefined : JSON.stringify(schema);
  return node('output', [], { name, type, nullable: nullable ? 'true' : undefined, schema: given });
}

/** The text with its placeholders, as it was written. */
export function templateText({ parts }: TemplateText): string {
  return parts.map(part => (typeof part === 'string' ? part : `{{${part.name}}}`)).join('');
}

const text = (template: TemplateText | undefined) => template && templateText(template);

const comment = (words: string, indent: string): string => `${indent}<!--${words}-->`;

/** Two spaces a level. Lines of a text are indented with their element, which reading takes away again. */
function printed({ name, attributes, content, comments }: Node, indent: string): string {
  const isText = typeof content === 'string' && content !== '';
  const { before: first = [], atEnd = [] } = comments ?? {};
  // A text is told of before it: within it a comment would be read as its layout.
  const before = (isText ? [...first, ...atEnd] : first).map(words => `${comment(words, indent)}\n`).join('');
  const inside = isText ? [] : atEnd.map(words => comment(words, `${indent}  `));
  const tag = `${name}${attributes.map(([key, value]) => ` ${key}=${attributeValue(value)}`).join('')}`;
  if (content.length === 0 && inside.length === 0) return `${before}${indent}<${tag}/>`;
  if (typeof content !== 'string') {
    const children = content.map(child => printed(child, `${indent}  `));
    return `${before}${[`${indent}<${tag}>`, ...children, ...inside, `${indent}</${name}>`].join('\n')}`;
  }
  const { open, words, close } = characterData(content);
  // A first line with white space before it would lose it on the line of the tag.
  if (!words.includes('\n') && /^\S/.test(words))
    return `${before}${indent}<${tag}>${open}${words}${close}</${name}>`;
  const lines = words.split('\n').map(line => (line === '' ? '' : `${indent}  ${line}`));
  return `${before}${indent}<${tag}>${open}\n${lines.join('\n')}\n${indent}${close}</${name}>`;
}

/** Code is easier to read, and to copy, in a CDATA section than escaped. */
function characterData(words: string): { open: string; words: string; close: string } {
  if (/[<&]/.test(words) && !/\]\]>|\r/.test(words)) return { open: '<![CDATA[', words, close: ']]>' };
  return { open: '', words: escaped(words).replaceAll(']]>', ']]&gt;'), close: '' };
}

function attributeValue(value: string): string {
  const words = escaped(value).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
  return words.includes('"') && !words.includes("'") ? `'${words}'` : `"${words.replaceAll('"', '&quot;')}"`;
}

const escaped = (words: string) =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\r', '&#13;');
