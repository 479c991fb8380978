// How values of the guest become text: for the console, for the result, for what is told of an error.
// A part of the sandbox that lives inside the interpreter (guest.ts): it refers to nothing outside itself.

export type GuestValues = ReturnType<typeof guestValues>;

export function guestValues() {
  const { stringify } = JSON;
  const { apply } = Reflect;
  const { getPrototypeOf } = Object;
  const { slice } = String.prototype;
  const { toString: symbolText } = Symbol.prototype;
  const { from } = Array;
  const text = String;
  const errors = Error;
  const errorBases = [SyntaxError, ReferenceError, TypeError, RangeError, Error].map(made => ({
    name: made.name,
    prototype: made.prototype as object,
  }));
  const maps = Map;
  const sets = Set;
  const { add: setAdd, has: setHas, delete: setDelete } = Set.prototype;
  const bigints = BigInt;
  const { valueOf: bigintValue } = BigInt.prototype;

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
      if (part instanceof errors) return `[${errorText(part)}]`;
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
      if (value instanceof errors) return errorText(value);
      return jsonOf(value) ?? 'undefined';
    } catch {
      // That it throws when it is read is its author's doing, and is what is shown.
      return '[an object that cannot be shown]';
    }
  };

  /** The name of the language's own class that the error is of. */
  const baseOf = (error: object): string => {
    for (let each: object | null = error; each !== null; each = getPrototypeOf(each))
      for (let at = 0; at < errorBases.length; at += 1)
        if (errorBases[at]!.prototype === each) return errorBases[at]!.name;
    return '';
  };

  const isError = (value: object): value is Error => value instanceof errors;

  return { cut, named, jsonOf, textOf, baseOf, isError };
}
