// The access tracker: ids that were asked for in vain, so that cleaning can name them.

/** Ids that it keeps, the newest, and characters of one: it is kept with the session. */
export const TRACKED = 100;
const ID_CHARS = 200;

/** The tracker with `ids`, each once. */
export function tracked(before: readonly string[], ids: readonly string[]): string[] {
  const newest = ids.slice(-TRACKED).map(id => id.slice(0, ID_CHARS));
  return [...new Set([...before, ...newest])].slice(-TRACKED);
}
