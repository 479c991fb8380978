// The board while a layer's turn goes on: drawn again now and then, though nothing of the run is saved meanwhile.
import PQueue from 'p-queue';
import { board } from '../comments/board.ts';
import type { ActiveRun } from './active-run.ts';
import type { RunStore } from './comment-store.ts';

type Drawn = Pick<ActiveRun, 'view' | 'access' | 'doing'>;

export const drawn = ({ view, access, doing }: Drawn): string =>
  board(view, {
    calls: access.callsUsed?.(),
    doing: [...doing.of(view), ...(access.doing?.(view.issue) ?? [])],
  });

/** The board where a layer has thought for a while; else there is nothing new to show. */
export const drawnWhileThinking = (run: Drawn): string | undefined =>
  run.doing.of(run.view).length > 0 ? drawn(run) : undefined;

/** Interval (milliseconds). A shorter turn costs no call to GitHub. */
const EVERY_MS = 60_000;

/**
 * Draws again until `act` has ended, and answers what it answers. `board`: undefined where there is nothing to tell. The board is
 * an aid: what keeps it from being drawn is told to nobody, and the next save draws it anyway.
 */
export async function drawnMeanwhile<T>(
  store: Pick<RunStore, 'redraw'>,
  board: () => string | undefined,
  act: () => Promise<T>,
): Promise<T> {
  let isDrawing = false;
  const draw = async () => {
    const text = isDrawing ? undefined : board();
    if (text === undefined) return;
    isDrawing = true;
    await store.redraw(text).catch(() => {});
    isDrawing = false;
  };
  const timer = setInterval(draw, EVERY_MS);
  timer.unref();
  try {
    return await act();
  } finally {
    clearInterval(timer);
  }
}

/**
 * `store` with its writes one after the other: a board that is drawn and a batch that is saved write the same comment, and the
 * one that is older must not stand last.
 */
export function oneWriteAtATime(store: RunStore): RunStore {
  const writes = new PQueue({ concurrency: 1 });
  const one = Object.create(store) as RunStore;
  one.append = (batch, board) => writes.add(() => store.append(batch, board));
  one.redraw = board => writes.add(() => store.redraw(board));
  return one;
}
