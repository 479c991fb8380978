// So many things at once, the others in the order they came.

export interface Slots {
  /**
   * Does the work when there is room. Undefined, and nothing done, when `signal` aborts before that; later it is the
   * work's to heed.
   */
  within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined>;
}

export function slots(most: number): Slots {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const leave = () => {
    taken -= 1;
    waiting.shift()?.();
  };
  const enter = (signal: AbortSignal) =>
    new Promise<boolean>(resolve => {
      const give = () => {
        signal.removeEventListener('abort', abort);
        taken += 1;
        resolve(true);
      };
      const abort = () => {
        const at = waiting.indexOf(give);
        if (at >= 0) waiting.splice(at, 1);
        resolve(false);
      };
      if (signal.aborted) return resolve(false);
      if (taken < most) return give();
      signal.addEventListener('abort', abort, { once: true });
      waiting.push(give);
    });
  return {
    async within(signal, work) {
      if (!(await enter(signal))) return undefined;
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
