// The steps of an attempt's program, each kept with the tree that it left: another process goes on with files and session.
import type { Json } from '@echelon/ground';
import type { Progress, Step } from '@echelon/ground/journal';
import { bundleOf, dropBundlesBut, makeBundle } from '@echelon/ground/workspace';
import { readState, type SessionState } from '../../../engine/models.ts';
import { CHECKOUT_ANEW, SavedSession, type Standing } from './attempt-journal.ts';
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
        // A session's changes are saved for the next process, even if it dies before the end of the round.
        return { result, ...(await standing(place)) };
      },
      { costly: true },
    );
    if (!isNew) Object.assign(state, { tree: made.tree, tests: made.tests });
    return made.result;
  };
}

/**
 * State of the attempt, its tree kept as a bundle. A tree that cannot be stored now may be gone by the end of the round: then
 * as it stood before, unless it `waits` for an answer, which would go on with nothing.
 */
async function standing(place: Workplace, waits = false): Promise<Standing> {
  const { checkout, state, signal } = place;
  const { tests, rounds } = state;
  const unstored = (error: unknown) => {
    if (waits) throw error;
  };
  const now = state.changing ? await checkout.writeTree(signal).catch(unstored) : undefined;
  const tree = now ?? state.tree;
  if (tree !== undefined) await keep(tree, place);
  return { tests, rounds, ...(tree !== undefined && { tree }) };
}

async function keep(tree: string, { checkout, state, spec, folder, before }: Workplace): Promise<void> {
  if (tree === before || tree === state.kept) return;
  const { rounds, spent } = state;
  const facts = { tests: null, rounds, cost_usd: spent.cost_usd, isolation: spec.isolation };
  await makeBundle(checkout, tree, bundleOf(folder, tree), facts);
  state.kept = tree;
}

function withTree(progress: Progress, place: Workplace): Progress {
  const saved = progress.state === undefined ? undefined : SavedSession.parse(progress.state);
  const session = saved && readState(saved.session);
  return {
    said: progress.said,
    state: session && (JSON.parse(JSON.stringify(session.pending ? session : told(session))) as Json),
    async save(next) {
      const now = await standing(place, readState(next).status === 'paused');
      await progress.save({ session: next, ...now });
      if (now.tree !== undefined) await dropBundlesBut(place.folder, now.tree);
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
