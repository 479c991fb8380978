// Parts that tasks of every type have: name, description, inputs, and how they see the context around them.
import { type Json, jsonOf } from '@echelon/ground';
import {
  type CommonParts,
  type ContextManagement,
  type Input,
  type Limits,
  type Output,
  outputTypes,
  type Task,
} from '../ast.ts';
import { isSetting } from '../names.ts';
import { compileSchema } from '../output-schema.ts';
import { noLimits, plainContext } from '../blank.ts';
import { booleanElement, choiceElement, numberElement, textElement } from '../scalars.ts';
import {
  elementOf,
  many,
  optional,
  type Reader,
  type Reading,
  type Slots,
  takeAttributes,
  takeChildren,
  type Taken,
} from '../element-schema.ts';
import { bindable } from '../text.ts';
import type { Attribute, Element } from '../element.ts';
import { candidates, checkCandidates } from './candidates.ts';
import { taskElement } from './task-slot.ts';
import { readValue } from './value.ts';

// `<limits>`: what a task, and all that runs in it, may use.
const settings = elementOf({
  turns: optional(numberElement(1, 1000)),
  context_tokens: optional(numberElement(1, 10_000_000)),
  output_tokens: optional(numberElement(1, 1_000_000)),
  time_s: optional(numberElement(1, 86_400)),
  budget: optional(numberElement(0, 1_000_000, false)),
});

const limits: Reader<Limits> = {
  read: (element, reading) => {
    const found = settings.read(element, reading);
    return {
      turns: found.turns,
      contextTokens: found.context_tokens,
      outputTokens: found.output_tokens,
      timeMs: found.time_s === undefined ? undefined : found.time_s * 1000,
      budgetUsd: found.budget,
    };
  },
};

/** Reports a name that cannot be bound, or that is taken by the run. */
export function checkBindable(name: string, element: Element, { report }: Reading): void {
  const at = element.attributes.get('name')?.at ?? element.at;
  if (name !== '' && !bindable.test(name))
    report(at, `"${name}" cannot be bound: a name has letters, digits, _ and -, and begins with a letter`);
  if (isSetting(name)) report(at, `"${name}" is the name of a setting of the run; choose another`);
}

const inputRules = { name: 'required', from: 'optional', stdin: ['true', 'false'] } as const;

const input: Reader<Input> = {
  read: (element, reading) => {
    const { name = '', from, stdin } = takeAttributes(element, inputRules, reading.report);
    checkBindable(name, element, reading);
    const found = readValue(element, from, reading) ?? ({ kind: 'parameter' } as const);
    return { name, at: element.at, value: found, stdin: stdin === 'true' };
  },
};

interface Named {
  name: string | undefined;
  at: Input['at'];
}

/** An element that holds elements called `what` only, each of which has a name of its own there. */
export function listOf<T extends Named>(what: string, each: Reader<T>): Reader<T[]> {
  const list = elementOf({ [what]: many(each) });
  return {
    read: (element, reading) => {
      const { [what]: found = [] } = list.read(element, reading);
      reportDuplicates(found, what, reading);
      return found;
    },
  };
}

/** Reports every entry but the first of each name, as `a second <what> "name"`. */
export function reportDuplicates(named: Named[], what: string, { report }: Reading): void {
  const seen = new Map<string, number>();
  for (const { name, at } of named) {
    if (name === undefined || name === '') continue;
    const line = seen.get(name);
    if (line !== undefined) report(at, `a second ${what} "${name}"; the first is on line ${line}`);
    else seen.set(name, at.line);
  }
}

const outputRules = {
  name: 'required',
  type: outputTypes,
  nullable: ['true', 'false'],
  schema: 'optional',
} as const;

/** An output as it stands in the program; its place is needed for duplicates only. */
export const output: Reader<{ name: string; declared: Output; at: Input['at'] }> = {
  read: (element, reading) => {
    const { name = '', type, nullable } = takeAttributes(element, outputRules, reading.report);
    takeChildren(element, {}, reading);
    if (!element.attributes.has('type')) reading.report(element.at, '<output> needs the attribute type');
    const schema = schemaOf(element.attributes.get('schema'), reading);
    if (name !== '' && !/^[A-Za-z_][\w-]*$/.test(name))
      reading.report(
        element.at,
        `"${name}" cannot name an output: it has letters, digits, _ and -, and begins with a letter`,
      );
    const declared: Output = {
      name,
      type: outputTypes.find(each => each === type) ?? 'string',
      nullable: nullable === 'true',
    };
    if (schema !== undefined) declared.schema = schema;
    return { name, declared, at: element.at };
  },
};

function schemaOf(attribute: Attribute | undefined, { report }: Reading): Json | undefined {
  if (!attribute) return undefined;
  const schema = jsonOf(attribute.value);
  const compiled = schema === undefined ? undefined : compileSchema(schema);
  if (typeof compiled === 'function') return schema;
  // The parser's words name no place of the program.
  const why = compiled
    ? `not a JSON Schema that can be used: ${compiled.problem}`
    : 'a JSON Schema; this is not JSON';
  report(attribute.at, `schema is ${why}`);
  return undefined;
}

const contextSettings = elementOf({
  inherit_context: optional(choiceElement('full', 'none', 'subset')),
  accumulate_data: optional(booleanElement),
  accumulation_format: optional(choiceElement('notes_only', 'full_output')),
  clear_memory: optional(booleanElement),
  rebuild_memory: optional(booleanElement),
});

const contextManagement: Reader<ContextManagement> = {
  read: (element, reading) => {
    const found = contextSettings.read(element, reading);
    return {
      inherit: found.inherit_context,
      accumulate: found.accumulate_data ?? plainContext.accumulate,
      format: found.accumulation_format ?? plainContext.format,
      clear: found.clear_memory ?? plainContext.clear,
      rebuild: found.rebuild_memory ?? plainContext.rebuild,
    };
  },
};

const commonSlots = {
  description: optional(textElement),
  inputs: optional(listOf('input', input)),
  context_management: optional(contextManagement),
  disable_reparsing: optional(booleanElement),
  manual_xml: optional(booleanElement),
  limits: optional(limits),
  candidates: optional(candidates),
  on_failure: optional(taskElement),
};

/** Reads one kind of task. */
export type Kind = (element: Element, name: string | undefined, reading: Reading) => Task;

/** A kind of task by the children its element may have besides the common ones, and what is made of them. */
export function kind<S extends Slots>(
  slots: S,
  build: (parts: Taken<S>, common: CommonParts, element: Element, reading: Reading) => Task,
): Kind {
  const all = { ...commonSlots, ...slots };
  return (element, name, reading) => {
    const parts = takeChildren(element, all, reading) as Taken<S> & Taken<typeof commonSlots>;
    const common: CommonParts = {
      at: element.at,
      name,
      template: undefined,
      description: parts.description,
      inputs: parts.inputs ?? [],
      context: parts.context_management ?? plainContext,
      disableReparsing: (parts.disable_reparsing ?? false) || (parts.manual_xml ?? false),
      limits: parts.limits ?? noLimits,
      candidates: parts.candidates,
      onFailure: parts.on_failure,
    };
    const task = build(parts, common, element, reading);
    if (task.candidates) checkCandidates(task, reading.report);
    return task;
  };
}
