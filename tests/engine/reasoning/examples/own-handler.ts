// An error handler: a silent time-out is not tried again, and the model is told how to find out more.
import type { Registry } from 'echelon';

export function addSilence({ handlers }: Registry): void {
  handlers.register({
    name: 'silence',
    classes: ['TIMEOUT'],
    handle: ({ console }) =>
      console.length === 0
        ? { stop: true, hint: 'It printed nothing until its time was up: print what it is doing.' }
        : undefined,
  });
}
