// Figures over a session's executions: counts, rates, times, sizes, and thresholds that raise an event.
import type { ExecutionRecord } from './execution/record.ts';
import type { MetricsEvent } from './events.ts';

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

export function metricsOf(executions: readonly ExecutionRecord[]): Metrics {
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
