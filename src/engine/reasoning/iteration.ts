// One model call of a session with everything that came of it, and how far the session came in it.
import type { Stores } from './stores.ts';

export type IterationPhase = 'prompt' | 'model' | 'parse' | 'apply';

/** One model call with everything that came of it. */
export interface Iteration {
  /** From 1. */
  n: number;
  state: 'started' | 'completed' | 'failed';
  /** Milliseconds by phase. */
  phases: Partial<Record<IterationPhase, number>>;
  /** The model's words besides its operations, cut to their beginning. */
  reasoning: string;
  operations: number;
  /** The first of them; how many there were besides. */
  errors: string[];
  moreErrors?: number;
  /** Milliseconds in all. */
  ms: number;
  /** Share of the open tasks and goals that moved on in it; 1 where there are none and an operation succeeded. */
  progress: number;
}

/**
 * The share (0 to 1) of the tasks and goals that were open `before` and have another status or another content
 * `after`; where none was open, 1 if an operation succeeded.
 */
export function progressOf(before: Stores, after: Stores, hasSucceeded: boolean): number {
  const openTasks = before.tasks.filter(({ status }) => status !== 'finished');
  const openGoals = before.goals.filter(({ status }) => status === 'open');
  const open = openTasks.length + openGoals.length;
  if (open === 0) return hasSucceeded ? 1 : 0;
  return (movedOn(openTasks, after.tasks) + movedOn(openGoals, after.goals)) / open;
}

function movedOn(open: Stores['tasks' | 'goals'], after: Stores['tasks' | 'goals']): number {
  const now = new Map(after.map(entry => [entry.identifier, entry]));
  return open.filter(({ identifier, status, content }) => {
    const entry = now.get(identifier);
    return entry !== undefined && (entry.status !== status || entry.content !== content);
  }).length;
}

/** True if there are goals, and all of them are finished. */
export const isFinished = ({ goals }: Stores) =>
  goals.length > 0 && goals.every(({ status }) => status === 'finished');
