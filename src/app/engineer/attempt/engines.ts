// Runs the engineer's director by the first available engine of the configuration; everything around it stays the same.
import { dirname } from 'node:path';
import { type Engine, enginePrograms, inOrder, type Model } from '../../../engine/models.ts';
import { programEngine } from '../../../engine/parts.ts';
import type { TaskEvent } from '../../../engine/engine.ts';
import { SHOWN_AT } from '../jobs/job-spec.ts';
import type { Workplace } from './workplace.ts';

/** The task that an engine carries out; its evaluator, and whatever recovers it, are always ours. */
export const director = 'engineer.director';

/** `native`: this product's own session. Which one it was is left in the attempt's state. */
export function directorEngine(
  { spec, checkout, isolation, hosts, host, state }: Workplace,
  { native, ...told }: { native: Engine; model: Model; onEvent(event: TaskEvent): void; onOutput(): void },
): Engine {
  const room = {
    ...{ tree: checkout.tree, folder: dirname(checkout.tree), at: SHOWN_AT, hostPath: host.hostPath },
    ...(host.reach && { reach: host.reach }),
    ...{ isolation, hosts, job: host.mark, clock: host.clock },
    ...told,
    onSummary: (summary: Workplace['state']['summaries'][number]) => void state.summaries.push(summary),
  };
  const engines = spec.engines.map(name =>
    name === 'native' ? { name, called: () => name, run: native } : programEngine(enginePrograms[name], room),
  );
  return inOrder(engines, words => {
    if (words !== 'native') state.engine = words;
  });
}
