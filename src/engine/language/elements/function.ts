// `<task type="function">`: is registered under its name, and runs when it is called.
import { type FunctionTask, type OutputType, outputTypes, type Parameter } from '../ast.ts';
import {
  oneOf,
  optional,
  type Reader,
  type Reading,
  required,
  takeAttributes,
  takeChildren,
  tagOf,
} from '../element-schema.ts';
import type { Element } from '../element.ts';
import { checkBindable, kind, listOf } from './common.ts';
import { taskElement } from './task-slot.ts';

/** The type that the element names; one that nobody knows is a warning, and nothing is held to it. */
function typeOf(element: Element, type: string | undefined, { report }: Reading): OutputType | undefined {
  const known = outputTypes.find(each => each === type);
  const at = element.attributes.get('type')?.at;
  if (at && !known) report(at, `"${type}" is not checked: type is ${oneOf(outputTypes)}`, 'warning');
  return known;
}

const parameter: Reader<Parameter> = {
  read: (element, reading) => {
    const { name = '', type } = takeAttributes(
      element,
      { name: 'required', type: 'optional' },
      reading.report,
    );
    takeChildren(element, {}, reading);
    checkBindable(name, element, reading);
    return { name, at: element.at, type: typeOf(element, type, reading) };
  },
};

const returns: Reader<OutputType | undefined> = {
  read: (element, reading) => {
    const { type } = takeAttributes(element, { type: 'required' }, reading.report);
    takeChildren(element, {}, reading);
    return typeOf(element, type, reading);
  },
};

const slots = {
  parameters: optional(listOf('parameter', parameter)),
  returns: optional(returns),
  body: required(taskElement),
};

export const functionKind = kind(slots, (parts, common, element, { report }): FunctionTask => {
  if (common.name === undefined)
    report(element.at, `${tagOf(element)} needs the attribute name: it is called by it`);
  if (common.inputs.length > 0)
    report(element.at, `${tagOf(element)} has <parameters>, not <inputs>: a call gives them their values`);
  if (common.onFailure)
    report(
      common.onFailure.at,
      `${tagOf(element)} does not run: <on_failure> belongs to its body, or to a call of it`,
    );
  if (common.candidates)
    report(
      common.candidates.at,
      `${tagOf(element)} does not run: <candidates> belongs to its body, or to a call of it`,
    );
  return {
    ...common,
    candidates: undefined,
    onFailure: undefined,
    name: common.name ?? '',
    inputs: [],
    type: 'function',
    parameters: parts.parameters ?? [],
    returns: parts.returns,
    body: parts.body,
  };
});
