// The part of the sandbox that lives inside the interpreter: console, timers, stores, and how values become text.
// Its source is evaluated there before the author's code, so it refers to nothing outside itself, and it takes
// every builtin it uses before that code can replace them. Nothing here guards the host: the code may do what it
// likes to its own realm, and only strings and numbers leave it.

/** What the host gives: functions of strings and numbers. */
export interface GuestHost {
  print(level: string, text: string, chars: number): void;
  /** Answers `=` and JSON (`=` alone: undefined), or `!`, an error's name, `:` and its message. */
  store(operation: string, store: string, id: string, json: string): string;
  settle(kind: string, text: string, chars: number): void;
  /** `base`: the name of the language's own class that an error is of. */
  fail(name: string, message: string, trace: string, code: string, base: string): void;
}

/** What the host calls. */
export interface Guest {
  begin(consoleChars: number, resultChars: number): void;
  /** Reports the program's result. */
  settle(value: unknown): void;
  /** Reports what the program threw. */
  fail(thrown: unknown): void;
  /** Milliseconds until the next timer, or -1 without timers. */
  due(): number;
  /** Runs the timer that is due first. */
  fire(): void;
}

export function guest(host: GuestHost): Guest {
  const { print, store, settle: settled, fail: failed } = host;
  const { stringify, parse } = JSON;
  const { apply, defineProperty, deleteProperty } = Reflect;
  const { freeze } = Object;
  const { now } = Date;
  const { slice } = String.prototype;
  const { indexOf } = String.prototype;
  const { toString: symbolText } = Symbol.prototype;
  const { from } = Array;
  const microtask = queueMicrotask;
  const text = String;
  const number = Number;
  const errors = { Error, TypeError, RangeError, ReferenceError };
  const { getPrototypeOf, hasOwn } = Object;
  const errorBases = [SyntaxError, ReferenceError, TypeError, RangeError, Error].map(made => ({
    name: made.name,
    prototype: made.prototype as object,
  }));
  const maps = Map;
  const sets = Set;
  const { add: setAdd, has: setHas, delete: setDelete } = Set.prototype;
  const { set: mapSet, delete: mapDelete, has: mapHas } = Map.prototype;
  const bigints = BigInt;
  const { valueOf: bigintValue } = BigInt.prototype;
  let consoleChars = 0;
  let resultChars = 0;

  const cut = (value: string, chars: number): string => apply(slice, value, [0, chars]);

  /** The name of a value that JSON has no word for. */
  const named = (value: unknown): string | undefined => {
    if (typeof value === 'bigint') return `[bigint ${value}]`;
    if (typeof value === 'symbol') return `[${apply(symbolText, value, [])}]`;
    if (typeof value !== 'function') return undefined;
    const name: unknown = value.name;
    return typeof name === 'string' && name !== '' ? `[function ${cut(name, 100)}]` : '[function]';
  };

  const errorText = (error: { name?: unknown; message?: unknown }): string => {
    const { name, message } = error;
    const head = typeof name === 'string' ? name : 'Error';
    return typeof message === 'string' && message !== '' ? `${head}: ${message}` : head;
  };

  /** JSON with names for functions, symbols, BigInts, errors and cycles, and with maps and sets as arrays. */
  const jsonOf = (value: unknown): string | undefined => {
    // The objects around the part, innermost first, and the same as a set.
    interface Around {
      object: unknown;
      outer: Around | undefined;
    }
    let around: Around | undefined;
    const open = new sets<unknown>();
    const enter = (object: unknown) => {
      around = { object, outer: around };
      apply(setAdd, open, [object]);
    };
    return stringify(value, function (this: unknown, _key, part: unknown) {
      const name = named(part);
      if (name !== undefined) return name;
      if (typeof part !== 'object' || part === null) return part;
      // JSON has no word for the object around one either.
      if (part instanceof bigints) return `[bigint ${apply(bigintValue, part, [])}]`;
      for (; around !== undefined && around.object !== this; around = around.outer)
        apply(setDelete, open, [around.object]);
      if (apply(setHas, open, [part])) return '[cyclic]';
      if (part instanceof errors.Error) return `[${errorText(part)}]`;
      enter(part);
      if (!(part instanceof maps || part instanceof sets)) return part;
      const items = from(part);
      enter(items);
      return items;
    });
  };

  const textOf = (value: unknown): string => {
    if (typeof value === 'string') return value;
    const name = named(value);
    if (name !== undefined) return name;
    if (typeof value !== 'object' || value === null) return text(value);
    try {
      if (value instanceof errors.Error) return errorText(value);
      return jsonOf(value) ?? 'undefined';
    } catch {
      // That it throws when it is read is its author's doing, and is what is shown.
      return '[an object that cannot be shown]';
    }
  };

  const settle = (value: unknown): void => {
    try {
      const name = named(value);
      const json = name ?? jsonOf(value) ?? 'undefined';
      const kind = name !== undefined ? typeof value : json === 'undefined' ? 'undefined' : 'json';
      settled(kind, cut(json, resultChars), json.length);
    } catch (thrown) {
      fail(thrown);
    }
  };

  /** The name of the language's own class that the error is of. */
  const baseOf = (error: object): string => {
    for (let each: object | null = error; each !== null; each = getPrototypeOf(each))
      for (let at = 0; at < errorBases.length; at += 1)
        if (errorBases[at]!.prototype === each) return errorBases[at]!.name;
    return '';
  };

  const fail = (thrown: unknown): void => {
    const string = (field: unknown, chars: number) => (typeof field === 'string' ? cut(field, chars) : '');
    try {
      // What the engine throws where it has no memory left for an error: no value at all.
      if ((typeof thrown as string) === 'unknown') {
        failed('InternalError', 'out of memory', '', '', 'Error');
        return;
      }
      const isObject = typeof thrown === 'object' && thrown !== null;
      const { name, message, stack, code } = (isObject ? thrown : {}) as Partial<Error> & { code?: unknown };
      if (!isObject || !(thrown instanceof errors.Error)) {
        failed('Error', `threw ${cut(textOf(thrown), 4000)}`, '', string(code, 100), '');
        return;
      }
      const base = baseOf(thrown);
      // A class that gave its errors no name has one itself.
      const made = name === base && !hasOwn(thrown, 'name') ? string(thrown.constructor.name, 100) : '';
      failed(
        made || string(name, 100),
        string(message, 4000),
        string(stack, 20_000),
        string(code, 100),
        base,
      );
    } catch {
      // The guest's value throws when it is read; that is what is told.
      failed('Error', 'threw a value that cannot be read', '', '', '');
    }
  };

  const printer =
    (level: string) =>
    (...values: unknown[]): void => {
      let line = '';
      for (let at = 0; at < values.length && line.length <= consoleChars; at += 1)
        line += (at === 0 ? '' : ' ') + textOf(values[at]);
      print(level, cut(line, consoleChars), line.length);
    };

  interface Timer {
    id: number;
    callback: (...values: unknown[]) => unknown;
    values: unknown[];
    due: number;
    /** Milliseconds between two calls; nothing for a timer that fires once. */
    every: number | undefined;
  }
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
  const startTimer = (callback: unknown, delay: unknown, values: unknown[], repeats: boolean): number => {
    if (typeof callback !== 'function') throw new errors.TypeError('a timer calls a function');
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
  const stopTimer = (id: unknown): void => {
    if (!apply(mapDelete, timers, [id])) return;
    running -= 1;
    if (queue.length <= 2 * running + 100) return;
    const all = queue;
    queue = [];
    for (let at = 0; at < all.length; at += 1)
      if (apply(mapHas, timers, [all[at]!.id])) rise(all[at]!, queue.length);
  };
  const firstTimer = (): Timer | undefined => {
    while (queue.length > 0 && !apply(mapHas, timers, [queue[0]!.id])) dropFirst();
    return queue[0];
  };

  const call = (operation: string, name: string, id: unknown, json: string): unknown => {
    if (typeof id !== 'string') throw new errors.TypeError(`${name}.${operation} takes the id as a string`);
    const answer = store(operation, name, id, json);
    const rest: string = apply(slice, answer, [1]);
    if (answer[0] === '=') return rest === '' ? undefined : parse(rest);
    const colon: number = apply(indexOf, rest, [':']);
    const message: string = apply(slice, rest, [colon + 1]);
    switch (cut(rest, colon)) {
      case 'ReferenceError':
        throw new errors.ReferenceError(message);
      case 'TypeError':
        throw new errors.TypeError(message);
      default:
        throw new errors.RangeError(message);
    }
  };
  const json = (value: unknown): string => stringify(value) ?? 'null';
  const storeOf = (name: string) => ({
    get: (id: unknown) => call('get', name, id, ''),
    list: () => call('list', name, '', ''),
    delete: (id: unknown) => void call('delete', name, id, ''),
    set: (id: unknown, fields: unknown) => void call('set', name, id, json(fields)),
  });
  const vault = {
    ...storeOf('vault'),
    set(id: unknown, content: unknown, about?: { type?: unknown; description?: unknown }) {
      call('set', 'vault', id, json({ content, type: about?.type, description: about?.description }));
    },
  };

  const give = (name: string, value: unknown) =>
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  give('console', {
    log: printer('log'),
    info: printer('info'),
    warn: printer('warn'),
    error: printer('error'),
  });
  give('vault', freeze(vault));
  give('memory', freeze(storeOf('memory')));
  give('tasks', freeze(storeOf('tasks')));
  give('goals', freeze(storeOf('goals')));
  give('setTimeout', (callback: unknown, delay?: unknown, ...values: unknown[]) =>
    startTimer(callback, delay, values, false),
  );
  give('setInterval', (callback: unknown, delay?: unknown, ...values: unknown[]) =>
    startTimer(callback, delay, values, true),
  );
  give('clearTimeout', stopTimer);
  give('clearInterval', stopTimer);
  give('queueMicrotask', (callback: unknown) => {
    if (typeof callback !== 'function') throw new errors.TypeError('queueMicrotask calls a function');
    microtask(() => {
      try {
        apply(callback, undefined, []);
      } catch (thrown) {
        fail(thrown);
      }
    });
  });
  for (const name of ['SharedArrayBuffer', 'Atomics', 'WebAssembly']) deleteProperty(globalThis, name);
  // Code that rewrites traces would take from its own errors the line that the author needs.
  defineProperty(Error, 'prepareStackTrace', { value: undefined, writable: false, configurable: false });

  return {
    begin(chars, most) {
      consoleChars = chars;
      resultChars = most;
    },
    settle,
    fail,
    due() {
      const first = firstTimer();
      if (first === undefined) return -1;
      const wait = first.due - now();
      return wait > 0 ? wait : 0;
    },
    fire() {
      const timer = firstTimer();
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
