// Plain async functions: what the work costs when nothing stands around it.
import { PARALLEL } from '../generate.ts';
import type { Kit, Prepared } from '../subject.ts';
import type { Scenario } from './scenario.ts';

export default function prepare({ shape, size, journal }: Scenario, kit: Kit): Prepared {
  async function step(index: number, before: string): Promise<string> {
    const result = { before: before.length, text: await kit.instant() };
    if (journal) kit.journal({ t: 'step', key: `step-${index}`, result, at: Date.now() });
    return result.text;
  }
  async function sequence(): Promise<void> {
    let before = 'nothing';
    for (let index = 0; index < size; index++) before = await step(index, before);
  }
  async function map(): Promise<void> {
    const results: string[] = [];
    let next = 0;
    async function lane(): Promise<void> {
      while (next < size) {
        const index = next++;
        results[index] = await step(index, `element ${index}`);
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, lane));
    if (results.length !== size) throw new Error(`${results.length} results of ${size}`);
  }
  return { units: size, calls: size, run: shape === 'sequence' ? sequence : map };
}
