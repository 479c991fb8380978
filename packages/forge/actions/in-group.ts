// Puts a workflow or a job of a run into the concurrency group that it asks for.
import { ExpressionError, render } from './expressions.ts';
import { evaluateTree } from './matrix.ts';
import type { Contexts } from './planned-job.ts';
import type { Frame, Outcome } from './run-frame.ts';
import type { ConcurrencySpec } from './workflow-keys.ts';

/** Does the work in the group that is asked for, if any; undefined when the group had no place for it. */
export async function inGroup(
  frame: Frame,
  spec: ConcurrencySpec | undefined,
  contexts: Contexts,
  work: (frame: Frame) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  if (!spec) return work(frame);
  const name = render(spec.group, { contexts });
  if (frame.held.includes(name.toLowerCase()))
    throw new ExpressionError(
      `The concurrency group "${name}" is held by what calls this: it would wait for itself`,
    );
  const cancelInProgress = evaluateTree(spec.cancelInProgress, { contexts });
  const rules = { cancelInProgress: String(cancelInProgress) === 'true', queue: spec.queue };
  const another = new AbortController();
  const signal = AbortSignal.any([frame.signal, another.signal]);
  const inside = { ...frame, signal, held: [...frame.held, name.toLowerCase()] };
  const waiting = { signal: frame.signal, cancel: () => another.abort() };
  return frame.port.groups.within(name, rules, waiting, () => work(inside));
}
