// Events that a run reports: one closed union, and a bus whose consumers cannot stop each other.
import type { LayerId } from './layers.ts';

export type RunEvent =
  | { type: 'run_started'; directive: string }
  | { type: 'base_tests'; state: 'running' | 'green' | 'red' | 'cannot_run'; exit_code: number | null }
  | { type: 'together'; state: 'running' | 'green' | 'red' | 'conflict' | 'untested' }
  | { type: 'agent_status'; layer: LayerId; status: 'thinking' | 'waiting' | 'error' | 'done' }
  | { type: 'message'; layer: LayerId; content: string; cost_usd: number; ms: number }
  | { type: 'action_pending'; id: string; action: string; digest: string }
  | { type: 'action_performed'; id?: string; action: string; result: string }
  | { type: 'action_rejected'; id: string; by: string; reason: string }
  | { type: 'action_dropped'; layer: LayerId; action: string; reason: string }
  | { type: 'issue_created'; issue: number; title: string; domain: string }
  | { type: 'slot_changed'; issue: number; from: string; to: string; reason: string }
  | { type: 'slot_waits'; issue: number; reason: string }
  | { type: 'stuck_warning'; issue: number; seconds: number }
  | { type: 'cost_update'; of: string; usd: number; total: number }
  | { type: 'question_asked'; id: string; question: string }
  | { type: 'error'; where: string; class: string; message: string }
  | { type: 'state_saved'; seq: number }
  | { type: 'rate_limited'; until: number }
  | { type: 'run_settled'; status: 'completed' | 'failed' | 'cancelled' };

/** An event with what it belongs to. `at` in milliseconds since the epoch. */
export type RunNotice = RunEvent & { issue_of_run: number; repository: string; at: number };

export type Bus = ReturnType<typeof createBus>;

/** A bus; a consumer that throws is handed to `report` and the others go on. */
export function createBus(report: (error: unknown) => void) {
  const consumers = new Set<(notice: RunNotice) => void>();
  return {
    emit(notice: RunNotice): void {
      for (const consumer of consumers) {
        try {
          consumer(notice);
        } catch (error) {
          report(error);
        }
      }
    },
    /** Answers the function that takes the consumer off again. */
    on(consumer: (notice: RunNotice) => void): () => void {
      consumers.add(consumer);
      return () => consumers.delete(consumer);
    },
  };
}
