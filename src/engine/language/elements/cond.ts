// `<task type="cond">`: the task of the first case whose test is true.
import type { Case, CondTask } from '../ast.ts';
import { parseExpression } from '../expressions/parse.ts';
import type { Position, Report } from '../problem.ts';
import { many, optional, type Reader, type Reading, takeAttributes, tagOf } from '../element-schema.ts';
import type { Element } from '../element.ts';
import { kind } from './common.ts';
import { taskElement } from './task-slot.ts';

const caseElement: Reader<Case> = {
  read: (element, reading) => {
    takeAttributes(element, { test: 'required' }, reading.report);
    const attribute = element.attributes.get('test');
    const test = testOf(attribute?.value || 'false', attribute?.at ?? element.at, reading.report);
    return { ...test, at: element.at, task: theTask(element, reading) };
  },
};

/** The task in the case; its attributes were looked at. */
function theTask(element: Element, reading: Reading) {
  return taskElement.read({ ...element, attributes: new Map() }, reading);
}

/** A test that cannot be read stands for false: its problem has been reported. */
function testOf(source: string, testAt: Position, report: Report): Omit<Case, 'at' | 'task'> {
  const parsed = parseExpression(source);
  if (!('problem' in parsed)) return { test: parsed.expression, reads: parsed.names, source, testAt };
  const { message, offset } = parsed.problem;
  report(testAt, `the test does not parse: ${message} (character ${offset + 1} of it)`);
  return testOf('false', testAt, report);
}

const slots = { case: many(caseElement), else: optional(taskElement) };

export const cond = kind(slots, (parts, common, element, { report }): CondTask => {
  if (parts.case.length === 0) report(element.at, `${tagOf(element)} needs at least one <case>`);
  return { ...common, type: 'cond', cases: parts.case, otherwise: parts.else };
});
