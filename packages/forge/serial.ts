// One thing at a time, in the order asked for.

export type Serial = <T>(work: () => T | Promise<T>) => Promise<T>;

/** A queue: each piece of work begins when the one before has ended, however it ended. */
export function serial(): Serial {
  let tail: Promise<unknown> = Promise.resolve();
  return work => {
    const result = tail.then(work);
    // Told to who gave the work; the next only waits for its end.
    tail = result.catch(() => {});
    return result;
  };
}
