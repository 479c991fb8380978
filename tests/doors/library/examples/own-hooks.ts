// The two hooks of an execution: code that is too long to be read is not run, and what looks like a key is masked.
import type { Middleware } from 'echelon';

const masked = (text: string) => text.replaceAll(/sk-\w+/g, '[masked]');

export const careful: Middleware = {
  name: 'careful',
  preExecution(code) {
    const lines = code.split('\n').length;
    const refusal = `${lines} lines are too many; execute it in parts of at most 300`;
    return lines > 300 ? `throw new RangeError(${JSON.stringify(refusal)})` : code;
  },
  postExecution: (_record, { value, told }) => ({
    value: value === undefined ? value : masked(value),
    told: masked(told),
  }),
};
