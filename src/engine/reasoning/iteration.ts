// One model call of a session with everything that came of it.

export type Phase = 'prompt' | 'model' | 'parse' | 'apply';

/** One model call with everything that came of it. */
export interface Iteration {
  /** From 1. */
  n: number;
  state: 'started' | 'completed' | 'failed';
  /** Milliseconds by phase. */
  phases: Partial<Record<Phase, number>>;
  /** What the model wrote besides its operations, cut to its beginning. */
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
