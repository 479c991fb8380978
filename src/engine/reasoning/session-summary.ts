// Summary of a finished reasoning session, for comments, /status, and the record of a run.

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
  /** Models that replied instead of the requested one, with the reason. */
  instead?: string[];
  cost_usd: number;
  ms: number;
}

/** Summaries that are kept with a run. */
export const KEPT_SESSIONS = 50;
