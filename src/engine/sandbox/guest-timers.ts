// The guest's timers: which is due first, and what it calls.
// A part of the sandbox that lives inside the interpreter (guest.ts): it refers to nothing outside itself.

interface Timer {
  id: number;
  callback: (...values: unknown[]) => unknown;
  values: unknown[];
  due: number;
  /** Milliseconds between two calls; nothing for a timer that fires once. */
  every: number | undefined;
}

export type GuestTimers = ReturnType<typeof guestTimers>;

export function guestTimers() {
  const { apply } = Reflect;
  const { now } = Date;
  const number = Number;
  const typeError = TypeError;
  const maps = Map;
  const { set: mapSet, delete: mapDelete, has: mapHas } = Map.prototype;

  /** Those that were not stopped. */
  const timers = new maps<number, Timer>();
  /** A heap: none is due after the two at twice its place and one or two. Stopped ones stay until they come up. */
  let queue: Timer[] = [];
  let lastTimer = 0;
  let running = 0;
  const isBefore = (a: Timer, b: Timer) => (a.due === b.due ? a.id < b.id : a.due < b.due);
  const rise = (timer: Timer, from: number): void => {
    let at = from;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(timer, queue[above]!); above = (at - 1) >> 1) {
      queue[at] = queue[above]!;
      at = above;
    }
    queue[at] = timer;
  };
  const sink = (timer: Timer, from: number): void => {
    let at = from;
    for (let below = 2 * at + 1; below < queue.length; below = 2 * at + 1) {
      if (below + 1 < queue.length && isBefore(queue[below + 1]!, queue[below]!)) below += 1;
      if (!isBefore(queue[below]!, timer)) break;
      queue[at] = queue[below]!;
      at = below;
    }
    queue[at] = timer;
  };
  const dropFirst = (): void => {
    const last = queue[queue.length - 1]!;
    queue.length -= 1;
    if (queue.length > 0) sink(last, 0);
  };
  const start = (callback: unknown, delay: unknown, values: unknown[], repeats: boolean): number => {
    if (typeof callback !== 'function') throw new typeError('a timer calls a function');
    const wish = number(delay);
    const wait = wish >= 1 && wish <= 0x7fffffff ? wish : 1;
    lastTimer += 1;
    const every = repeats ? wait : undefined;
    const timer = {
      id: lastTimer,
      callback: callback as Timer['callback'],
      values,
      due: now() + wait,
      every,
    };
    apply(mapSet, timers, [lastTimer, timer]);
    running += 1;
    rise(timer, queue.length);
    return lastTimer;
  };
  const stop = (id: unknown): void => {
    if (!apply(mapDelete, timers, [id])) return;
    running -= 1;
    if (queue.length <= 2 * running + 100) return;
    const all = queue;
    queue = [];
    for (let at = 0; at < all.length; at += 1)
      if (apply(mapHas, timers, [all[at]!.id])) rise(all[at]!, queue.length);
  };
  const first = (): Timer | undefined => {
    while (queue.length > 0 && !apply(mapHas, timers, [queue[0]!.id])) dropFirst();
    return queue[0];
  };

  return {
    start,
    stop,
    /** Number of pending timers. */
    running: () => running,
    /** Milliseconds until the next, or -1 without any. */
    due(): number {
      const next = first();
      if (next === undefined) return -1;
      const wait = next.due - now();
      return wait > 0 ? wait : 0;
    },
    /** Runs the one that is due first. `fail` gets what it throws. */
    fire(fail: (thrown: unknown) => void): void {
      const timer = first();
      if (timer === undefined) return;
      if (timer.every === undefined) {
        apply(mapDelete, timers, [timer.id]);
        running -= 1;
        dropFirst();
      } else {
        timer.due = now() + timer.every;
        sink(timer, 0);
      }
      try {
        apply(timer.callback, undefined, timer.values);
      } catch (thrown) {
        fail(thrown);
      }
    },
  };
}
