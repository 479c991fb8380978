// The memory of a job's checkout, without the files that its prompts show apart.
import { join } from 'node:path';
import { cacheName, type Checkout } from '@echelon/ground/workspace';
import { openMemory } from '../../../engine/runtime/open-memory.ts';
import type { GlobalIndex } from '../../../engine/tasks/memory/global-index.ts';
import type { Memory } from '../../../engine/tasks/memory/memory.ts';
import { isToldApart } from './project-inputs.ts';

/** The index of the run's base is kept beside the `mirror`: what differs from it is all that is read. */
export function memoryOf(
  { tree, gitDir }: Pick<Checkout, 'tree' | 'gitDir'>,
  mirror: string,
  signal: AbortSignal,
): Memory {
  const memory = openMemory({ folder: tree, gitDir }, { cache: join(mirror, cacheName), signal });
  // One that was searched before is searched faster.
  const without = new WeakMap<GlobalIndex, GlobalIndex>();
  return {
    ...memory,
    async index(stop) {
      const whole = await memory.index(stop);
      const rest = without.get(whole) ?? whole.filter(({ path }) => !isToldApart(path));
      without.set(whole, rest);
      return rest;
    },
  };
}
