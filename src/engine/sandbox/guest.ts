// The part of the sandbox that lives inside the interpreter: console, stores, what is told of the end; its values and
// timers have files of their own. The source of each is evaluated there before the author's code, so it refers to
// nothing outside itself, and takes every builtin it uses before that code can replace them. Nothing here guards the
// host: the code may do what it likes to its own realm, and only strings and numbers leave it.
import type { GuestTimers } from './guest-timers.ts';
import type { GuestValues } from './guest-values.ts';

/** Functions of the host for the guest, of strings and numbers. */
export interface GuestHost {
  print(level: string, text: string, chars: number): void;
  /** Answers `=` and JSON (`=` alone: undefined), or `!`, an error's name, `:` and its message. */
  store(operation: string, store: string, id: string, json: string): string;
  settle(kind: string, text: string, chars: number): void;
  /** Has a tool called; answers why it is not, or nothing. */
  ask(id: number, name: string, input: string): string;
  /** `base`: the name of the language's own class that an error is of. */
  fail(name: string, message: string, trace: string, code: string, base: string): void;
}

/** Functions of the guest for the host. */
export type Guest = ReturnType<typeof guest>;

export function guest(host: GuestHost, values: GuestValues, timers: GuestTimers) {
  const { print, store, ask, settle: settled, fail: failed } = host;
  const { parse } = JSON;
  const { apply, defineProperty, deleteProperty, getPrototypeOf } = Reflect;
  const { freeze, hasOwn } = Object;
  const { cut, named, jsonOf, keptOf, textOf, baseOf, isError } = values;
  const { slice } = String.prototype;
  const { indexOf } = String.prototype;
  const microtask = queueMicrotask;
  const errors = { Error, TypeError, RangeError, ReferenceError };
  const maps = Map;
  const { get: mapGet, set: mapSet, delete: mapDelete, forEach: mapForEach } = Map.prototype;
  const promises = Promise;
  /** The reasons of rejected promises that nobody awaits, the first of them. */
  const rejections = new maps<unknown, unknown>();
  const REJECTIONS = 20;
  let consoleChars = 0;
  let resultChars = 0;

  const settle = (value: unknown): void => {
    try {
      // A number that is none is named within JSON, as it is in an object.
      const name = typeof value === 'number' ? undefined : named(value);
      const json = name ?? jsonOf(value) ?? 'undefined';
      const kind = name !== undefined ? typeof value : json === 'undefined' ? 'undefined' : 'json';
      settled(kind, cut(json, resultChars), json.length);
    } catch (thrown) {
      fail(thrown);
    }
  };

  const fail = (thrown: unknown): void => {
    const string = (field: unknown, chars: number) => (typeof field === 'string' ? cut(field, chars) : '');
    try {
      // The engine throws no value at all if it has no memory left for an error.
      if ((typeof thrown as string) === 'unknown') {
        failed('InternalError', 'out of memory', '', '', 'Error');
        return;
      }
      const isObject = typeof thrown === 'object' && thrown !== null;
      const { name, message, stack, code } = (isObject ? thrown : {}) as Partial<Error> & { code?: unknown };
      if (!isObject || !isError(thrown)) {
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

  const rejected = (promise: unknown, reason: unknown, isAwaited: boolean): void => {
    if (isAwaited) apply(mapDelete, rejections, [promise]);
    else if (rejections.size < REJECTIONS) apply(mapSet, rejections, [promise, reason]);
  };
  const late = (): string => {
    let told = '';
    const tell = (reason: unknown) => {
      told += `a promise that nobody awaited was rejected: ${cut(textOf(reason), 500)}\n`;
    };
    apply(mapForEach, rejections, [tell]);
    const waiting = timers.running();
    if (unanswered > 0)
      told += `${unanswered} call${unanswered === 1 ? '' : 's'} of tools had no answer when the code returned: await each, or nothing comes of it\n`;
    if (waiting > 0)
      told += `${waiting} timer${waiting === 1 ? '' : 's'} had not fired when the code returned, and what was to follow, writes too, was not done\n`;
    return told;
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
  const storeOf = (name: string) => ({
    get: (id: unknown) => call('get', name, id, ''),
    list: () => call('list', name, '', ''),
    delete: (id: unknown) => void call('delete', name, id, ''),
    set: (id: unknown, fields: unknown) => void call('set', name, id, keptOf(fields)),
  });
  const vault = {
    ...storeOf('vault'),
    set(id: unknown, content: unknown, about?: { type?: unknown; description?: unknown }) {
      call('set', 'vault', id, keptOf({ content, type: about?.type, description: about?.description }));
    },
  };

  interface Asked {
    resolve: (text: string) => void;
    reject: (error: Error) => void;
  }
  const asked = new maps<number, Asked>();
  let lastCall = 0;
  let unanswered = 0;
  const toolOf =
    (name: string) =>
    (input: unknown = {}) =>
      new promises<string>((resolve, reject) => {
        const given = keptOf(input);
        lastCall += 1;
        const refusal = ask(lastCall, name, given);
        if (refusal !== '') throw new errors.RangeError(refusal);
        unanswered += 1;
        apply(mapSet, asked, [lastCall, { resolve, reject }]);
      });
  const answer = (id: number, said: string, isError: boolean): void => {
    const call: Asked | undefined = apply(mapGet, asked, [id]);
    if (call === undefined) return;
    apply(mapDelete, asked, [id]);
    unanswered -= 1;
    if (isError) call.reject(new errors.Error(said));
    else call.resolve(said);
  };

  const give = (name: string, value: unknown) =>
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  give('console', {
    log: printer('log'),
    info: printer('info'),
    warn: printer('warn'),
    error: printer('error'),
    debug: printer('debug'),
    dir: (value: unknown) => printer('log')(value),
    table: (value: unknown) => printer('log')(values.tableOf(value)),
    assert: (holds?: unknown, ...told: unknown[]) => {
      if (!holds) printer('error')('Assertion failed', ...told);
    },
  });
  give('vault', freeze(vault));
  give('memory', freeze(storeOf('memory')));
  give('tasks', freeze(storeOf('tasks')));
  give('goals', freeze(storeOf('goals')));
  give('setTimeout', (callback: unknown, delay?: unknown, ...values: unknown[]) =>
    timers.start(callback, delay, values, false),
  );
  give('setInterval', (callback: unknown, delay?: unknown, ...values: unknown[]) =>
    timers.start(callback, delay, values, true),
  );
  give('clearTimeout', timers.stop);
  give('clearInterval', timers.stop);
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
  for (const name of ['SharedArrayBuffer', 'Atomics', 'WebAssembly', 'eval', 'Function'])
    deleteProperty(globalThis, name);
  // Every function inherits the constructor that makes one of its kind out of text.
  for (const made of [() => {}, async () => {}, function* () {}, async function* () {}])
    deleteProperty(getPrototypeOf(made)!, 'constructor');
  // Code that rewrites traces would take from its own errors the line that the author needs.
  defineProperty(Error, 'prepareStackTrace', { value: undefined, writable: false, configurable: false });

  return {
    /** `toolNames`: as a JSON list. */
    begin(chars: number, most: number, toolNames: string): void {
      consoleChars = chars;
      resultChars = most;
      const names: string[] = parse(toolNames);
      if (names.length === 0) return;
      const tools = {};
      for (let at = 0; at < names.length; at += 1)
        defineProperty(tools, names[at]!, { value: toolOf(names[at]!), enumerable: true });
      give('tools', freeze(tools));
    },
    /** Reports the program's result. */
    settle,
    /** Reports what the program threw. */
    fail,
    /** A promise was rejected that nobody awaits, or (`isAwaited`) somebody does now. */
    rejected,
    /** Delivers a tool call's text, or (`isError`) the reason for having none. */
    answer,
    /** Events too late for the result, a line each. */
    late,
    /** Milliseconds until the next timer, or -1 without timers. */
    due: timers.due,
    /** Runs the timer that is due first. */
    fire: (): void => timers.fire(fail),
  };
}
