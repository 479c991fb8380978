// The steps of an attempt's program, each kept with the tree that it left: another process goes on with files and session.
import { readState, type SessionState } from '../../engine/reasoning/state.ts';
import type { Progress, Step } from '../../journal/journal.ts';
import type { Json } from '../../lib/json.ts';
import { makeBundle } from '../../workspace/bundle.ts';
import { CHECKOUT_ANEW, SavedSession, type Standing } from './attempt-journal.ts';
import type { AttemptState } from './attempt-state.ts';
import type { Workplace } from './workplace.ts';

/** Keeps each result, and each session that goes on, with the tree and its tests: another process finds them as they were. */
export function stepWithTree(place: Workplace): Step {
  const { state } = place;
  return async <T>(key: string, make: (op: string, progress: Progress) => Promise<T>) => {
    let isNew = false;
    const made = await state.journal.step(
      key,
      async (op, progress) => {
        isNew = true;
        const result = await make(op, withTree(progress, place));
        return { result, ...standing(state) };
      },
      { costly: true },
    );
    if (!isNew) Object.assign(state, { tree: made.tree, tests: made.tests });
    return made.result;
  };
}

const standing = ({ tree, tests, rounds }: AttemptState): Standing => ({
  tests,
  rounds,
  ...(tree !== undefined && { tree }),
});

function withTree(progress: Progress, place: Workplace): Progress {
  const saved = progress.state === undefined ? undefined : SavedSession.parse(progress.state);
  const session = saved && readState(saved.session);
  return {
    said: progress.said,
    state: session && (JSON.parse(JSON.stringify(session.pending ? session : told(session))) as Json),
    async save(next) {
      const { checkout, state, spec, folder, signal } = place;
      const isPaused = readState(next).status === 'paused';
      const tree = state.changing
        ? await checkout.writeTree(signal).catch((error: unknown) => {
            if (isPaused) throw error;
            return null;
          })
        : state.tree;
      // What cannot be stored now may be gone by the end of the round.
      if (tree === null) return;
      if (tree !== undefined && tree !== place.before)
        await makeBundle(checkout, tree, folder, {
          tests: null,
          rounds: state.rounds,
          cost_usd: state.spent.cost_usd,
          isolation: spec.isolation,
        });
      await progress.save({ session: next, ...standing(state), ...(tree !== undefined && { tree }) });
    },
  };
}

/** With the word that its checkout is another one. */
function told(session: SessionState): SessionState {
  const last = session.messages.at(-1);
  if (!last) return session;
  const note = { type: 'text' as const, text: CHECKOUT_ANEW };
  return {
    ...session,
    messages: [...session.messages.slice(0, -1), { ...last, content: [...last.content, note] }],
  };
}
