// Tasks made of other tasks: sequential, cond, let, map, reduce, call; and director-evaluator, in which a director works, a
// script runs and an evaluator judges, until it is content.
import type {
  Binding,
  SequentialTask,
  Task,
  Case,
  CondTask,
  LetTask,
  MapTask,
  ReduceTask,
  CallTask,
  DirectorEvaluatorTask,
} from '../ast.ts';
import {
  elementOf,
  many,
  nestedTask,
  type Part,
  required,
  optional,
  type Reader,
  takeAttributes,
  tagOf,
} from '../element-schema.ts';
import { checkBindable, kind, reportDuplicates } from './common.ts';
import { parseExpression } from '../expressions/parse.ts';
import type { Position, Report } from '../problem.ts';
import { taskElement, atomicOf, scriptElement } from './task-slot.ts';
import { emptyText, readValue, valueElement } from './value.ts';
import { numberElement, textOf } from '../scalars.ts';
import { isSetting } from '../names.ts';
import { placeholders, type TemplateText } from '../text.ts';

const tasks = elementOf({ task: many(nestedTask) });

const steps: Part<Task[]> = {
  read: (element, reading) => {
    const { task } = tasks.read(element, reading);
    if (task.every(each => each.type === 'function'))
      reading.report(element.at, '<steps> needs at least one <task> that runs');
    reportDuplicates(task, 'step', reading);
    return task;
  },
  blank: () => [],
};

export const sequential = kind(
  { steps: required(steps) },
  (parts, common): SequentialTask => ({ ...common, type: 'sequential', steps: parts.steps }),
);

const caseElement: Reader<Case> = {
  read: (element, reading) => {
    takeAttributes(element, { test: 'required' }, reading.report);
    const attribute = element.attributes.get('test');
    const test = testOf(attribute?.value || 'false', attribute?.at ?? element.at, reading.report);
    return {
      ...test,
      at: element.at,
      task: taskElement.read({ ...element, attributes: new Map() }, reading),
    };
  },
};

/** A test that cannot be read stands for false: its problem has been reported. */
function testOf(source: string, testAt: Position, report: Report): Omit<Case, 'at' | 'task'> {
  const parsed = parseExpression(source);
  if (!('problem' in parsed)) return { test: parsed.expression, reads: parsed.names, source, testAt };
  const { message, offset } = parsed.problem;
  report(testAt, `the test does not parse: ${message} (character ${offset + 1} of it)`);
  return testOf('false', testAt, report);
}

const condSlots = { case: many(caseElement), else: optional(taskElement) };

export const cond = kind(condSlots, (parts, common, element, { report }): CondTask => {
  if (parts.case.length === 0) report(element.at, `${tagOf(element)} needs at least one <case>`);
  return { ...common, type: 'cond', cases: parts.case, otherwise: parts.else };
});

/** A `<bind>` or `<arg>`. An empty element is the empty text: a name is bound in any case. */
const binding: Reader<Binding> = {
  read: (element, reading) => {
    const { name = '', from } = takeAttributes(
      element,
      { name: 'required', from: 'optional' },
      reading.report,
    );
    checkBindable(name, element, reading);
    const { at } = element;
    return { name, at, value: readValue(element, from, reading) ?? emptyText(at) };
  },
};

const letSlots = { bind: many(binding), body: required(taskElement) };

export const letKind = kind(letSlots, (parts, common, element, reading): LetTask => {
  if (parts.bind.length === 0) reading.report(element.at, `${tagOf(element)} needs at least one <bind>`);
  reportDuplicates(parts.bind, 'binding', reading);
  return { ...common, type: 'let', binds: parts.bind, body: parts.body };
});

/** Elements that are worked side by side when the program does not say. */
const PARALLEL = 4;

export const map = kind(
  {
    over: required(valueElement),
    inner_task: required(taskElement),
    parallel: optional(numberElement(1, 100)),
  },
  (parts, common): MapTask => ({
    ...common,
    type: 'map',
    over: parts.over,
    inner: parts.inner_task,
    parallel: parts.parallel ?? PARALLEL,
  }),
);

const reduceSlots = {
  over: optional(valueElement),
  initial_value: required(valueElement),
  inner_task: required(taskElement),
  reduction_task: required(taskElement),
};

export const reduce = kind(reduceSlots, (parts, common, element, { report }): ReduceTask => {
  if (common.inputs.length === 0 && !parts.over)
    report(
      element.at,
      `${tagOf(element)} needs what is folded: <over> with a list, or at least one <input> in <inputs>`,
    );
  return {
    ...common,
    type: 'reduce',
    over: parts.over,
    initial: parts.initial_value,
    inner: parts.inner_task,
    reduction: parts.reduction_task,
  };
});

export const call = kind({ arg: many(binding) }, (parts, common, element, reading): CallTask => {
  const ref = element.attributes.get('ref');
  if (!ref?.value)
    reading.report(element.at, `${tagOf(element)} needs the attribute ref: the name of a function`);
  reportDuplicates(parts.arg, 'argument', reading);
  return {
    ...common,
    type: 'call',
    ref: { name: ref?.value ?? '', at: ref?.at ?? element.at },
    args: parts.arg,
  };
});

/** Rounds when the program does not say. */
const ROUNDS = '5';

const maxRounds: Reader<TemplateText> = {
  read: (element, { report }) => {
    takeAttributes(element, {}, report);
    const found = textOf(element, report);
    const [setting] = placeholders(found);
    const words = found.parts[0];
    const good =
      found.parts.length === 1 &&
      (setting ? isSetting(setting.name) : /^([1-9]|[1-4]\d|50)$/.test(`${words}`));
    if (!good)
      report(
        element.at,
        `<max_rounds> is a whole number from 1 to 50, or one setting of the run such as {{rounds}}`,
      );
    return found;
  },
};

export const directorEvaluator = kind(
  {
    director: required(atomicOf('director')),
    script: optional(scriptElement),
    evaluator: optional(atomicOf('evaluator')),
    max_rounds: optional(maxRounds),
  },
  (parts, common): DirectorEvaluatorTask => ({
    ...common,
    type: 'director-evaluator',
    director: parts.director,
    script: parts.script,
    evaluator: parts.evaluator,
    maxRounds: parts.max_rounds ?? { parts: [ROUNDS], at: common.at },
  }),
);
