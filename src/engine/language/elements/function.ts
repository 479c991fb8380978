// `<task type="function">`: is registered under its name, and runs when it is called.
import { type FunctionTask, type OutputType, outputTypes, type Parameter } from '../ast.ts';
import {
  oneOf,
  optional,
  type Reader,
  required,
  takeAttributes,
  takeChildren,
  tagOf,
} from '../element-schema.ts';
import { checkBindable, kind, listOf } from './common.ts';
import { taskElement } from './task-slot.ts';

const parameter: Reader<Parameter> = {
  read: (element, reading) => {
    const { name = '', type } = takeAttributes(
      element,
      { name: 'required', type: 'optional' },
      reading.report,
    );
    takeChildren(element, {}, reading);
    if (type !== undefined)
      reading.report(element.attributes.get('type')!.at, `the type of a parameter is not checked`, 'warning');
    checkBindable(name, element, reading);
    return { name, at: element.at };
  },
};

const returns: Reader<OutputType | undefined> = {
  read: (element, reading) => {
    const { type } = takeAttributes(element, { type: 'required' }, reading.report);
    takeChildren(element, {}, reading);
    const known = outputTypes.find(each => each === type);
    if (type !== undefined && !known)
      reading.report(
        element.attributes.get('type')!.at,
        `"${type}" is not checked: type is ${oneOf(outputTypes)}`,
        'warning',
      );
    return known;
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
