// Rounds of a measurement: all subjects take turns in each, so that a slow minute of the machine hits all of them.
import { messageOf } from '../../packages/ground/lib/message.ts';

export interface Contestant {
  name: string;
  /** One measurement; `warm`: its result is thrown away. Throws when it cannot be measured. */
  measure(warm: boolean): Promise<number>;
}

export interface Measured {
  /** Median of the rounds by the contestant's name; one that failed is not in it. */
  medians: Map<string, number>;
  /** Contestant -> why it failed. */
  failed: Map<string, string>;
}

/** The fewest rounds that a median is taken of. */
export const ROUNDS = 5;

/**
 * A warm-up of each contestant, then rounds: A B C, A B C. One that fails is out from there on. Where the warm-up
 * shows that the rounds would take longer than `budgetMs` altogether, the slowest are left out.
 */
export async function interleaved(contestants: readonly Contestant[], budgetMs: number): Promise<Measured> {
  const failed = new Map<string, string>();
  const found = new Map<string, number[]>();
  const costs: { name: string; ms: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { name, measure } of contestants) {
      if (failed.has(name)) continue;
      const begin = performance.now();
      try {
        const value = await measure(round === 0);
        if (round > 0) found.set(name, [...(found.get(name) ?? []), value]);
      } catch (error) {
        failed.set(name, messageOf(error));
        found.delete(name);
      }
      if (round === 0) costs.push({ name, ms: performance.now() - begin });
    }
    if (round > 0) continue;
    for (const name of tooDear(
      costs.filter(each => !failed.has(each.name)),
      budgetMs / ROUNDS,
    ))
      failed.set(name, 'its rounds would take too long here');
  }
  return { medians: new Map([...found].map(([name, values]) => [name, median(values)])), failed };
}

/** The dearest, as few as can be, without which the others stay within `budgetMs` a round. */
function tooDear(costs: readonly { name: string; ms: number }[], budgetMs: number): string[] {
  let total = costs.reduce((sum, { ms }) => sum + ms, 0);
  const out: string[] = [];
  for (const { name, ms } of costs.toSorted((a, b) => b.ms - a.ms)) {
    if (total <= budgetMs) break;
    total -= ms;
    out.push(name);
  }
  return out;
}

/** Of at least one number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
