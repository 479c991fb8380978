// What is told of a reasoning session that has ended: in comments, in /status, and in the record of a run.

export interface SessionSummary {
  /** The task's name and the session's key. */
  task: string;
  key: string;
  status: string;
  iterations: number;
  operations: number;
  health: 'healthy' | 'degraded' | 'critical';
  /** The last five executions of JavaScript. */
  executions: { state: string; ms: number; result: string }[];
  errors: number;
  /** Where another model than the one asked answered: which, and why. */
  instead?: string[];
  cost_usd: number;
  ms: number;
}

/** Summaries that are kept with a run. */
export const KEPT_SESSIONS = 50;
