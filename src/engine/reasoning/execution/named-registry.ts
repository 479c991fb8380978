// Things that are known by their name: built-in ones, and those that were registered besides.
import { didYouMean } from '../../../lib/nearest.ts';

export interface Shelf<T extends { name: string }> {
  /** Throws TypeError when the name is taken, or what is registered is not sound. */
  register(item: T): void;
  /** Throws TypeError with the nearest name when there is none of this name. */
  named(name: string): T;
  /** Built-in ones first, then in the order of registration. */
  all(): readonly T[];
  names(): readonly string[];
}

/** `what` is the word for one of them in errors; `problem` says what is wrong with one that is registered. */
export function shelf<T extends { name: string }>(
  what: string,
  builtIn: readonly T[] = [],
  problem: (item: T) => string | undefined = () => undefined,
): Shelf<T> {
  const items = new Map(builtIn.map(item => [item.name, item]));
  return {
    register(item) {
      if (item.name === '') throw new TypeError(`a ${what} needs a name`);
      if (items.has(item.name))
        throw new TypeError(`there is a ${what} "${item.name}" already; take another name`);
      const found = problem(item);
      if (found !== undefined) throw new TypeError(`the ${what} "${item.name}" ${found}`);
      items.set(item.name, item);
    },
    named(name) {
      const item = items.get(name);
      if (item) return item;
      const known = [...items.keys()];
      throw new TypeError(
        `there is no ${what} "${name}"${didYouMean(name, known)} (known: ${known.join(', ') || 'none'})`,
      );
    },
    all: () => [...items.values()],
    names: () => [...items.keys()],
  };
}
