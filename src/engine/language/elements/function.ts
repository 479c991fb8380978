// `<task type="function">`: is registered under its name, and runs when it is called.
import { type FunctionTask, type OutputType, outputTypes, type Parameter } from '../ast.ts';
import { optional, type Reader, required, takeAttributes, takeChildren, tagOf } from '../element-schema.ts';
import { checkBindable, kind, listOf } from './common.ts';
import { taskElement } from './task-slot.ts';

const parameter: Reader<Parameter> = {
  read: (element, reading) => {
    const { name = '' } = takeAttributes(element, { name: 'required' }, reading.report);
    takeChildren(element, {}, reading);
    checkBindable(name, element, reading);
    return { name, at: element.at };
  },
};

const returns: Reader<OutputType> = {
  read: (element, reading) => {
    const { type } = takeAttributes(element, { type: outputTypes }, reading.report);
    takeChildren(element, {}, reading);
    if (!element.attributes.has('type')) reading.report(element.at, '<returns> needs the attribute type');
    return outputTypes.find(each => each === type) ?? 'string';
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
