// Converts values of the guest to text: for the console, for the result, for error messages.
// A part of the sandbox that lives inside the interpreter (guest.ts): it refers to nothing outside itself.

export type GuestValues = ReturnType<typeof guestValues>;

export function guestValues() {
  const { stringify } = JSON;
  const { apply } = Reflect;
  const { getPrototypeOf, entries, keys } = Object;
  const { slice } = String.prototype;
  const { toString: symbolText } = Symbol.prototype;
  const { from } = Array;
  const { includes, join } = Array.prototype;
  const text = String;
  const errors = Error;
  const typeErrors = TypeError;
  const errorBases = [SyntaxError, ReferenceError, TypeError, RangeError, Error].map(made => ({
    name: made.name,
    prototype: made.prototype as object,
  }));
  const maps = Map;
  const { has: mapHas } = Map.prototype;
  const sets = Set;
  const { add: setAdd, has: setHas, delete: setDelete } = Set.prototype;
  const dates = Date;
  const { getTime } = Date.prototype;
  const { isFinite: isNumber } = Number;
  const bigints = BigInt;
  const { valueOf: bigintValue } = BigInt.prototype;

  const cut = (value: string, chars: number): string => apply(slice, value, [0, chars]);

  /** The name of a value that JSON has no word for. */
  const named = (value: unknown): string | undefined => {
    if (typeof value === 'bigint') return `[bigint ${value}]`;
    if (typeof value === 'symbol') return `[${apply(symbolText, value, [])}]`;
    if (typeof value === 'number') return isNumber(value) ? undefined : `[${value}]`;
    if (typeof value !== 'function') return undefined;
    const name: unknown = value.name;
    return typeof name === 'string' && name !== '' ? `[function ${cut(name, 100)}]` : '[function]';
  };

  const errorText = (error: { name?: unknown; message?: unknown }): string => {
    const { name, message } = error;
    const head = typeof name === 'string' ? name : 'Error';
    return typeof message === 'string' && message !== '' ? `${head}: ${message}` : head;
  };

  /**
   * JSON with names for functions, symbols, BigInts, numbers that are none, errors and cycles; a map is its pairs under
   * its name, a set an array, a date its ISO text.
   */
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
    return stringify(value, function (this: Record<string, unknown>, key, part: unknown) {
      const name = named(part);
      if (name !== undefined) return name;
      // An invalid date serializes to null.
      if (part === null && isNoDate(this[key])) return '[Invalid Date]';
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
      const shown = isMap(part) ? { '[Map]': items } : items;
      enter(shown);
      return shown;
    });
  };

  /**
   * JSON that says the same when it is read again. Throws a TypeError for what would be kept as something else: a number that
   * is none and a date without a time (null), a function or symbol (left out), a map or set ({}).
   */
  const keptOf = (value: unknown): string =>
    stringify(value, function (this: Record<string, unknown>, key, part: unknown) {
      const other = part === null && isNoDate(this[key]) ? '[Invalid Date]' : (named(part) ?? kindOf(part));
      if (other === undefined) return part;
      throw new typeErrors(
        `${key} is ${other}, which JSON has no word for: keep what it stands for as a number, a text, null, a list or an object`,
      );
    }) ?? 'null';

  const kindOf = (part: unknown): string | undefined =>
    part instanceof maps ? '[Map]' : part instanceof sets ? '[Set]' : undefined;

  /** Correct even if guest code has changed `instanceof`. */
  const isMap = (value: object): boolean => {
    try {
      apply(mapHas, value, [undefined]);
      return true;
    } catch {
      // It throws for all that is none.
      return false;
    }
  };

  const isNoDate = (value: unknown): boolean => {
    if (!(value instanceof dates)) return false;
    const time: number = apply(getTime, value, []);
    return !isNumber(time);
  };

  const textOf = (value: unknown): string => {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return text(value);
    const name = named(value);
    if (name !== undefined) return name;
    if (typeof value !== 'object' || value === null) return text(value);
    try {
      if (value instanceof errors) return errorText(value);
      return jsonOf(value) ?? 'undefined';
    } catch {
      // Its author made it throw when it is read.
      return '[an object that cannot be shown]';
    }
  };

  /** A line for each row, its cells in the order of the first row's names; anything else as it is shown by itself. */
  const tableOf = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return textOf(value);
    const rows = entries(value);
    const columns: string[] = [];
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at]![1];
      const names = typeof row === 'object' && row !== null ? keys(row) : [];
      for (let each = 0; each < names.length; each += 1)
        if (!apply(includes, columns, [names[each]])) columns[columns.length] = names[each]!;
    }
    let shown = ` | ${apply(join, columns, [' | '])}`;
    for (let at = 0; at < rows.length; at += 1) {
      const name = rows[at]![0];
      const row: unknown = rows[at]![1];
      const isRow = typeof row === 'object' && row !== null;
      shown += `\n${name}`;
      if (!isRow) shown += ` | ${textOf(row)}`;
      else
        for (let each = 0; each < columns.length; each += 1) {
          const cell = (row as Record<string, unknown>)[columns[each]!];
          shown += ` | ${cell === undefined ? '' : textOf(cell)}`;
        }
    }
    return shown;
  };

  /** The name of the language's own class that the error is of. */
  const baseOf = (error: object): string => {
    for (let each: object | null = error; each !== null; each = getPrototypeOf(each))
      for (let at = 0; at < errorBases.length; at += 1)
        if (errorBases[at]!.prototype === each) return errorBases[at]!.name;
    return '';
  };

  const isError = (value: object): value is Error => value instanceof errors;

  return { cut, named, jsonOf, keptOf, textOf, tableOf, baseOf, isError };
}
