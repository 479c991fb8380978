// `<task type="atomic">`: one model session.
import { didYouMean } from '@echelon/ground';
import { type AtomicTask, efforts, type Output, type ScriptTask } from '../ast.ts';
import { choiceElement, numberElement, plainName, scalarElement, textElement, wordsOf } from '../scalars.ts';
import {
  many,
  optional,
  type Reader,
  type Reading,
  required,
  tagOf,
  takeAttributes,
} from '../element-schema.ts';
import { bindable, type Placeholder } from '../text.ts';
import { unknownTool } from '../tool.ts';
import type { Element } from '../element.ts';
import { kind, output, reportDuplicates } from './common.ts';

/** Names separated by white space or commas. */
const tools: Reader<string[]> = {
  read: (element, { report, library }) => {
    takeAttributes(element, {}, report);
    const names = new Set<string>();
    for (const { word, at } of wordsOf(element, report)) {
      const problem = unknownTool(word, library.tools);
      if (problem === undefined) names.add(word);
      else report(at, problem);
    }
    return [...names];
  },
};

const bindableName: Reader<string> = scalarElement('', words =>
  bindable.test(words) ? words : { expected: 'a name with letters, digits, _ and -' },
);

/** The name of a binding, with its place. */
const placeholderName: Reader<Placeholder> = {
  read: (element, reading) => ({ name: bindableName.read(element, reading), at: element.at }),
};

const slots = {
  system: optional(textElement),
  instructions: optional(textElement),
  expected_output: optional(textElement),
  criteria: optional(textElement),
  model: optional(plainName),
  temperature: optional(numberElement(0, 2, false)),
  effort: optional(choiceElement(...efforts)),
  output: many(output),
  tools: optional(tools),
  continuation_policy: optional(choiceElement('latest-only')),
  output_slot: optional(bindableName),
  input_source: optional(placeholderName),
};

export const atomic = kind(slots, (parts, common, element, reading): AtomicTask => {
  if (!parts.instructions && !common.description)
    reading.report(element.at, `${tagOf(element)} needs <description> or <instructions>`);
  reportDuplicates(parts.output, 'output', reading);
  reportLikeNames(parts.output, reading);
  const outputs = parts.output.map(each => each.declared);
  const subtype = subtypeOf(element, reading);
  checkSubtype(subtype, outputs, element, reading);
  for (const [part, owner] of slotOwners)
    if (parts[part] !== undefined && subtype !== owner)
      reading.report(element.at, `<${part}> belongs to subtype ${owner}, not to ${subtype}`);
  // Each part by its name: spreading `common` would make the object grow part by part.
  return {
    at: common.at,
    name: common.name,
    template: common.template,
    description: common.description,
    inputs: common.inputs,
    context: common.context,
    disableReparsing: common.disableReparsing,
    limits: common.limits,
    candidates: common.candidates,
    onFailure: common.onFailure,
    type: 'atomic',
    subtype,
    system: parts.system,
    instructions: parts.instructions,
    expectedOutput: parts.expected_output,
    criteria: parts.criteria,
    model: parts.model,
    temperature: parts.temperature,
    effort: parts.effort,
    outputs,
    tools: parts.tools ?? [],
    outputSlot: parts.output_slot,
    inputSource: parts.input_source,
  };
});

/** A test takes no notice of case. */
function reportLikeNames(outputs: readonly { name: string; at: Element['at'] }[], { report }: Reading): void {
  const seen = new Map<string, string>();
  for (const { name, at } of outputs) {
    const other = seen.get(name.toLowerCase());
    if (other === undefined) seen.set(name.toLowerCase(), name);
    else if (other !== name)
      report(
        at,
        `the outputs "${other}" and "${name}" differ in case only: a test could not tell them apart`,
      );
  }
}

/** Parts that only one subtype has. */
const slotOwners = [
  ['continuation_policy', 'director'],
  ['output_slot', 'director'],
  ['input_source', 'evaluator'],
] as const;

function subtypeOf(element: Element, { report, library }: Reading): string {
  const attribute = element.attributes.get('subtype');
  const name = attribute?.value ?? 'standard';
  if (Object.hasOwn(library.subtypes, name)) return name;
  const near = didYouMean(name, Object.keys(library.subtypes));
  report(attribute?.at ?? element.at, `unknown subtype "${name}": it is taken as standard${near}`, 'warning');
  return 'standard';
}

/** The outputs of a subtype need not be declared; declared otherwise they are an error. */
function checkSubtype(subtype: string, outputs: Output[], element: Element, reading: Reading): void {
  for (const { name, type, nullable } of reading.library.subtypes[subtype]!.outputs) {
    const found = outputs.find(each => each.name === name);
    if (!found) outputs.push({ name, type, nullable });
    if (!found || (found.type === type && found.nullable === nullable)) continue;
    const article = /^[aeiou]/.test(subtype) ? 'an' : 'a';
    reading.report(
      element.at,
      `${article} ${subtype} needs <output name="${name}" type="${type}"${nullable ? ' nullable="true"' : ''}/>`,
    );
  }
}

export const script = kind(
  { command: required(textElement) },
  (parts, common, _element, { report }): ScriptTask => {
    let stdin: string | undefined;
    for (const { name, at, stdin: isStdin } of common.inputs) {
      if (isStdin && stdin !== undefined)
        report(at, `one input can be standard input: "${stdin}" is, so "${name}" cannot be`);
      if (isStdin) stdin ??= name;
      else if (name !== '' && !/^[A-Za-z_]\w*$/.test(name))
        report(at, `"${name}" cannot name an environment variable: it has letters, digits and _ only`);
    }
    return { ...common, type: 'script', command: parts.command };
  },
);
