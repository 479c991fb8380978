// Runs pieces of work side by side: the first failure cancels the rest.

/**
 * The results in the order of `works`. When one fails the signal of the others aborts, all are awaited, and the
 * first failure is thrown; `onFailure` gets what was finished and may give another error in its place.
 */
export async function together<T>(
  works: readonly ((signal: AbortSignal) => Promise<T>)[],
  outer: AbortSignal,
  onFailure: (error: unknown, finished: T[]) => unknown = error => error,
): Promise<T[]> {
  if (works.length === 0) return [];
  const others = new AbortController();
  const signal = AbortSignal.any([outer, others.signal]);
  let failure: { error: unknown } | undefined;
  const finished: T[] = [];
  const results = await Promise.all(
    works.map(async work => {
      try {
        const result = await work(signal);
        finished.push(result);
        return result;
      } catch (error) {
        failure ??= { error };
        others.abort(error);
        return undefined;
      }
    }),
  );
  if (failure) throw onFailure(failure.error, finished);
  return results.filter(result => result !== undefined);
}
