// Figures over a session's executions: counts, rates, times, sizes, thresholds that raise an event, and their export.
import { type Clock, messageOf } from '@echelon/ground';
import type { MetricsEvent, SessionEvent } from './events.ts';
import type { ExecutionRecord } from './execution/record.ts';
import type { SessionState } from './state.ts';

export interface Distribution {
  mean: number;
  median: number;
  p95: number;
}

/** Over the executions a session keeps (100); times in milliseconds, sizes in characters. */
export interface Metrics {
  total: number;
  ok: number;
  failed: number;
  timeouts: number;
  retries: number;
  /** 0 to 1; 1 where nothing was executed. */
  successRate: number;
  errors: Record<string, number>;
  time: Distribution;
  codeSize: Distribution;
}

/** Below this success rate, over at least so many executions; the share of the time limit that p95 may take. */
const thresholds = { successRate: 0.5, least: 10, timeShare: 0.8 };

function metricsOf(executions: readonly ExecutionRecord[]): Metrics {
  const ok = executions.filter(({ state }) => state === 'completed').length;
  const errors: Record<string, number> = {};
  for (const { error } of executions) if (error) errors[error.class] = (errors[error.class] ?? 0) + 1;
  return {
    total: executions.length,
    ok,
    failed: executions.filter(({ state }) => state === 'failed').length,
    timeouts: executions.filter(({ state }) => state === 'timeout').length,
    retries: executions.reduce((sum, { attempts }) => sum + Math.max(0, attempts - 1), 0),
    successRate: executions.length === 0 ? 1 : ok / executions.length,
    errors,
    time: distribution(executions.map(({ ms }) => ms)),
    codeSize: distribution(executions.map(({ codeSize }) => codeSize)),
  };
}

function distribution(values: number[]): Distribution {
  if (values.length === 0) return { mean: 0, median: 0, p95: 0 };
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    median: sorted.length % 2 === 1 ? at(0.5) : (at(0.5) + sorted[sorted.length / 2]!) / 2,
    p95: at(0.95),
  };
}

/** The thresholds that `executions` pass and passed not yet `before` the last of them. */
export function thresholdsPassed(
  executions: readonly ExecutionRecord[],
  timeLimitMs: number,
): MetricsEvent[] {
  const now = passed(executions, timeLimitMs);
  const before = new Set(passed(executions.slice(0, -1), timeLimitMs).map(({ metric }) => metric));
  return now.filter(({ metric }) => !before.has(metric));
}

function passed(executions: readonly ExecutionRecord[], timeLimitMs: number): MetricsEvent[] {
  const recent = executions.slice(-thresholds.least);
  const { successRate } = metricsOf(recent);
  const { time } = metricsOf(executions);
  const events: MetricsEvent[] = [];
  if (recent.length >= thresholds.least && successRate < thresholds.successRate)
    events.push(event('success_rate', successRate, thresholds.successRate));
  const longest = timeLimitMs * thresholds.timeShare;
  if (time.p95 > longest) events.push(event('p95_ms', time.p95, longest));
  return events;
}

const event = (metric: string, value: number, threshold: number): MetricsEvent => ({
  type: 'metrics_threshold',
  metric,
  value,
  threshold,
});

export interface MetricsExport {
  /** Milliseconds between exports, 300,000 where nothing speaks for another time; absent: only at the end. */
  everyMs?: number;
  /** Plain JSON. One that throws is reported as the event `middleware_error`, and the session goes on. */
  export(metrics: SessionMetrics): void;
}

/** The figures over the executions that the session keeps, with the session's key. */
export interface SessionMetrics extends Metrics {
  session: string;
}

interface Exporting {
  metrics?: MetricsExport;
  clock: Clock;
  onEvent?: (event: SessionEvent) => void;
}

/** Starts the timer, if there is one. To be called at the session's end, however it ends: the last export. */
export function exportMetrics(
  session: string,
  state: Readonly<SessionState>,
  { metrics, clock, onEvent }: Exporting,
): () => void {
  if (!metrics) return () => {};
  const give = () => {
    try {
      metrics.export({ session, ...metricsOf(state.executions) });
    } catch (error) {
      const name = 'metrics';
      onEvent?.({ type: 'middleware_error', session, hook: 'export', name, error: messageOf(error) });
    }
  };
  const ended = new AbortController();
  const { everyMs } = metrics;
  const arm = (ms: number): void => {
    clock.sleep(ms, ended.signal).then(
      () => {
        if (ended.signal.aborted) return;
        give();
        arm(ms);
      },
      () => {}, // the session ended
    );
  };
  // A wait of nothing would export without an end.
  if (everyMs !== undefined) arm(Math.max(1, everyMs));
  return () => {
    ended.abort();
    give();
  };
}
