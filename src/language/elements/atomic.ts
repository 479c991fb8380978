// `<task type="atomic">`: one model session.
import type { AtomicTask, Output } from '../ast.ts';
import { didYouMean } from '../../lib/nearest.ts';
import {
  body,
  many,
  number,
  optional,
  type Part,
  type Reading,
  type Slots,
  takeAttributes,
  text,
  textOf,
  title,
} from '../shape.ts';
import { type ToolName, toolInputs } from '../tool.ts';
import type { Element } from '../tree.ts';
import { kind, output, plainName, reportDuplicates } from './common.ts';

/** Names separated by white space or commas. */
const tools: Part<ToolName[]> = {
  read: (element, { report }) => {
    takeAttributes(element, {}, report);
    const found = textOf(element, report);
    const names = new Set(
      found.parts.flatMap(part => (typeof part === 'string' ? part.split(/[\s,]+/) : [part.name])),
    );
    names.delete('');
    for (const name of names)
      if (!isTool(name))
        report(found.at, `unknown tool "${name}"${didYouMean(name, Object.keys(toolInputs))}`);
    return [...names].filter(isTool);
  },
  blank: () => [],
};

function isTool(name: string): name is ToolName {
  return Object.hasOwn(toolInputs, name);
}

const slots = {
  system: optional(text),
  instructions: optional(text),
  expected_output: optional(text),
  criteria: optional(text),
  model: optional(plainName),
  temperature: optional(number(0, 2, false)),
  limits: optional(
    body({
      turns: optional(number(1, 1000)),
      output_tokens: optional(number(1, 1_000_000)),
      time_s: optional(number(1, 86_400)),
    }),
  ),
  output: many(output),
  tools: optional(tools),
} satisfies Slots;

/** Subtypes of the language; those of later parts are known by name so that the error can say so. */
const subtypes = {
  standard: true,
  director: true,
  evaluator: true,
  subtask: false,
  associative_memory: false,
  matching: false,
  reparse: false,
  compile: false,
} as const;

export const atomic = kind(slots, (parts, common, element, reading): AtomicTask => {
  if (!parts.instructions && !common.description)
    reading.report(element.at, `${title(element)} needs <description> or <instructions>`);
  reportDuplicates(parts.output, 'output', reading);
  const outputs = parts.output.map(({ name, type, nullable }) => ({ name, type, nullable }));
  const subtype = subtypeOf(element, reading);
  if (subtype === 'evaluator') checkEvaluator(outputs, element, reading);
  return {
    ...common,
    type: 'atomic',
    subtype,
    system: parts.system,
    instructions: parts.instructions,
    expectedOutput: parts.expected_output,
    criteria: parts.criteria,
    model: parts.model,
    temperature: parts.temperature,
    limits: {
      turns: parts.limits?.turns,
      outputTokens: parts.limits?.output_tokens,
      timeMs: parts.limits?.time_s === undefined ? undefined : parts.limits.time_s * 1000,
    },
    outputs,
    tools: parts.tools ?? [],
  };
});

function subtypeOf(element: Element, { report }: Reading): AtomicTask['subtype'] {
  const attribute = element.attributes.get('subtype');
  const name = attribute?.value ?? 'standard';
  if (name === 'standard' || name === 'director' || name === 'evaluator') return name;
  const at = attribute?.at ?? element.at;
  if (Object.hasOwn(subtypes, name)) report(at, `subtype ${name} is not available yet`);
  else report(at, `unknown subtype "${name}"${didYouMean(name, Object.keys(subtypes))}`);
  return 'standard';
}

function checkEvaluator(outputs: Output[], element: Element, { report }: Reading): void {
  const success = outputs.find(each => each.name === 'success');
  if (success?.type !== 'boolean' || success.nullable)
    report(element.at, 'an evaluator needs <output name="success" type="boolean"/>');
  const feedback = outputs.find(each => each.name === 'feedback');
  if (feedback?.type !== 'string' || !feedback.nullable)
    report(element.at, 'an evaluator needs <output name="feedback" type="string" nullable="true"/>');
}
