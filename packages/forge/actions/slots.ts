// So many things at once, the others in the order they came.

export interface Slots {
  /**
   * Does the work when there is room. Undefined, and nothing done, when `signal` aborts before that; later it is the
   * work's to heed.
   */
  within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined>;
  /** Does it when there is room, however long that takes. */
  enter<T>(work: () => Promise<T>): Promise<T>;
}

export function slots(most: number): Slots {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const leave = () => {
    taken -= 1;
    waiting.shift()?.();
  };
  const begin = (signal?: AbortSignal) =>
    new Promise<boolean>(resolve => {
      const give = () => {
        signal?.removeEventListener('abort', abort);
        taken += 1;
        resolve(true);
      };
      const abort = () => {
        const at = waiting.indexOf(give);
        if (at >= 0) waiting.splice(at, 1);
        resolve(false);
      };
      if (signal?.aborted) return resolve(false);
      if (taken < most) return give();
      signal?.addEventListener('abort', abort, { once: true });
      waiting.push(give);
    });
  return {
    within: async (signal, work) => ((await begin(signal)) ? await work().finally(leave) : undefined),
    enter: async work => {
      await begin();
      return await work().finally(leave);
    },
  };
}
