// Steps kept in memory: what was finished of a program that is evaluated again after it was paused.
import type { Json } from '../lib/json.ts';
import type { Step } from './journal.ts';

/** Results by key. */
export type KeptSteps = Record<string, Json>;

/**
 * A step function for one evaluation, over `kept`, to which it adds what it makes. A step that throws leaves
 * nothing; a key that comes again in the same evaluation is made again.
 */
export function keptSteps(kept: KeptSteps): Step {
  const used = new Set<string>();
  return async <T>(key: string, make: (op: string) => Promise<T>): Promise<T> => {
    if (used.has(key)) return await make(key);
    used.add(key);
    // Through JSON, so that the first time sees exactly what a later one will see.
    if (!Object.hasOwn(kept, key)) kept[key] = JSON.parse(JSON.stringify(await make(key))) as Json;
    return kept[key] as T;
  };
}
