// A validator: refuses code that is too long to be read, before any strategy runs it.
import type { Registry } from 'echelon';

export function addShort({ validators }: Registry): void {
  validators.register({
    name: 'short',
    problem: code => {
      const lines = code.split('\n').length;
      return lines > 300 ? `${lines} lines are too many; execute it in parts of at most 300` : undefined;
    },
  });
}
