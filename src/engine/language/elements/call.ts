// `<task type="call" ref="name">`: calls a function; its arguments are evaluated first.
import type { CallTask } from '../ast.ts';
import { many, tagOf } from '../element-schema.ts';
import { binding } from './bindings.ts';
import { kind, reportDuplicates } from './common.ts';

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
