// Warnings of a task together with those of the tasks in it.

/** Warnings that one result keeps: more would not be read. */
const MOST = 50;

const leftOut = 'further warnings are left out';

/** All of `lists` in order; beyond 50 the last one says that there were more. */
export function allWarnings(...lists: readonly (readonly string[])[]): string[] {
  const all = lists.flat();
  if (all.length <= MOST) return all;
  return [...all.filter(each => each !== leftOut).slice(0, MOST - 1), leftOut];
}

/** Each with the part of the task that it is about. */
export function warningsOf(part: string, warnings: readonly string[]): string[] {
  return warnings.map(each => `${part}: ${each}`);
}
