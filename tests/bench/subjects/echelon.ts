// Our own evaluator.
import type { Progress, Step } from '../../../packages/ground/journal/journal.ts';
import { map, sequence } from '../generate.ts';
import type { Kit, Prepared } from '../subject.ts';
import type { Scenario } from './scenario.ts';
import { evaluateAtOnce, programOf } from './surroundings.ts';

/** Nothing was saved before, and a session of one reply saves nothing. */
const begins: Progress = { state: undefined, said: [], save: async () => {} };

export default function prepare({ shape, size, journal }: Scenario, kit: Kit): Prepared {
  const program = programOf(shape === 'sequence' ? sequence(size) : map(size));
  let kept = 0;
  const step: Step = async (key, make) => {
    const result = await make(key, begins);
    kit.journal({ t: 'step', key, result, at: Date.now() });
    kept++;
    return result;
  };
  const more = journal ? { step } : {};
  return {
    units: size,
    calls: size,
    async run() {
      kept = 0;
      await evaluateAtOnce(program, kit.instant, more);
      if (journal && kept < size) throw new Error('not every step was journalled');
    },
  };
}
