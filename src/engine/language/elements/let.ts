// `<task type="let">`: names with values, then a task that sees them.
import type { LetTask } from '../ast.ts';
import { many, required, tagOf } from '../element-schema.ts';
import { binding } from './bindings.ts';
import { kind, reportDuplicates } from './common.ts';
import { taskElement } from './task-slot.ts';

const slots = { bind: many(binding), body: required(taskElement) };

export const letKind = kind(slots, (parts, common, element, reading): LetTask => {
  if (parts.bind.length === 0) reading.report(element.at, `${tagOf(element)} needs at least one <bind>`);
  reportDuplicates(parts.bind, 'binding', reading);
  return { ...common, type: 'let', binds: parts.bind, body: parts.body };
});
