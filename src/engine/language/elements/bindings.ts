// Names with values: the `<arg>`s of a call, the `<bind>`s of a `let`.
import type { Binding } from '../ast.ts';
import { type Reader, takeAttributes } from '../element-schema.ts';
import { checkBindable } from './common.ts';
import { emptyText, readValue } from './value.ts';

/** An empty element is the empty text: a name is bound in any case. */
export const binding: Reader<Binding> = {
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
