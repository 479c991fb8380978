// `<task type="function">`: is registered under its name, and runs when it is called.
import type { FunctionTask, OutputType, Parameter } from '../ast.ts';
import {
  childrenOf,
  many,
  noChildren,
  optional,
  type Reader,
  required,
  type Slots,
  takeAttributes,
  takeChildren,
  tagOf,
} from '../element-schema.ts';
import { checkBindable, kind, outputTypes, reportDuplicates } from './common.ts';
import { taskElement } from './task-slot.ts';

const parameter: Reader<Parameter> = {
  read: (element, reading) => {
    const { name = '' } = takeAttributes(element, { name: 'required' }, reading.report);
    takeChildren(element, noChildren, reading);
    checkBindable(name, element, reading);
    return { name, at: element.at };
  },
};

const parameterChildren = childrenOf({ parameter: many(parameter) });

const parameters: Reader<Parameter[]> = {
  read: (element, reading) => {
    takeAttributes(element, {}, reading.report);
    const { parameter: found } = takeChildren(element, parameterChildren, reading);
    reportDuplicates(found, 'parameter', reading);
    return found;
  },
};

const returns: Reader<OutputType> = {
  read: (element, reading) => {
    const { type } = takeAttributes(element, { type: outputTypes }, reading.report);
    takeChildren(element, noChildren, reading);
    if (!element.attributes.has('type')) reading.report(element.at, '<returns> needs the attribute type');
    return outputTypes.find(each => each === type) ?? 'string';
  },
};

const slots = {
  parameters: optional(parameters),
  returns: optional(returns),
  body: required(taskElement),
} satisfies Slots;

export const functionKind = kind(slots, (parts, common, element, { report }): FunctionTask => {
  if (common.name === undefined)
    report(element.at, `${tagOf(element)} needs the attribute name: it is called by it`);
  if (common.inputs.length > 0)
    report(element.at, `${tagOf(element)} has <parameters>, not <inputs>: a call gives them their values`);
  return {
    ...common,
    name: common.name ?? '',
    inputs: [],
    type: 'function',
    parameters: parts.parameters ?? [],
    returns: parts.returns,
    body: parts.body,
  };
});
