// Processes that play stories, each with one in hand: Octokit keeps requests for tokens under way by the ids of app and
// installation in the whole process, so that two stories in one process would take each other's tokens.
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Play, Played } from './player.ts';

export type Outcome = Played | { killed: string | null };

/** Processes for each core: a story waits for git and for the scripted model's delays half of its time. */
const A_CORE = 2;

function startPlayer(): ChildProcess {
  return fork(join(import.meta.dirname, 'player.ts'), {
    execArgv: ['--import', join(import.meta.dirname, '../../src/doors/compile-cache.js')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

function playIn(child: ChildProcess, order: Play): Promise<Outcome> {
  return new Promise(resolve => {
    const settle = (outcome: Outcome) => {
      child.off('message', settle).off('exit', ended);
      resolve(outcome);
    };
    const ended = (_code: number | null, signal: string | null) => settle({ killed: signal });
    child.on('message', settle).on('exit', ended);
    child.send(order);
  });
}

/** Plays one story in a process of its own. */
export async function playAlone(order: Play): Promise<Outcome> {
  const child = startPlayer();
  try {
    return await playIn(child, order);
  } finally {
    if (child.connected) child.disconnect();
  }
}

/** Plays all stories, as many side by side as the machine carries; answers in their order. */
export async function playAll(orders: readonly Play[]): Promise<Outcome[]> {
  const children = Array.from({ length: A_CORE * availableParallelism() }, startPlayer);
  try {
    return await sideBySide(orders, children, (order, child) => playIn(child, order));
  } finally {
    for (const child of children) if (child.connected) child.disconnect();
  }
}

/** Works through items with several hands, each taking the next one when it is free; results in the items' order. */
export async function sideBySide<Item, Hand, Result>(
  items: readonly Item[],
  hands: readonly Hand[],
  work: (item: Item, hand: Hand) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const take = async (hand: Hand) => {
    for (const [index, item] of left) results[index] = await work(item, hand);
  };
  await Promise.all(hands.map(take));
  return results;
}
