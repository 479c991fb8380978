// What starts when a slot is free, and how long the whole takes when it goes on like that.
import { normals } from '../../lib/normals.ts';
import type { Order, Task } from './order.ts';

/** How issues are let in. */
export interface Manner {
  slots: number;
  /** Exclusive work is waited for when its chain is at least so many times as long as any other that could begin. */
  patience: number;
  /** Who goes before whom: a number for each that is open, by its place. */
  rank: readonly number[];
}

export interface Choice {
  start: Task[];
  /** Exclusive work that is waited for: nothing else starts before it. */
  awaited?: Task;
}

/** Who of `ready`, in their order, starts beside `active`. Whatever fits starts: nobody waits behind one that does not. */
function choose(
  ready: readonly Task[],
  active: readonly Task[],
  together: Order['together'],
  { slots, patience }: Manner,
): Choice {
  const start: Task[] = [];
  let longest: number | undefined;
  for (const task of ready) {
    if (active.length + start.length >= slots) break;
    const beside = (other: Task) => together(task, other);
    if (active.every(beside) && start.every(beside)) start.push(task);
    else if (task.exclusive && task.unlocks.length > 0) {
      longest ??= ready.find(({ exclusive }) => !exclusive)?.chain ?? 0;
      if (task.chain >= patience * longest) return { start, awaited: task };
    }
  }
  return { start };
}

const readyOf = ({ open }: Order): Task[] => open.filter(({ missing }) => missing === 0);

const rankedBy =
  ({ rank }: Pick<Manner, 'rank'>) =>
  (a: Task, b: Task): number =>
    (rank[a.place] ?? 0) - (rank[b.place] ?? 0);

/**
 * Minutes until everything is delivered when it begins with `first` and goes on in this manner. `lasts`: minutes that
 * a task takes from now on. One that takes `limit` or more is not played to its end.
 */
export function play(
  order: Order,
  first: readonly Task[],
  manner: Manner,
  lasts: (task: Task) => number,
  limit = Infinity,
): number {
  const missing = order.open.map(task => task.missing);
  const active = [...order.active, ...first];
  const ends = active.map(lasts);
  const ranked = rankedBy(manner);
  let ready = readyOf(order)
    .filter(task => !first.includes(task))
    .sort(ranked);
  let now = 0;
  while (active.length > 0 && now < limit) {
    const at = ends.indexOf(Math.min(...ends));
    [now = now] = ends.splice(at, 1);
    for (const { unlocks } of active.splice(at, 1))
      for (const task of unlocks) {
        missing[task.place]! -= 1;
        if (missing[task.place] === 0) ready.push(task);
      }
    ready.sort(ranked);
    const { start } = choose(ready, active, order.together, manner);
    if (start.length > 0) ready = ready.filter(task => !start.includes(task));
    active.push(...start);
    ends.push(...start.map(task => now + lasts(task)));
  }
  return now;
}

/**
 * How long to wait for exclusive work that others depend on, while other work could begin: never, ..., always. No one
 * answer is right: `npm run bench -- scheduler`. So each is played to the end of the run; the first of the shortest is
 * taken, since the average issue ends sooner where less is waited for, and the order's own goes before others.
 */
const patiences = [Infinity, 2, 1, 0];

/**
 * Orders that are played beside the order's own. Each has the chains a little longer or shorter, as they may turn out to be:
 * what is best beside what else is seldom what is longest. More of them gain little: `npm run bench -- scheduler`.
 */
const OTHERS = 16;
/** Standard deviation of the logarithm of a chain in such an order to its estimate. */
const SHIFT = 0.3;

function othersThan({ open }: Order): number[][] {
  const normal = normals(1);
  return Array.from({ length: OTHERS }, () => open.map(({ chain }) => -chain * Math.exp(SHIFT * normal())));
}

/** More issues than this are not played, which would take long. A run has 50 at most. */
const MOST_PLAYED = 150;
/** Taken without playing: the best of them for 300 issues on 20 slots. */
const UNPLAYED = 2;

/** What starts now, and the manner in which the whole is the shortest by its estimates. */
export function bestPlan(order: Order, slots: number): Choice & { manner: Manner } {
  const ready = readyOf(order);
  const planned = (rank: readonly number[], patience: number) => {
    const manner = { slots, patience, rank };
    const { start, ...choice } = choose(
      ready.toSorted(rankedBy(manner)),
      order.active,
      order.together,
      manner,
    );
    return { manner, start: start.sort((a, b) => a.place - b.place), ...choice };
  };
  const own = order.open.map(({ place }) => place);
  let best = planned(own, UNPLAYED);
  if (order.open.length > MOST_PLAYED) return best;
  const plans = [own, ...othersThan(order)].flatMap(rank =>
    patiences.map(patience => planned(rank, patience)),
  );
  const different = new Set(plans.map(({ start }) => start.map(({ place }) => place).join()));
  if (different.size <= 1) return plans[0] ?? best;
  let shortest = Infinity;
  for (const plan of plans) {
    const minutes = play(order, plan.start, plan.manner, left, shortest);
    if (minutes < shortest) [shortest, best] = [minutes, plan];
  }
  return best;
}

/** One that is active counts as half done: how long it has been at work is not known here. */
const left = ({ issue, minutes }: Task) => (issue.state === 'pending' ? minutes : minutes / 2);
