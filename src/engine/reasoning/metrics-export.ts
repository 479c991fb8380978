// Hands a session's figures out: at its end, and on a timer where one is wished for.
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/message.ts';
import type { SessionEvent } from './events.ts';
import { type Metrics, metricsOf } from './metrics.ts';
import type { SessionState } from './state.ts';

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
