// Progress of a run's layers while they think: for the status comment, which is redrawn during a turn.
import type { Clock } from '@echelon/ground';
import type { TaskEvent } from '../../engine/engine.ts';
import { plural, whole } from '../comments/figures.ts';
import { layerName } from '../layers.ts';
import type { RunView } from '../comments/view.ts';

/** A turn that has only begun is not worth a line, and a change of the board (milliseconds). */
const WORTH_MS = 45_000;

export type LayersDoing = ReturnType<typeof layersDoing>;

/** Words of the program's own alone: what a model writes, and what it calls, is not told. */
export function layersDoing(clock: Pick<Clock, 'now'>) {
  const turns = new Map<string, { session: string; since: number; replies: number; calls: number }>();
  return {
    /** Something that a session of a layer told. */
    heard(layer: string, event: TaskEvent): void {
      const now = turns.get(layer);
      if (event.type === 'iteration_start' && now?.session !== event.session)
        turns.set(layer, { session: event.session, since: clock.now(), replies: 0, calls: 0 });
      else if (now && event.type === 'model_reply') now.replies += 1;
      else if (now && event.type === 'tool_call') now.calls += 1;
    },
    /** `the Team Lead for 2 minutes: 3 replies, 5 calls of tools`, of those that think. */
    of: ({ layers }: Pick<RunView, 'layers'>): string[] =>
      layers.flatMap(({ id, status }) => {
        const turn = turns.get(id);
        const ms = turn ? clock.now() - turn.since : 0;
        if (!turn || status !== 'thinking' || ms < WORTH_MS) return [];
        const { replies, calls } = turn;
        return `the ${layerName(id)} for ${plural(whole(ms / 60_000), 'minute')}: ${plural(replies, 'reply', 'replies')}, ${plural(calls, 'call of a tool', 'calls of tools')}`;
      }),
  };
}
